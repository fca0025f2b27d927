// Survey propagation over all variables and clauses, or over worklists of them. See README.md.
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "common/comparison.h"
#include "common/data_path.h"
#include "common/generators.h"
#include "common/options.h"
#include "common/text_scanner.h"
#include "worklist_sp/reference.h"
#include "worklist_sp/topology.cuh"
#include "worklist_sp/walksat.h"
#include "worklist_sp/worklist_driver.cuh"

using namespace raddle::workloads;
using namespace raddle::workloads::sp;

namespace {

/// Defaults are those of LonestarGPU, except the number of variables (10,000 there).
struct Settings {
  WorklistOptions worklist;
  std::string input = "random";
  std::int64_t variables = 600;
  std::int64_t ratio_percent = 420;
  std::int64_t seed = 1;
  std::int64_t tolerance_permille = 10;
  std::int64_t decimate_percent = 1;
  std::int64_t damping_percent = 30;
  std::int64_t rounds = 1000;
  std::int64_t decimations = 1 << 30;
  std::int64_t flips = 2000000;
};

/// The relative error of a product of tens of factors in single precision.
constexpr double kRounding = 1e-4;
/// Surveys are trivial when the mean warning of a variable is smaller (LonestarGPU's "paramagnet").
constexpr double kTrivial = 0.01;

struct Outcome {
  bool right = true;  // all checks so far succeeded
  std::vector<signed char> values;
  const char* end = "";
  unsigned decimations = 0;
  unsigned checked = 0;  // how often surveys converged and were checked
};

/// For the topology-driven form: its last round updates all surveys. A clause computes its survey
/// from the surveys that it reads. These differ from the final surveys by at most the tolerance, so
/// each survey must lie in Reference::ranges(), plus an error of damping. Damping keeps a share of
/// the previous survey, which may be off by twice the tolerance.
bool check_ranges(const Reference& reference, const std::vector<float>& surveys,
                  const FactorGraph& graph) {
  const double kept = graph.damping / (1 - graph.damping);
  const double most = 2 * graph.tolerance * kept + kRounding;
  const std::vector<Reference::Range> ranges = reference.ranges(surveys, graph.tolerance);
  for (unsigned e = 0; e < surveys.size(); ++e) {
    if (!reference.is_open(e)) continue;
    if (surveys[e] >= ranges[e].least - most && surveys[e] <= ranges[e].most + most) continue;
    std::printf("worklist_sp: WRONG survey of edge %u: expected %.6g to %.6g, found %.6g\n", e,
                ranges[e].least, ranges[e].most, surveys[e]);
    return false;
  }
  return true;
}

/// For the data-driven form: after a clause has read surveys, these may change any number of times,
/// each time by less than the tolerance. So no bound on the error follows. The worst root mean
/// square of a few hundred formulas was six tolerances. A much larger one shows that updates were
/// lost.
bool check_residuals(const Reference& reference, const std::vector<float>& surveys,
                     const FactorGraph& graph) {
  const double most = 10 * graph.tolerance / (1 - graph.damping) + kRounding;
  const double found = reference.residual(surveys);
  if (found <= most) return true;
  std::printf("worklist_sp: WRONG surveys: off by %.6g as a mean square, expected at most %.6g\n",
              found, most);
  return false;
}

/// Checks the sums of logarithms of the surveys that variables receive. Each logarithm is rounded.
bool check_sums(const Formula& formula, const Reference& reference,
                const std::vector<float>& surveys, const std::vector<Sums>& sums) {
  const std::vector<Products<double>> products = reference.products(surveys);
  for (unsigned v = 0; v < sums.size(); ++v) {
    if (!reference.is_open_variable(v)) continue;
    const double rounding =
        kRounding + 1e-6 * (formula.variable_begin[v + 1] - formula.variable_begin[v]);
    for (unsigned sign = 0; sign < 2; ++sign) {
      const Sum sum = sign == 0 ? sums[v].plain : sums[v].negated;
      const Product<double>& expected = products[v].sign[sign];
      const double logarithm = static_cast<double>(sum % kZero) * kUnit;
      const bool same = sum / kZero == expected.zeros &&
                        std::abs(logarithm + std::log(expected.others)) <= rounding;
      if (same || !(expected.others > 0)) continue;
      std::printf(
          "worklist_sp: WRONG sum of variable %u: expected %u zeros and %.6g, found %llu, %.6g\n",
          v, expected.zeros, -std::log(expected.others), sum / kZero, logarithm);
      return false;
    }
  }
  return true;
}

/// Compares the GPU's biases with those of the CPU.
bool check_biases(const Reference& reference, const std::vector<float>& surveys,
                  const std::vector<float>& biases) {
  const std::vector<float> expected_biases = reference.biases(surveys);
  for (unsigned v = 0; v < biases.size(); ++v) {
    if (std::abs(biases[v] - expected_biases[v]) <= kRounding) continue;
    std::printf("worklist_sp: WRONG bias of variable %u: expected %.6g, found %.6g\n", v,
                expected_biases[v], biases[v]);
    return false;
  }
  return true;
}

/// Assigns the open variables with the largest biases, and returns these variables.
std::vector<unsigned> decimate(DeviceFactorGraph& graph, const std::vector<float>& biases,
                               std::int64_t percent) {
  std::vector<int> values = graph.values.download();
  std::vector<unsigned> open;
  for (unsigned v = 0; v < values.size(); ++v) {
    if (values[v] < 0) open.push_back(v);
  }
  std::sort(open.begin(), open.end(), [&](unsigned a, unsigned b) {
    const float first = std::abs(biases[a]), second = std::abs(biases[b]);
    return first > second || (first == second && a < b);
  });
  const std::size_t count = values.size() * static_cast<std::size_t>(percent) / 100;
  open.resize(std::min(open.size(), std::max<std::size_t>(1, count)));
  for (unsigned v : open) values[v] = biases[v] > 0;
  graph.values.upload(values);
  return open;
}

/// Makes the literals of one-literal clauses true. Adds their variables to `units`. Returns false
/// if two of them contradict.
bool assign_units(const Formula& formula, DeviceFactorGraph& graph, std::vector<unsigned>& units) {
  std::vector<int> values(formula.num_variables, kUnassigned);
  for (unsigned a = 0; a < formula.num_clauses(); ++a) {
    if (formula.clause_begin[a + 1] - formula.clause_begin[a] != 1) continue;
    const Literal literal = formula.literals[formula.clause_begin[a]];
    int& value = values[variable_of(literal)];
    const int wanted = literal % 2 == 0;
    if (value == 1 - wanted) return false;
    if (value < 0) units.push_back(variable_of(literal));
    value = wanted;
  }
  if (!units.empty()) graph.values.upload(values);
  return true;
}

std::unique_ptr<Driver> make_driver(const WorklistOptions& options, const Formula& formula,
                                    const std::vector<float>& surveys, DeviceFactorGraph& graph) {
  if (options.topology()) return std::make_unique<TopologyDriver>(formula, surveys, graph);
  if (options.hardware()) return hardware_driver(options, formula, surveys, graph);
  return options.with_double([&](auto type) -> std::unique_ptr<Driver> {
    using List = typename decltype(type)::Type;
    return std::make_unique<WorklistDriver<List>>(formula, surveys, graph);
  });
}

Outcome propagate_surveys(const Formula& formula, const Settings& settings) {
  const float tolerance = static_cast<float>(settings.tolerance_permille) / 1000;
  const float damping = static_cast<float>(settings.damping_percent) / 100;
  const auto seed = static_cast<std::uint64_t>(settings.seed);
  DeviceFactorGraph graph(formula, tolerance, damping);
  const std::unique_ptr<Driver> driver = make_driver(
      settings.worklist, formula, random_floats(formula.num_edges(), 0, 1, seed), graph);
  Outcome outcome;
  unsigned rounds = 0;
  std::vector<unsigned> assigned;
  bool consistent = assign_units(formula, graph, assigned);
  for (;; ++outcome.decimations) {
    consistent = consistent && driver->propagate(assigned);
    outcome.end = "a contradiction";
    if (!consistent) break;
    if (!driver->converge(static_cast<unsigned>(settings.rounds), rounds)) {
      outcome.end = "surveys that do not converge";
      break;
    }
    const std::vector<int> values = graph.values.download();
    const Reference reference(formula, values);
    const std::vector<float> surveys = driver->surveys(), biases = driver->biases();
    outcome.end = "wrong surveys";
    const auto check = settings.worklist.topology() ? check_ranges : check_residuals;
    outcome.right = check(reference, surveys, graph.view()) &&
                    check_sums(formula, reference, surveys, graph.sums()) &&
                    check_biases(reference, surveys, biases);
    if (!outcome.right) break;
    ++outcome.checked;
    outcome.end = "trivial surveys";
    if (reference.mean_warning(surveys) < kTrivial) break;
    outcome.end = "the limit of decimations";
    if (outcome.decimations == static_cast<unsigned>(settings.decimations)) break;
    assigned = decimate(graph, biases, settings.decimate_percent);
  }
  for (int value : graph.values.download()) {
    outcome.values.push_back(static_cast<signed char>(value));
  }
  const auto open = std::count(outcome.values.begin(), outcome.values.end(), kUnassigned);
  std::printf(
      "worklist_sp: %zu of %u variables assigned in %u decimations and %u rounds, then %s\n",
      outcome.values.size() - static_cast<std::size_t>(open), formula.num_variables,
      outcome.decimations, rounds, outcome.end);
  return outcome;
}

/// Completes the values by local search. If that fails, the search may also change values that
/// survey propagation has assigned. Returns whether all clauses are satisfied.
bool complete(const Formula& formula, std::vector<signed char>& values, const Settings& settings) {
  std::vector<char> fixed;
  for (signed char value : values) fixed.push_back(value >= 0);
  const auto flips = static_cast<std::uint64_t>(settings.flips);
  const auto seed = static_cast<std::uint64_t>(settings.seed);
  if (walksat(formula, values, fixed, flips, seed)) return true;
  std::fill(fixed.begin(), fixed.end(), 0);
  return walksat(formula, values, fixed, flips, seed);
}

bool solve(const Formula& formula, const Settings& settings) {
  Outcome outcome = propagate_surveys(formula, settings);
  if (!outcome.right) return false;
  const std::string compared =
      std::to_string(outcome.checked) + " times surveys and biases are the CPU's";
  if (!complete(formula, outcome.values, settings)) {
    std::printf("worklist_sp: right as far as it got: %s; no assignment was found\n",
                compared.c_str());
    return true;
  }
  const std::size_t unsatisfied = count_unsatisfied(formula, outcome.values);
  if (unsatisfied != 0) {
    std::printf("worklist_sp: WRONG, %zu clauses are not satisfied\n", unsatisfied);
    return false;
  }
  std::printf("worklist_sp: right (%u clauses satisfied; %s)\n", formula.num_clauses(),
              compared.c_str());
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  Options options("worklist_sp", "satisfiability by survey propagation");
  settings.worklist.add_to(options, "block", false);
  options.add("--input", &settings.input, "random, or a DIMACS .cnf file");
  options.add("--variables", &settings.variables, 3, 1 << 22, "of a random formula");
  options.add("--ratio", &settings.ratio_percent, 1, 1000,
              "clauses for 100 variables of a random formula");
  options.add("--seed", &settings.seed, 0, INT64_MAX, "of the formula and the first surveys");
  options.add("--tolerance", &settings.tolerance_permille, 1, 500,
              "change of a survey, in thousandths, that does not matter");
  options.add("--decimate", &settings.decimate_percent, 0, 100,
              "percent of all variables that are assigned at a time, at least one");
  options.add(
      "--damping", &settings.damping_percent, 0, 99,
      "percent of a survey that an update keeps, so that parallel updates do not alternate");
  options.add("--rounds", &settings.rounds, 1, 1000000,
              "after a decimation, until surveys do not converge");
  options.add("--decimations", &settings.decimations, 0, 1 << 30,
              "after which local search goes on, even if surveys say more");
  options.add("--flips", &settings.flips, 0, 1000000000, "of the local search at the end");
  return run_workload(options, argc, argv, [&] {
    Formula formula;
    if (settings.input == "random") {
      const auto variables = static_cast<unsigned>(settings.variables);
      const auto clauses =
          static_cast<std::uint64_t>(settings.variables * settings.ratio_percent / 100);
      formula = random_formula(variables, static_cast<unsigned>(clauses),
                               static_cast<std::uint64_t>(settings.seed));
    } else {
      const std::string path = find_input(settings.input);
      formula = read_cnf(path, read_file(path));
    }
    std::printf("worklist_sp: %u variables, %u clauses\n", formula.num_variables,
                formula.num_clauses());
    return solve(formula, settings);
  });
}
