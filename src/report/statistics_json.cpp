#include <sys/resource.h>

#include <nlohmann/json.hpp>

#include "base/output_file.h"
#include "machine/config.h"
#include "machine/summary.h"
#include "report/run_report.h"

namespace raddle::report {

using Json = nlohmann::ordered_json;

namespace {

Json dimensions(const Dim3& size) { return {size.x, size.y, size.z}; }

Json kernel_json(const machine::GridRecord& kernel) {
  return {{"name", kernel.kernel},
          {"grid", dimensions(kernel.grid)},
          {"block", dimensions(kernel.block)},
          {"stream", kernel.stream},
          {"queued_cycle", kernel.queued},
          {"start_cycle", kernel.start_cycle},
          {"cycles", kernel.end_cycle - kernel.start_cycle},
          {"warp_instructions", kernel.warp_instructions},
          {"thread_instructions", kernel.thread_instructions},
          {"completed", kernel.completed}};
}

/// Every counter, unit by unit. Units of one name that lie side by side become a list.
Json tree_json(const StatGroup& group) {
  Json json = Json::object();
  for (const Counter* counter : group.counters()) {
    json[std::string(counter->name())] = counter->value();
  }
  for (const StatGroup* child : group.children()) {
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

Json totals_json(const machine::Gpu& gpu) {
  Json json = Json::object();
  for (const machine::SummaryValue& value : machine::summarize(gpu)) {
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
  Json json;
  json["version"] = 1;
  json["program"] = run.program;
  json["gpu"] = machine::gpu_name(config);
  json["functional"] = machine::is_functional(config);
  json["mechanisms"] = run.mechanisms;
  json["kernels"] = Json::array();
  for (const machine::GridRecord& kernel : run.kernels) {
    json["kernels"].push_back(kernel_json(kernel));
  }
  json["totals"] = totals_json(*run.gpu);
  json["units"] = tree_json(run.gpu->statistics());
  json["host"] = {{"wall_seconds", run.wall_seconds}, {"peak_rss_bytes", peak_rss_bytes()}};
  for (const machine::HostTime& time : run.gpu->host_times()) {
    json["host"]["units"][time.unit] = time.seconds;
  }
  return json.dump(1) + "\n";
}

void write_statistics(const std::string& file, const Run& run) {
  write_file(file, statistics_json(run));
}

}  // namespace raddle::report
