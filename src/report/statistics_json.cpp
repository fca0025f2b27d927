#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "machine/chip.h"
#include "machine/config.h"
#include "machine/summary.h"
#include "report/provenance.h"
#include "report/run_report.h"

namespace raddle::report {

using Json = nlohmann::ordered_json;

namespace {

double time_us(const machine::Gpu& gpu, Cycle cycles) { return gpu.nanoseconds(cycles) / 1e3; }

Json number_json(const StatFigure& figure) {
  if (std::isnan(figure.value)) return nullptr;  // no value
  if (figure.whole) return static_cast<std::uint64_t>(figure.value);
  return figure.value;
}

/// A statistic that shows one figure is a number, others are objects.
Json figures_json(const std::vector<StatFigure>& figures) {
  if (figures.size() == 1 && figures[0].part.empty()) return number_json(figures[0]);
  Json json = Json::object();
  for (const StatFigure& figure : figures) {
    const std::size_t dot = figure.part.find('.');
    if (dot == std::string::npos) {
      json[figure.part] = number_json(figure);
    } else {
      json[figure.part.substr(0, dot)][figure.part.substr(dot + 1)] = number_json(figure);
    }
  }
  return json;
}

/// Every statistic, unit by unit. Neighbouring units of one name become a list. Units named in
/// `first` come first.
Json tree_json(const StatGroup& group, const std::vector<std::string>& first = {}) {
  Json json = Json::object();
  for (const Statistic* statistic : group.statistics()) {
    json[std::string(statistic->name())] = figures_json(figures(*statistic));
  }
  std::vector<const StatGroup*> children = group.children();
  std::stable_partition(children.begin(), children.end(), [&](const StatGroup* child) {
    return std::find(first.begin(), first.end(), child->name()) != first.end();
  });
  for (const StatGroup* child : children) {
    Json& place = json[child->name()];
    if (place.is_null()) {
      place = tree_json(*child);
    } else {
      if (!place.is_array()) place = Json::array({place});
      place.push_back(tree_json(*child));
    }
  }
  return json;
}

/// Every statistic, with the units of a kind merged. `value(entry)` makes the value of each.
template <class Value>
Json merged_tree(const MergedStats& form, Value value) {
  Json json = Json::object();
  for (const MergedStats::Entry& entry : form.entries()) {
    Json* place = &json;
    for (std::size_t at = 0; at < entry.unit.size();) {
      const std::size_t end = std::min(entry.unit.find('.', at), entry.unit.size());
      place = &(*place)[entry.unit.substr(at, end - at)];
      at = end + 1;
    }
    (*place)[std::string(entry.statistic->name())] = value(entry);
  }
  return json;
}

Json merged_json(const MergedStats& form, const MergedStats::State& state) {
  return merged_tree(form, [&](const MergedStats::Entry& entry) {
    return figures_json(form.figures(entry, state));
  });
}

/// The same as text, for many states of one form: the text between the values is made once.
class MergedText {
 public:
  explicit MergedText(const MergedStats& form) : form_(form) {
    const MergedStats::Entry* const first = form.entries().data();
    const std::string text =
        merged_tree(form, [&](const MergedStats::Entry& entry) { return &entry - first; }).dump();
    // A number follows each name's quote and colon.
    std::size_t begin = 0;
    for (std::size_t at = text.find("\":"); at != std::string::npos; at = text.find("\":", at)) {
      at += 2;
      std::size_t entry = 0;
      const char* const value = text.data() + at;
      const auto end = std::from_chars(value, text.data() + text.size(), entry).ptr;
      if (end == value) continue;  // a unit
      parts_.push_back({text.substr(begin, at - begin), first + entry});
      begin = static_cast<std::size_t>(end - text.data());
    }
    end_ = text.substr(begin);
  }

  void add_to(std::string& text, const MergedStats::State& state) const {
    for (const Part& part : parts_) {
      text += part.before;
      add_figures(text, form_.figures(*part.entry, state));
    }
    text += end_;
  }

 private:
  struct Part {
    std::string before;
    const MergedStats::Entry* entry;
  };
  static void add_figures(std::string& text, const std::vector<StatFigure>& figures) {
    const bool count = figures.size() == 1 && figures[0].part.empty() && figures[0].whole &&
                       !std::isnan(figures[0].value);
    if (count) {  // most figures are counts
      fmt::format_to(std::back_inserter(text), "{}", static_cast<std::uint64_t>(figures[0].value));
    } else {
      text += figures_json(figures).dump();
    }
  }

