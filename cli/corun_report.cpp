#include "corun_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace raddle::cli {
namespace {

/// From the program's start to the end of its last kernel, in microseconds.
double time_us(const corun::Share& share, double core_mhz) {
  return share.last_end < share.began
             ? 0.0
             : static_cast<double>(share.last_end - share.began) / core_mhz;
}

nlohmann::ordered_json json_of(const corun::Share& share, double core_mhz) {
  return {{"kernels", share.grids},
          {"warp_instructions", share.warp_instructions},
          {"thread_instructions", share.thread_instructions},
          {"cycles", share.busy},
          {"time_us", time_us(share, core_mhz)}};
}

}  // namespace

double CorunPart::ipc() const {
  return share.busy == 0
             ? 0.0
             : static_cast<double>(share.warp_instructions) / static_cast<double>(share.busy);
}

double CorunPart::slowdown() const {
  if (!alone || alone->busy == 0) return 0;
  return static_cast<double>(share.busy) / static_cast<double>(alone->busy);
}

corun::Share sum_of(const std::vector<corun::Share>& shares) {
  corun::Share sum;
  for (const corun::Share& one : shares) {
    if (sum.grids == 0) sum.began = one.began;
    sum.grids += one.grids;
    sum.warp_instructions += one.warp_instructions;
    sum.thread_instructions += one.thread_instructions;
    sum.faults += one.faults;
    sum.busy += one.busy;
    sum.last_end = std::max(sum.last_end, one.last_end);
    if (sum.fault.empty()) sum.fault = one.fault;
  }
  return sum;
}

std::optional<CorunSpeeds> speeds_of(const std::vector<CorunPart>& parts) {
  CorunSpeeds speeds;
  double least = 1e300, most = 0;
  for (const CorunPart& one : parts) {
    if (one.slowdown() == 0) return {};
    const double speed = 1 / one.slowdown();
    speeds.weighted_speedup += speed;
    least = std::min(least, speed);
    most = std::max(most, speed);
  }
  speeds.fairness = least / most;
  return speeds;
}

std::string corun_table(const std::vector<CorunPart>& parts, double core_mhz) {
  const bool alone = std::any_of(parts.begin(), parts.end(),
                                 [](const CorunPart& one) { return one.slowdown() != 0; });
  std::string text =
      fmt::format("{:<22} {:>4} {:>7} {:>13} {:>12} {:>6} {:>10}{}\n", "program", "exit", "kernels",
                  "instructions", "cycles", "IPC", "time [us]", alone ? "  slowdown" : "");
  for (std::size_t n = 0; n < parts.size(); ++n) {
    const CorunPart& one = parts[n];
    const std::string name = fmt::format("[{}] {}", n + 1, one.name).substr(0, 22);
    text += fmt::format("{:<22} {:>4} {:>7} {:>13} {:>12} {:>6.3f} {:>10.1f}", name, one.exit_code,
                        one.share.grids, one.share.warp_instructions, one.share.busy, one.ipc(),
                        time_us(one.share, core_mhz));
    if (alone)
      text += one.slowdown() == 0 ? "         -" : fmt::format("{:>10.3f}", one.slowdown());
    text += "\n";
  }
  if (const auto speeds = speeds_of(parts)) {
    text += fmt::format("weighted speedup {:.3f}, fairness {:.3f}\n", speeds->weighted_speedup,
                        speeds->fairness);
  }
  return text;
}

std::string corun_json(const std::vector<CorunPart>& parts, double core_mhz, const std::string& gpu,
                       const std::string& policy) {
  nlohmann::ordered_json json{{"gpu", gpu}, {"policy", policy}};
  json["programs"] = nlohmann::json::array();
  for (const CorunPart& one : parts) {
    nlohmann::ordered_json of{{"program", one.name}, {"exit_code", one.exit_code}};
    of.update(json_of(one.share, core_mhz));
    of["ipc"] = one.ipc();
    if (!one.share.fault.empty()) of["fault"] = one.share.fault;
    if (one.alone) of["alone"] = json_of(*one.alone, core_mhz);
    if (one.slowdown() != 0) of["slowdown"] = one.slowdown();
    json["programs"].push_back(std::move(of));
  }
  if (const auto speeds = speeds_of(parts)) {
    json["weighted_speedup"] = speeds->weighted_speedup;
    json["fairness"] = speeds->fairness;
  }
  return json.dump(2) + "\n";
}

}  // namespace raddle::cli
