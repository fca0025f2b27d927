#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "isa/kernel_name.h"
#include "machine/config.h"
#include "machine/sm/stats.h"
#include "machine/summary.h"
#include "report/profile.h"
#include "report/provenance.h"

namespace raddle::report {

using Json = nlohmann::ordered_json;
using machine::CodeCounts;
using machine::CodePlace;

namespace {

struct Line {
  std::string file;
  std::uint32_t number = 0;
  CodeCounts counts;
  std::set<std::string> functions;
  std::vector<std::pair<const CodePlace*, CodeCounts>> code;  // instructions that ran
};

using Lines = std::map<std::pair<std::string, std::uint32_t>, Line>;

/// Whether a file belongs to a CUDA toolkit or to the compiler, not to the program.
bool is_toolkit(std::string_view file) {
  return file.find("/__clang_") != file.npos ||
         file.find("/targets/x86_64-linux/include/") != file.npos ||
         file.find("/cuda/include/") != file.npos || file.starts_with(RADDLE_SOURCE_DIR "/cuda/");
}

/// The innermost line of the program itself: the cost of a toolkit's function counts for its
/// caller.
const isa::SourceLine& charged_line(const CodePlace& place) {
  const auto own = std::find_if(place.lines.begin(), place.lines.end(),
                                [](const isa::SourceLine& line) { return !is_toolkit(line.file); });
  return own == place.lines.end() ? place.lines.front() : *own;
}

void add(Lines& lines, const machine::ProgramProfile& program) {
  const std::vector<CodeCounts> merged = program.merged();
  for (std::size_t i = 0; i < merged.size(); ++i) {
    const CodeCounts& counts = merged[i];
    if (counts.warp_instructions == 0 && counts.cycles() == 0) continue;
    const CodePlace& place = program.code[i];
    const isa::SourceLine& where = charged_line(place);
    Line& line = lines[{where.file, where.line}];
    line.file = where.file;
    line.number = where.line;
    line.counts += counts;
    line.functions.insert(isa::kernel_name(program.functions[place.function]));
    line.code.emplace_back(&place, counts);
  }
}

/// Gives the text of a line of a file, without white space at its ends; "" for a missing line.
class SourceFiles {
 public:
  std::string line(const std::string& file, std::uint32_t number) {
    const auto [at, fresh] = files_.try_emplace(file);
    if (fresh) read(file, at->second);
    if (number == 0 || number > at->second.size()) return "";
    const std::string& text = at->second[number - 1];
    const std::size_t first = text.find_first_not_of(" \t\r");
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
  }

 private:
  static void read(const std::string& file, std::vector<std::string>& lines) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) lines.push_back(std::move(line));
  }
  std::map<std::string, std::vector<std::string>> files_;
};

Json counts_json(const CodeCounts& counts, bool functional) {
  Json json{{"warp_instructions", counts.warp_instructions},
            {"thread_instructions", counts.thread_instructions}};
  if (functional) return json;
  json["requests"] = counts.requests;
  json["transactions"] = counts.transactions;
  json["shared_requests"] = counts.shared_requests;
  json["shared_passes"] = counts.shared_passes;
  json["cycles"] = counts.cycles();
  const machine::SlotStats names("slots");
  for (std::size_t i = 0; i < machine::kSlots; ++i) {
    if (static_cast<machine::Slot>(i) == machine::Slot::no_warp) continue;
    json["slots"][std::string(names.counters()[i]->name())] = counts.slots[i];
  }
  return json;
}

Json line_json(const Line& line, SourceFiles& sources, bool functional) {
  Json json{{"file", line.file}, {"line", line.number}};
  std::string text = sources.line(line.file, line.number);
  if (text.empty() && line.code.size() == 1) text = line.code.front().first->text;
  json["text"] = text;
  json["functions"] = line.functions;
  json.update(counts_json(line.counts, functional));
  json["instructions"] = Json::array();
  for (const auto& [place, counts] : line.code) {
    Json one{{"text", place->text}};
    one.update(counts_json(counts, functional));
    json["instructions"].push_back(std::move(one));
  }
  return json;
}

}  // namespace

std::string profile_json(const Run& run, const machine::Profile& profile) {
  const machine::GpuConfig& config = run.gpu->config();
  const bool functional = machine::is_functional(config);
  Lines lines;
  for (const auto& program : profile.programs()) add(lines, *program);
  std::vector<const Line*> order;
  CodeCounts total;
  for (const auto& [where, line] : lines) {
    order.push_back(&line);
    total += line.counts;
  }
  const auto heat = [](const Line* line) {
    return std::pair(line->counts.cycles(), line->counts.warp_instructions);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](const Line* a, const Line* b) { return heat(a) > heat(b); });
  Json json;
  json["version"] = 1;
  json["program"] = run.program;
  json["gpu"] = machine::gpu_name(config);
  json["functional"] = functional;
  for (const machine::SummaryValue& value : machine::summarize(*run.gpu)) {
    if (std::string_view(value.name) == "time_us") json["time_us"] = value.value;
  }
  json["totals"] = counts_json(total, functional);
  json["lines"] = Json::array();
  SourceFiles sources;
  for (const Line* line : order) json["lines"].push_back(line_json(*line, sources, functional));
  json["run"] = Json::parse(run_json(run));
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace raddle::report
