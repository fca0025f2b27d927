// Makes a description from measurements of the microbenchmarks on a real GPU.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "base/config.h"
#include "base/error.h"
#include "base/print_error.h"
#include "base/temporary_file.h"
#include "fidelity.h"
#include "machine/config.h"
#include "machine/settings.h"
#include "progress.h"

namespace raddle::cli {
namespace {

struct Value {
  Value(double of, std::string in) : value(of), unit(std::move(in)) {}
  double value;
  std::string unit;
};
using NamedValues = std::map<std::string, Value>;

NamedValues results_of(const nlohmann::json& document, const std::string& file) {
  NamedValues results;
  for (const nlohmann::json& result : document.at("results")) {
    const auto name = result.at("name").get<std::string>();
    const auto value = result.at("value").get<double>();
    if (!(value > 0)) fail("{}: '{}' is {}: measurements are above 0", file, name, value);
    if (!results.try_emplace(name, value, result.at("unit").get<std::string>()).second) {
      fail("{}: '{}' is there twice", file, name);
    }
  }
  if (results.empty()) fail("{}: no measurements", file);
  return results;
}

/// The mean of each measurement over the files that have it. The files should be of one GPU.
NamedValues means_of(const std::vector<nlohmann::json>& documents,
                     const std::vector<std::string>& files) {
  NamedValues sums;
  std::map<std::string, double> counts;
  for (std::size_t n = 0; n < documents.size(); ++n) {
    if (documents[n].at("gpu") != documents.front().at("gpu")) {
      fail("{}: measured on {}, but {} on {}", files[n], documents[n].at("gpu").dump(),
           files.front(), documents.front().at("gpu").dump());
    }
    for (const auto& [name, value] : results_of(documents[n], files[n])) {
      const auto [sum, added] = sums.try_emplace(name, 0, value.unit);
      if (sum->second.unit != value.unit) {
        fail("{}: '{}' is in {}: should be in {}", files[n], name, value.unit, sum->second.unit);
      }
      sum->second.value += value.value;
      ++counts[name];
    }
  }
  for (auto& [name, sum] : sums) sum.value /= counts[name];
  return sums;
}

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
  fail("{}: not what workloads/micro writes with --json: {}", file, why);
}

nlohmann::json read_json(const std::string& file) {
  std::ifstream in(file);
  if (!in || std::filesystem::is_directory(file)) fail("cannot read {}", file);
  try {
    return nlohmann::json::parse(in);
  } catch (const nlohmann::json::exception& error) {
    refuse(file, error.what());
  }
}

double number_of(const FieldBase& field) { return std::strtod(field.text().c_str(), nullptr); }

/// A description made from another one and from measurements.
class Native {
 public:
  /// `documents`: output of workloads/micro, from one run or several; `files`: their names.
  Native(const std::string& base, const std::vector<nlohmann::json>& documents,
         const std::vector<std::string>& files)
      : base_(base), file_(files.front()), config_(machine::load_gpu(base)) {
    const nlohmann::json& document = documents.front();
    results_ = means_of(documents, files);
    assume(*config_);
    const double bus = bus_of_description();
    set("gpu.name", document.at("gpu").get<std::string>(), "the runtime");
    if (document.contains("device")) {
      for (const auto& [setting, value] : document.at("device").items()) {
        set(setting, fmt::format("{:.0f}", value.get<double>()), "the runtime");
      }
    }
    fit_memory(bus_of_description() / bus);
  }

  /// Changes each setting by the error of its measurement, until the simulated GPU measures the
  /// same. This takes several rounds, since loads pass several units.
  void fit(const std::map<std::string, std::string>& inputs) {
    constexpr int kRounds = 6;
    Progress progress(kRounds, "rounds of microbenchmarks");
    for (int round = 0; round < kRounds; ++round) {
      progress.begin(fmt::format("round {}", round + 1));
      const NamedValues simulated = simulate();
      if (round == 0) compare_with(simulated);
      if (round == kRounds - 1) return tell_what_is_off(inputs, simulated);
      std::set<std::string> done;
      // The change of a load's latency before it reaches DRAM: in L2, and on the link of its
      // halves.
      double behind = 0;
      std::vector<std::pair<std::string, std::string>> last;
      for (const auto& [measurement, setting] : inputs) {
        const NamedValues::const_iterator native = results_.find(measurement),
                                          ours = simulated.find(measurement);
        if (native == results_.end() || ours == simulated.end()) continue;
        if (!fits(measurement) || stated_.contains(setting)) continue;
        if (!done.insert(setting).second) continue;
        if (measurement == "memory.dram") {
          last.emplace_back(measurement, setting);
          continue;
        }
        if (measurement == "atomic.global_alone") {
          adjust(setting, measurement, nearest_atomic(results_), nearest_atomic(simulated), 0);
          continue;
        }
        const double change = adjust(setting, measurement, native->second, ours->second, 0);
        if (measurement == "memory.l2" || measurement == "memory.l2_large") behind += change;
      }
      for (const auto& [measurement, setting] : last) {
        adjust(setting, measurement, results_.at(measurement), simulated.at(measurement), behind);
      }
      keep_copies_whole();
    }
  }

