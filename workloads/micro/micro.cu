// Microbenchmarks: what each part of a GPU takes, as a program sees it. See README.md.
#include <cuda_runtime.h>

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "common/options.h"
#include "micro/atomics.cuh"
#include "micro/bandwidth.cuh"
#include "micro/instructions.cuh"
#include "micro/launches.cuh"
#include "micro/memory_latency.cuh"
#include "micro/report.h"
#include "micro/shared_memory.cuh"

using namespace raddle::workloads;
using namespace raddle::workloads::micro;

namespace {

struct Group {
  const char* name;
  void (*measure)(Report&);
};

const std::vector<Group> kGroups = {
    {"memory", measure_memory_latencies},
    {"latency", AllInstructions::latencies},
    {"throughput", AllInstructions::throughputs},
    {"shared", measure_bank_conflicts},
    {"bandwidth",
     [](Report& report) {
       measure_shared_bandwidth(report);
       measure_bandwidths(report);
     }},
    {"atomic", measure_atomics},
    {"barrier", measure_barriers},
    {"launch", measure_launches},
    {"occupancy", measure_occupancy},
};

}  // namespace

int main(int argc, char** argv) {
  std::string only = "all";
  std::string json;
  std::vector<std::string> choices = {"all"};
  for (const Group& group : kGroups) choices.emplace_back(group.name);
  Options options("micro", "measures latencies and rates of each part of a GPU");
  options.add_choice("--variant", &only, choices, "group of measurements");
  options.add("--json", &json, "write the results to this file");
  return run_workload(options, argc, argv, [&] {
    Report report;
    for (const Group& group : kGroups) {
      if (only == "all" || only == group.name) group.measure(report);
    }
    if (!json.empty()) report.write_json(json, device_properties().name);
    return report.verdict();
  });
}
