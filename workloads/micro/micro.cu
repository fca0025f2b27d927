// Microbenchmarks: the latency and throughput of each part of a GPU, as a program sees them. See
// README.md.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "common/options.h"
#include "micro/atomics.cuh"
#include "micro/bandwidth.cuh"
#include "micro/bus.cuh"
#include "micro/contended.cuh"
#include "micro/core_clock.cuh"
#include "micro/device.h"
#include "micro/host_calls.cuh"
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
    {"latency", [](Report& report) { measure_latencies(report, AllInstructions()); }},
    {"throughput", [](Report& report) { measure_throughputs(report, AllInstructions()); }},
    {"shared", measure_bank_conflicts},
    {"bandwidth",
     [](Report& report) {
       measure_shared_bandwidth(report);
       measure_bandwidths(report);
     }},
    {"atomic", measure_atomics},
    {"contended", measure_contention},
    {"barrier", measure_barriers},
    {"launch", measure_launches},
    {"host", measure_host_calls},
    {"bus", measure_bus},
    {"occupancy", measure_occupancy},
};

/// Reports the settings of a description that the runtime knows.
void describe_device(Report& report) {
  const std::vector<std::pair<const char*, cudaDeviceAttr>> attributes = {
      {"gpu.compute_major", cudaDevAttrComputeCapabilityMajor},
      {"gpu.compute_minor", cudaDevAttrComputeCapabilityMinor},
      {"gpu.sms", cudaDevAttrMultiProcessorCount},
      {"gpu.memory_bus_bits", cudaDevAttrGlobalMemoryBusWidth},
      {"sm.threads", cudaDevAttrMaxThreadsPerMultiProcessor},
      {"sm.blocks", cudaDevAttrMaxBlocksPerMultiprocessor},
      {"sm.registers", cudaDevAttrMaxRegistersPerMultiprocessor},
      {"sm.shared_bytes", cudaDevAttrMaxSharedMemoryPerMultiprocessor},
      {"sm.shared_per_block", cudaDevAttrMaxSharedMemoryPerBlock},
      {"sm.shared_per_block_optin", cudaDevAttrMaxSharedMemoryPerBlockOptin},
      {"sm.shared_reserved", cudaDevAttrReservedSharedMemoryPerBlock},
  };
  int value = 0;
  for (const auto& [setting, attribute] : attributes) {
    CHECK_CUDA(cudaDeviceGetAttribute(&value, attribute, 0));
    report.add_device(setting, value);
  }
  report.add_device("gpu.core_mhz", std::round(core_mhz()));
  CHECK_CUDA(cudaDeviceGetAttribute(&value, cudaDevAttrMemoryClockRate, 0));
  report.add_device("gpu.dram_mhz", std::round(value / 1e3));
  report.add_device("gpu.memory_bytes", static_cast<double>(device_properties().totalGlobalMem));
}

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
    describe_device(report);
    if (!json.empty()) report.write_json(json, device_properties().name);
    return report.verdict();
  });
}