  /// Sets "unit.field=value", known from elsewhere: no measurement changes it.
  void state(const std::string& setting) {
    const auto [path, value] = machine::split_setting(setting);
    set(path, value, "stated");
    stated_.insert(path);
  }

  void tell_what_is_assumed() const {
    std::map<std::string, unsigned> assumed;  // by unit
    unsigned all = 0, known = 0;
    count(*config_, assumed, all, known);
    std::string units;
    for (const auto& [unit, number] : assumed) {
      units += fmt::format("{}{} {}", units.empty() ? "" : ", ", number, unit);
    }
    print_error("raddle: {} settings are measured or stated; {} are as those of {}: {}\n", known,
                all - known, base_, units);
  }

  std::string toml() const {
    std::string text = fmt::format(
        "# {}, as workloads/micro measured it; the rest is as {}.\n\n"
        "# \"assumed\": not measured here.\n",
        config_->field("gpu.name").text(), base_);
    write(*config_, text);
    return text;
  }

 private:
  /// Whether the measurement changes by a cycle when its setting does. Latencies of conflicts do
  /// for two lanes on a bank. There may be no read-only cache, or no halves of the L2 cache.
  bool fits(const std::string& measurement) const {
    if (measurement == "memory.read_only") return number_of(config_->field("read_only.sets")) != 0;
    if (measurement == "memory.l2_large") return number_of(config_->field("l2.halves")) == 2;
    if (measurement == "atomic.shared_1") return true;
    // A barrier of up to four warps takes equally long here: each warp has its own scheduler.
    if (measurement == "barrier.threads_32") return !results_.contains("barrier.threads_128");
    const bool conflicts =
        measurement.starts_with("shared.stride_") || measurement.starts_with("atomic.shared_");
    return !conflicts || measurement.ends_with("_2");
  }

  /// Each of these measurements uses another word, which may lie in the near or the far half of the
  /// L2 cache. The smallest value is of a near one.
  static Value nearest_atomic(const NamedValues& results) {
    Value least = results.at("atomic.global_alone");
    for (const char* other : {"atomic.global_1", "atomic.global_2", "atomic.global_4"}) {
      const auto found = results.find(other);
      if (found != results.end()) least.value = std::min(least.value, found->second.value);
    }
    return least;
  }

  /// Compares with the measurements of a simulated GPU, which are all that workloads/micro can
  /// make.
  void compare_with(const NamedValues& simulated) const {
    std::size_t known = 0;
    for (const auto& [name, native] : results_) {
      const auto ours = simulated.find(name);
      if (ours == simulated.end()) {
        print_error("raddle: {}: '{}' is left out: a GPU as {} measures nothing of that name\n",
                    file_, name, base_);
        continue;
      }
      ++known;
      if (native.unit != ours->second.unit) {
        fail("{}: '{}' is in {}: should be in {}", file_, name, native.unit, ours->second.unit);
      }
    }
    if (known == 0) fail("{}: no measurement of workloads/micro", file_);
  }

  void tell_what_is_off(const std::map<std::string, std::string>& inputs,
                        const NamedValues& simulated) const {
    for (const auto& [measurement, setting] : inputs) {
      const NamedValues::const_iterator native = results_.find(measurement),
                                        ours = simulated.find(measurement);
      if (native == results_.end() || ours == simulated.end()) continue;
      if (std::abs(ours->second.value / native->second.value - 1) <= 0.05) continue;
      print_error("raddle: {} is {:.4g} there, and {:.4g} on a GPU so described ({} = {})\n",
                  measurement, native->second.value, ours->second.value, setting,
                  config_->field(setting).text());
    }
  }

  void set(const std::string& path, const std::string& value, const std::string& source) {
    FieldBase& field = config_->field(path);
    field.set(value);
    field.set_source(source);
    if (path == "sm.threads") {
      config_->set("sm.warps", fmt::format("{:.0f}", number_of(field) / 32));
      config_->field("sm.warps").set_source(source);
    }
  }

  double bus_of_description() const {
    return number_of(config_->field("gpu.memory_bus_bits")) *
           number_of(config_->field("gpu.dram_mhz"));
  }

  /// Sets as many channels as the width of the bus allows. `speed`: memory bandwidth, relative to
  /// the GPU `base`.
  void fit_memory(double speed) {
    for (const char* rate : {"host.memset_bandwidth", "host.device_copy"}) {
      if (speed == 1) break;
      set(rate, fmt::format("{:.4g}", speed * number_of(config_->field(rate))),
          fmt::format("assumed: as {}, by the bandwidth of memory", base_));
    }
    const double bits = number_of(config_->field("gpu.memory_bus_bits"));
    const double per_channel = 128 / (number_of(config_->field("dram.burst")) *
                                      number_of(config_->field("dram.clock_divisor")));
    set("dram.channels", fmt::format("{:.0f}", bits / per_channel),
        fmt::format("assumed: {:.0f} bits a channel, as {}", per_channel, base_));
  }

