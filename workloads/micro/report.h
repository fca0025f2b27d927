// Results of the microbenchmarks: printed for people, and written as JSON for `raddle fidelity`.
#pragma once

#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace raddle::workloads::micro {

class Report {
 public:
  /// A measured value; `name` is "group.what".
  void add(const std::string& name, double value, const std::string& unit) {
    results_.push_back({name, value, unit});
    std::printf("%-34s %12.6g %s\n", name.c_str(), value, unit.c_str());
    check(name, std::isfinite(value) && value > 0, "is not a positive number");
  }

  /// Checks a condition. The run fails if it does not hold.
  void check(const std::string& name, bool holds, const char* otherwise) {
    if (holds) return;
    std::printf("%s: WRONG: %s\n", name.c_str(), otherwise);
    right_ = false;
  }

  /// Prints the verdict. Returns whether all checks held.
  bool verdict() const {
    std::printf("micro: %s (%zu measurements)\n", right_ ? "right" : "WRONG", results_.size());
    return right_;
  }

  /// Adds a property that the runtime reports. `setting` is its name in a description.
  void add_device(const std::string& setting, double value) {
    device_.push_back({setting, value, ""});
  }

  /// {"gpu": ..., "device": {"gpu.sms": ...}, "results": [{"name": ..., "value": ..., "unit": ...},
  /// ...]}; names and units must have no character that JSON would escape.
  void write_json(const std::string& file, const std::string& gpu) const {
    std::FILE* out = std::fopen(file.c_str(), "w");
    if (out == nullptr) throw std::runtime_error("cannot write " + file);
    std::fprintf(out, "{\"gpu\": \"%s\", \"device\": {", gpu.c_str());
    const char* separator = "\n";
    for (const Result& property : device_) {
      std::fprintf(out, "%s  \"%s\": %.15g", separator, property.name.c_str(), property.value);
      separator = ",\n";
    }
    std::fprintf(out, "\n}, \"results\": [");
    separator = "\n";
    for (const Result& result : results_) {
      std::fprintf(out, "%s  {\"name\": \"%s\", \"value\": %.9g, \"unit\": \"%s\"}", separator,
                   result.name.c_str(), result.value, result.unit.c_str());
      separator = ",\n";
    }
    std::fprintf(out, "\n]}\n");
    const bool failed = std::ferror(out) != 0;
    if (std::fclose(out) != 0 || failed) throw std::runtime_error("cannot write " + file);
  }

 private:
  struct Result {
    std::string name;
    double value;
    std::string unit;
  };
  std::vector<Result> results_, device_;
  bool right_ = true;
};

}  // namespace raddle::workloads::micro
