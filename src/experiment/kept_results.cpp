#include "experiment/kept_results.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "experiment/figures.h"
#include "experiment/machine_settings.h"

namespace raddle::experiment {
namespace {

using Json = nlohmann::ordered_json;
using Lines = std::map<std::string, std::string>;  // of settings, by path

/// Whether `paths` has the path itself, or GROUP.* for a group above it (bins, samples).
bool is_wanted(const std::string& path, const std::set<std::string>& paths) {
  if (paths.contains(path)) return true;
  for (std::size_t dot = path.rfind('.'); dot != path.npos && dot != 0;
       dot = path.rfind('.', dot - 1)) {
    if (paths.contains(path.substr(0, dot) + ".*")) return true;
  }
  return false;
}

Lines lines_of(const std::string& settings) {
  Lines lines;
  std::size_t begin = 0;
  while (begin < settings.size()) {
    const std::size_t end = std::min(settings.find('\n', begin), settings.size());
    const std::string line = settings.substr(begin, end - begin);
    const std::size_t path = line.starts_with('*') ? 1 : 0;
    lines[line.substr(path, line.find('=') - path)] = line;
    begin = end + 1;
  }
  return lines;
}

std::string text_of(const Lines& lines) {
  std::string text;
  for (const auto& [path, line] : lines) text.append(line).append("\n");
  return text;
}

/// A list of machines: the settings of a machine, or its differences from an earlier one.
class MachineList {
 public:
  std::size_t place(const std::string& settings) {
    const auto [at, fresh] = places_.try_emplace(settings, all_.size());
    if (!fresh) return at->second;
    const Lines lines = lines_of(settings);
    std::size_t like = all_.size(), fewest = lines.size();
    for (std::size_t n = 0; n < all_.size(); ++n) {
      if (!std::all_of(all_[n].begin(), all_[n].end(),
                       [&](const auto& line) { return lines.contains(line.first); })) {
        continue;
      }
      const std::size_t differing =
          static_cast<std::size_t>(std::count_if(lines.begin(), lines.end(), [&](const auto& line) {
            const auto other = all_[n].find(line.first);
            return other == all_[n].end() || other->second != line.second;
          }));
      if (differing < fewest) {
        like = n;
        fewest = differing;
      }
    }
    Json own = Json::array();
    for (const auto& [path, line] : lines) {
      if (like != all_.size()) {
        const auto other = all_[like].find(path);
        if (other != all_[like].end() && other->second == line) continue;
      }
      own.push_back(line);
    }
    json_.push_back(like == all_.size() ? Json{{"settings", own}}
                                        : Json{{"like", like}, {"settings", own}});
    all_.push_back(lines);
    return at->second;
  }
  const Json& json() const { return json_; }