  NamedValues simulate() const {
    const TemporaryFile description, results;
    std::ofstream(description.path()) << toml();
    RunOptions options;
    options.gpu = description.path();
    options.quiet = true;
    std::set<std::string> groups;
    for (const auto& [measurement, value] : results_) {
      groups.insert(measurement.substr(0, measurement.find('.')));
    }
    const std::string group = groups.size() == 1 ? *groups.begin() : "all";
    run_silently(options, "micro", {"--variant", group, "--json", results.path()});
    return results_of(nlohmann::json::parse(results.content()), "microbenchmarks");
  }

  /// The time for which a copy holds its engine is part of the copy's latency, and so at most equal
  /// to it.
  void keep_copies_whole() {
    const FieldBase& setup = config_->field("host.copy_setup");
    FieldBase& latency = config_->field("host.pcie_latency");
    if (number_of(latency) >= number_of(setup)) return;
    latency.set(setup.text());
    latency.set_source(setup.source());
  }

  /// Returns the error of the setting's measurement.
  double adjust(const std::string& setting, const std::string& measurement, const Value& native,
                const Value& ours, double behind) {
    FieldBase& field = config_->field(setting);
    double value = number_of(field);
    const double change = native.value - ours.value;
    if (native.unit == "cycles") {
      value += change - behind;
    } else if (native.unit == "us") {  // settings are in nanoseconds
      value += 1000 * change;
    } else if (native.unit.starts_with("results/") || native.unit.starts_with("adds/")) {
      value *= ours.value / native.value;
      const double below = std::max(1.0, std::floor(value));  // whole, with the least error
      value = value * value < below * (below + 1) ? below : below + 1;
    } else if (native.unit == "GB/s") {
      value *= native.value / ours.value;
    } else {
      return 0;
    }
    const bool whole = native.unit != "GB/s" || setting == "host_bus.reads";
    field.set(whole ? fmt::format("{:.0f}", std::max(1.0, std::round(value)))
                    : fmt::format("{:.4g}", value));
    field.set_source(fmt::format("measured: {} {:.4g} {}", measurement, native.value, native.unit));
    return change;
  }

  void assume(const ConfigGroup& group) const {
    for (FieldBase* field : group.fields()) {
      const std::string before = field->source();
      if (before.starts_with("assumed")) continue;
      field->set_source(before.empty() ? "assumed: as " + base_
                                       : fmt::format("assumed: as {} ({})", base_, before));
    }
    for (const ConfigGroup* inner : group.groups()) assume(*inner);
  }

  static void count(const ConfigGroup& group, std::map<std::string, unsigned>& assumed,
                    unsigned& all, unsigned& known) {
    for (const FieldBase* field : group.fields()) {
      ++all;
      if (field->source().starts_with("assumed")) {
        ++assumed[group.path()];
      } else {
        ++known;
      }
    }
    for (const ConfigGroup* inner : group.groups()) count(*inner, assumed, all, known);
  }

  static std::string quoted(const std::string& text) {
    std::string quoted = "\"";
    for (const char letter : text) {
      if (letter == '"' || letter == '\\') quoted += '\\';
      quoted += letter;
    }
    return quoted + "\"";
  }

  static std::string value_of(const FieldBase& field) {
    const std::string text = field.text();
    char* end = nullptr;
    std::strtod(text.c_str(), &end);
    const bool plain = !text.empty() && (*end == '\0' || text == "true" || text == "false");
    return plain && field.name() != "name" ? text : quoted(text);
  }

  static void write(const ConfigGroup& group, std::string& text) {
    if (!group.fields().empty() && !group.path().empty()) {
      text += fmt::format("\n[{}]\n", group.path());
      for (const FieldBase* field : group.fields()) {
        text += fmt::format("{} = {{ value = {}, source = {} }}\n", field->name(), value_of(*field),
                            quoted(field->source()));
      }
    }
    for (const ConfigGroup* inner : group.groups()) write(*inner, text);
  }

  const std::string base_, file_;
  std::unique_ptr<machine::GpuConfig> config_;
  NamedValues results_;
  std::set<std::string> stated_;
};

}  // namespace

std::string native_description(const std::string& base, const std::vector<std::string>& files,
                               const std::vector<std::string>& stated,
                               const std::map<std::string, std::string>& inputs) {
  std::vector<nlohmann::json> documents;
  for (const std::string& file : files) documents.push_back(read_json(file));
  try {
    Native native(base, documents, files);
    for (const std::string& setting : stated) native.state(setting);
    native.fit(inputs);
    native.tell_what_is_assumed();
    return native.toml();
  } catch (const nlohmann::json::exception& error) {
    refuse(files.front(), error.what());
  }
}

}  // namespace raddle::cli