  const MergedStats& form_;
  std::vector<Part> parts_;
  std::string end_;
};

Json merged_json(const StatGroup& root) {
  const MergedStats form(root);
  MergedStats::State state;
  form.read(state);
  return merged_json(form, state);
}

/// The sums over all launches of each kernel.
Json kernel_sums(const Run& run, bool timed) {
  Json json = Json::array();
  for (const machine::KernelSum& kernel : run.launches->kernels()) {
    Json& one = json.emplace_back(Json{{"name", kernel.name}, {"launches", kernel.launches}});
    if (timed) one["time_us"] = time_us(*run.gpu, kernel.running);
    one["cycles"] = kernel.cycles;
    one["warp_instructions"] = kernel.warp_instructions;
    one["thread_instructions"] = kernel.thread_instructions;
    one["completed"] = kernel.completed;
    if (kernel.statistics.empty()) continue;
    one["overlapped"] = kernel.overlapped;
    one["statistics"] = merged_json(*run.launches->form(), kernel.statistics);
  }
  return json;
}

/// The elements of `kernels`, one on each line. There may be a million: they are never made a tree.
std::string launch_lines(const Run& run, bool timed) {
  std::vector<std::string> names;  // quoted
  for (const machine::KernelSum& kernel : run.launches->kernels()) {
    names.push_back(Json(kernel.name).dump());
  }
  std::optional<MergedText> statistics;
  if (run.launches->form() != nullptr) statistics.emplace(*run.launches->form());
  std::string text;
  auto out = std::back_inserter(text);
  for (const machine::LaunchLog::One& one : run.launches->each()) {
    fmt::format_to(out,
                   "{}\n  {{\"name\": {}, \"grid\": [{}, {}, {}], \"block\": [{}, {}, {}], "
                   "\"stream\": {}, \"queued_cycle\": {}, \"start_cycle\": {}, ",
                   text.empty() ? "" : ",", names[one.kernel], one.grid.x, one.grid.y, one.grid.z,
                   one.block.x, one.block.y, one.block.z, one.stream, one.queued, one.start_cycle);
    if (timed) {
      fmt::format_to(out, "\"time_us\": {}, ", time_us(*run.gpu, one.end_cycle - one.start_cycle));
    }
    fmt::format_to(out,
                   "\"cycles\": {}, \"warp_instructions\": {}, \"thread_instructions\": {}, "
                   "\"completed\": {}",
                   one.cycles, one.warp_instructions, one.thread_instructions, one.completed);
    if (run.launches->form() != nullptr) {
      fmt::format_to(out, ", \"overlapped\": {}", one.overlapped);
    }
    if (one.statistics != nullptr) {
      text += ", \"statistics\": ";
      statistics->add_to(text, *one.statistics);
    }
    text += '}';
  }
  return text;
}

Json totals_json(const Run& run) {
  Json json = Json::object();
  for (const machine::SummaryValue& value : machine::summarize(*run.gpu, run.program_us)) {
    if (value.count) {
      json[value.name] = static_cast<std::uint64_t>(value.value);
    } else {
      json[value.name] = value.value;
    }
  }
  return json;
}

std::uint64_t peak_rss_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace

std::string statistics_json(const Run& run) {
  const machine::GpuConfig& config = run.gpu->config();
  const bool timed = !machine::is_functional(config);
  Json head;
  head["version"] = 1;
  head["program"] = run.program;
  head["gpu"] = machine::gpu_name(config);
  head["core_mhz"] = core_mhz(config);
  head["functional"] = !timed;
  head["mechanisms"] = run.mechanisms;
  head["kernel_sums"] = kernel_sums(run, timed);
  if (!run.values.empty()) head["values"] = run.values;
  Json tail;
  tail["totals"] = totals_json(run);
  tail["units"] = tree_json(run.gpu->statistics(), run.mechanisms);
  tail["merged"] = merged_json(run.gpu->statistics());
  tail["host"] = {{"wall_seconds", run.wall_seconds},
                  {"simulating_seconds", run.simulating_seconds},
                  {"peak_rss_bytes", peak_rss_bytes()}};
  for (const machine::HostTime& time : run.gpu->host_times()) {
    tail["host"]["units"][time.unit] = time.seconds;
  }
  // Joins two objects into one, with the launches in between.
  std::string text = head.dump(1, ' ', false, Json::error_handler_t::replace);
  text.resize(text.size() - std::string_view("\n}").size());
  if (run.launches->keeps_each()) {
    text += ",\n \"kernels\": [" + launch_lines(run, timed) + "\n ]";
  }
  tail["run"] = Json::parse(run_json(run));
  return text + "," + tail.dump(1, ' ', false, Json::error_handler_t::replace).substr(1) + "\n";
}

}  // namespace raddle::report
