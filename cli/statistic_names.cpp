#include "statistic_names.h"

#include <fmt/core.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/config.h"
#include "experiment/fingerprint.h"
#include "machine/gpu.h"
#include "machine/launch_log.h"
#include "machine/settings.h"
#include "memory/address_space.h"
#include "paths.h"
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

/// All names in the document of a run of this machine.
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

/// The members of a kernel's sum besides the machine's statistics, which are the ones of `merged`.
const Names kOfKernels = {"launches",
                          "time_us",
                          "cycles",
                          "warp_instructions",
                          "thread_instructions",
                          "completed",
                          "overlapped",
                          "statistics.cycles",
                          "statistics.grids",
                          "statistics.warp_instructions",
                          "statistics.thread_instructions",
                          "statistics.faults",
                          "statistics.ipc"};
const Names kOfAllKernels = {"kernels.cycles", "kernels.time_us", "kernels.launches",
                             "kernels.warp_instructions", "kernels.thread_instructions"};

/// The use of a path.
struct Use {
  std::string what;  // "the figure speedup"
  SourcePosition place;
  std::vector<std::string> variants;
  std::vector<std::string> workloads;
};

/// The names of machines; each machine is made only once.
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

[[noreturn]] void fail_unknown(const Use& use, const std::string& path, const Names& known) {
  constexpr std::size_t kMost = 3;
  std::vector<std::string> near = near_names(path, {known.begin(), known.end()});
  near.resize(std::min(near.size(), kMost));
  std::string names;
  for (const std::string& name : near) names.append(names.empty() ? "" : ", ").append(name);
  throw InputError(use.place,
                   fmt::format("{}: there is no statistic '{}'{}{} (docs/reference/statistics.md)",
                               use.what, path, names.empty() ? "" : "; did you mean ", names));
}

class Check {
 public:
  Check(const Experiment& experiment, const std::filesystem::path& root)
      : machines_(experiment), sources_(root) {}

  void path(const Use& use, const std::string& path) {
    if (use.variants.empty() || path.find(".bins.") != std::string::npos) return;
    const std::string part = path.substr(0, path.find('.'));
    if (part == "totals" || part == "units" || part == "merged") return of_machine(use, path);
    if (part == "values") return of_program(use, path, "values.", path.substr(7));
    if (part == "kernels") return of_kernel(use, path);
  }

 private:
  void of_machine(const Use& use, const std::string& path) {
    for (const std::string& variant : use.variants) {
      if (machines_.names(variant).contains(path)) return;
    }
    fail_unknown(use, path, machines_.names(use.variants.front()));
  }

  /// A name that the program chooses: its sources contain it, or a part with '_' from which it is
  /// put together ("_us").
  void of_program(const Use& use, const std::string& path, const std::string& prefix,
                  const std::string& name) {
    Names known;
    for (const std::string& workload : use.workloads) {
      if (!sources_.is_workload(workload) || sources_.mentions(workload, name)) return;
      for (const std::string& literal : sources_.literals_of(workload)) {
        if (literal.size() > 1 && ((literal.front() == '_' && name.ends_with(literal)) ||
                                   (literal.back() == '_' && name.starts_with(literal)))) {
          return;
        }
        known.insert(prefix + literal);
      }
    }
    fail_unknown(use, path, known);
  }

  /// kernels.cycles; kernels.NAME.cycles, NAME as in the source or as in PTX.
  void of_kernel(const Use& use, const std::string& path) {
    if (kOfAllKernels.contains(path)) return;
    const std::size_t name = std::string("kernels.").size();
    const std::size_t end = path.find('.', name);
    if (end == path.npos) fail_unknown(use, path, kOfAllKernels);
    const std::string kernel = path.substr(name, end - name), rest = path.substr(end + 1);
    if (!kernel.starts_with("_Z")) of_program(use, path, "kernels.", kernel);
    if (kOfKernels.contains(rest)) return;
    constexpr std::string_view kStatistics = "statistics.";
    if (rest.starts_with(kStatistics)) {
      const std::string merged = "merged." + rest.substr(kStatistics.size());
      for (const std::string& variant : use.variants) {
        if (machines_.names(variant).contains(merged)) return;
      }
    }
    Names known;
    for (const std::string& one : kOfKernels) known.insert(path.substr(0, end + 1) + one);
    fail_unknown(use, path, known);
  }

  Machines machines_;
  experiment::ProgramFingerprints sources_;
};

std::vector<std::string> workloads_of(const Experiment& experiment) {
  std::vector<std::string> names;
  for (const experiment::Program& program : experiment.programs) names.push_back(program.workload);
  return names;
}

}  // namespace

void check_statistic_names(const Experiment& experiment) {
  Check check(experiment, root());
  const std::vector<std::string> workloads = workloads_of(experiment);
  for (const Figure& figure : experiment.figures) {
    const Use use{"the figure " + figure.metric, figure.place, figure.variants, workloads};
    for (const std::string& path : figure.statistic.paths()) check.path(use, path);
  }
  for (const experiment::Order& order : experiment.orders) {
    const Use use{"the order '" + order.title + "'", order.place, order.variants, workloads};
    for (const std::string& path : order.statistic.paths()) check.path(use, path);
  }
  for (const experiment::TimelineFigure& figure : experiment.timelines) {
    const Use use{"the timeline " + figure.id, figure.place, figure.variants, workloads};
    check.path(use, figure.statistic + ".distance");
  }
}

}  // namespace raddle::cli
