#include "statistic_names.h"

#include <fmt/core.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/config.h"
#include "machine/gpu.h"
#include "machine/launch_log.h"
#include "machine/settings.h"
#include "memory/address_space.h"
#include "report/run_report.h"

namespace raddle::cli {
namespace {

using experiment::Experiment;
using experiment::Figure;
using experiment::Variant;
using Json = nlohmann::ordered_json;
using Names = std::set<std::string>;

void collect(const Json& json, const std::string& path, Names& names) {
  if (!json.is_object()) {
    names.insert(path);
    return;
  }
  for (const auto& [name, child] : json.items()) collect(child, path + "." + name, names);
}

/// All that the document of a run of this machine would have.
Names names_of(const Variant& variant) {
  const auto config = machine::load_gpu(variant.gpu);
  std::vector<std::string> settings;
  for (const experiment::Setting& setting : variant.settings) settings.push_back(setting.text);
  std::string mechanisms;
  for (const std::string& name : variant.mechanisms) {
    mechanisms.append(mechanisms.empty() ? "" : ",").append(name);
  }
  machine::change(*config, settings, mechanisms);
  memory::AddressSpace space(1 << 20);
  const machine::Gpu gpu(*config, space);
  const machine::LaunchLog nothing;
  report::Run run;
  run.gpu = &gpu;
  run.launches = &nothing;
  const Json document = Json::parse(report::statistics_json(run));
  Names names;
  for (const char* part : {"totals", "units", "merged"}) collect(document[part], part, names);
  return names;
}

bool is_of_the_machine(const std::string& path) {
  return path.find(".bins.") == std::string::npos &&
         (path.starts_with("totals.") || path.starts_with("units.") || path.starts_with("merged."));
}

/// Of machines, each of which is made once.
class Machines {
 public:
  explicit Machines(const Experiment& experiment) : experiment_(experiment) {}
  const Names& names(const std::string& variant) {
    const auto [at, fresh] = known_.try_emplace(variant);
    const Variant* described = experiment_.variant(variant);
    if (fresh && described != nullptr) at->second = names_of(*described);
    return at->second;
  }

 private:
  const Experiment& experiment_;
  std::map<std::string, Names> known_;
};

void check(const Figure& figure, const std::string& path, Machines& machines) {
  for (const std::string& variant : figure.variants) {
    if (machines.names(variant).contains(path)) return;
  }
  if (figure.variants.empty()) return;
  const Names& some = machines.names(figure.variants.front());
  const std::vector<std::string> near = near_names(path, {some.begin(), some.end()});
  throw InputError(
      figure.place,
      fmt::format("the figure {}: there is no statistic '{}'{}{} (docs/reference/statistics.md)",
                  figure.metric, path, near.empty() ? "" : "; did you mean ",
                  near.empty() ? "" : near.front()));
}

}  // namespace

void check_statistic_names(const Experiment& experiment) {
  Machines machines(experiment);
  for (const Figure& figure : experiment.figures) {
    for (const std::string& path : figure.statistic.paths()) {
      if (is_of_the_machine(path)) check(figure, path, machines);
    }
  }
}

}  // namespace raddle::cli