 private:
  std::map<std::string, std::size_t> places_;
  std::vector<Lines> all_;
  Json json_ = Json::array();
};

std::vector<std::string> machines_in(const Json& json) {
  std::vector<Lines> all;
  std::vector<std::string> texts;
  for (const Json& one : json) {
    Lines lines = one.contains("like") ? all.at(one["like"].get<std::size_t>()) : Lines();
    std::string own;
    for (const Json& line : one.at("settings")) own.append(line.get<std::string>()).append("\n");
    for (auto& [path, line] : lines_of(own)) lines[path] = line;
    texts.push_back(text_of(lines));
    all.push_back(std::move(lines));
  }
  return texts;
}

StoredRun run_in(const Json& json, const std::vector<std::string>& machines,
                 const std::vector<Maker>& makers, const std::vector<std::string>& statistics) {
  StoredRun run;
  run.identity = {json.at("identity"), machines.at(json.at("machine").get<std::size_t>()),
                  json.at("behaviour")};
  run.program = json.at("program");
  run.variant = json.at("variant");
  run.scale = json.at("scale");
  run.command = json.at("command");
  run.seconds = json.at("seconds");
  run.maker = makers.at(json.at("maker").get<std::size_t>());
  run.numbers.emplace();
  const Json& numbers = json.at("numbers");
  for (std::size_t n = 0; n < numbers.size(); ++n) {
    if (!numbers[n].is_null()) (*run.numbers)[statistics.at(n)] = numbers[n].get<double>();
  }
  return run;
}

/// The numbers of a run that the file keeps.
std::map<std::string, double> numbers_of(const StoredRun& run, const std::set<std::string>& paths) {
  std::map<std::string, double> kept;
  Statistics statistics;
  statistics.add(run);
  for (const auto& [path, value] : *statistics.numbers(run.program, run.variant)) {
    if (is_wanted(path, paths)) kept[path] = value;
  }
  return kept;
}

std::size_t place_in(std::vector<Maker>& list, const Maker& item) {
  const auto place =
      static_cast<std::size_t>(std::find(list.begin(), list.end(), item) - list.begin());
  if (place == list.size()) list.push_back(item);
  return place;
}

/// One element on each line, so that people can read changes of the file.
std::string lines_text(const Json& list) {
  std::string text;
  for (const Json& element : list) text += (text.empty() ? "\n  " : ",\n  ") + element.dump();
  return "[" + text + "]";
}

}  // namespace

KeptResults::KeptResults(std::string file) : file_(std::move(file)) {
  try {
    read();
  } catch (const Json::exception& error) {
    fail("{}: {}", file_, error.what());
  } catch (const std::out_of_range&) {
    fail("{}: a run names a machine, maker or statistic that is not there", file_);
  }
}

void KeptResults::read() {
  std::ifstream in(file_);
  if (!in) return;
  const Json json = Json::parse(in);
  const std::vector<std::string> statistics = json.at("statistics");
  const std::vector<std::string> paths = json.at("paths");
  statistics_ = {paths.begin(), paths.end()};
  std::vector<Maker> makers;
  for (const Json& one : json.at("makers")) {
    makers.push_back({one.at("commit"), one.at("computer"), one.at("date")});
  }
  const std::vector<std::string> machines = machines_in(json.at("machines"));
  for (const Json& one : json.at("runs")) {
    runs_.push_back(run_in(one, machines, makers, statistics));
    const RunIdentity& identity = runs_.back().identity;
    places_.emplace(std::pair(identity.program, identity.behaviour), runs_.size() - 1);
  }
}

std::set<std::string> KeptResults::missing(const std::set<std::string>& paths) const {
  std::set<std::string> absent;
  std::set_difference(paths.begin(), paths.end(), statistics_.begin(), statistics_.end(),
                      std::inserter(absent, absent.end()));
  return absent;
}

std::optional<StoredRun> KeptResults::find(const RunIdentity& identity) const {
  if (!missing(required_).empty()) return std::nullopt;
  const auto [first, end] = places_.equal_range({identity.program, identity.behaviour});
  for (auto at = first; at != end; ++at) {
    const StoredRun& run = runs_[at->second];
    if (same_machine(run.identity.settings, identity.settings)) return run;
  }
  return std::nullopt;
}

std::optional<double> KeptResults::seconds_of(const std::string& program,
                                              const std::string& variant,
                                              const std::string& scale) const {
  for (const StoredRun& run : runs_) {
    if (run.program == program && run.variant == variant && run.scale == scale) return run.seconds;
  }
  return std::nullopt;
}

std::set<std::string> paths_of(const Experiment& experiment) {
  std::set<std::string> paths = {"core_mhz", "totals.cycles", "totals.time_us", "kernels.cycles",
                                 "totals.warp_instructions"};
  const auto add = [&](const Formula& formula) {
    for (const std::string& path : formula.paths()) paths.insert(path);
  };
  for (const Figure& figure : experiment.figures) add(figure.statistic);
  for (const Order& order : experiment.orders) add(order.statistic);
  for (const TimelineFigure& figure : experiment.timelines) paths.insert(figure.statistic + ".*");
  return paths;
}

std::string kept_text(const Experiment& experiment, const std::vector<StoredRun>& runs,
                      const KeptResults& before, const std::set<std::string>& paths) {
  std::vector<StoredRun> all = runs;
  for (const StoredRun& run : before.runs()) {
    if (run.scale != runs.front().scale) all.push_back(run);
  }
  std::vector<std::map<std::string, double>> numbers;
  std::set<std::string> names;
  for (const StoredRun& run : all) {
    if (run.exit_code != 0) fail("{}/{} failed: it is not kept", run.program, run.variant);
    numbers.push_back(numbers_of(run, paths));
    for (const auto& [path, value] : numbers.back()) names.insert(path);
  }
  MachineList machines;
  std::vector<Maker> makers;
  Json kept = Json::array();
  for (std::size_t n = 0; n < all.size(); ++n) {
    const StoredRun& run = all[n];
    Json row = Json::array();
    for (const std::string& path : names) {
      const auto at = numbers[n].find(path);
      row.push_back(at == numbers[n].end() ? Json(nullptr) : Json(at->second));
    }
    kept.push_back({{"program", run.program},
                    {"variant", run.variant},
                    {"scale", run.scale},
                    {"command", run.command},
                    {"seconds", std::round(run.seconds * 100) / 100},
                    {"maker", place_in(makers, run.maker)},
                    {"identity", run.identity.program},
                    {"machine", machines.place(run.identity.settings)},
                    {"behaviour", run.identity.behaviour},
                    {"numbers", std::move(row)}});
  }
  Json made = Json::array();
  for (const Maker& maker : makers) {
    made.push_back({{"commit", maker.commit}, {"computer", maker.computer}, {"date", maker.date}});
  }
  return fmt::format(
      "{{\n \"experiment\": {},\n \"paths\": {},\n \"statistics\": {},\n \"makers\": {},\n"
      " \"machines\": {},\n \"runs\": {}\n}}\n",
      Json(experiment.name).dump(), Json(paths).dump(), Json(names).dump(), lines_text(made),
      lines_text(machines.json()), lines_text(kept));
}

}  // namespace raddle::experiment
