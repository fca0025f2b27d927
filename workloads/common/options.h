#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace raddle::workloads {

/// A wrong command line.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The command line of a workload: options "--name VALUE" or "--name=VALUE", and flags. Each option
/// writes to a variable of the caller. Its value before parsing is the default.
class Options {
 public:
  Options(std::string program, std::string summary);

  void add(const std::string& name, std::string* value, const std::string& help);
  /// Values outside low..high are usage errors.
  void add(const std::string& name, std::int64_t* value, std::int64_t low, std::int64_t high,
           const std::string& help);
  void add_choice(const std::string& name, std::string* value, std::vector<std::string> choices,
                  const std::string& help);
  void add_flag(const std::string& name, bool* value, const std::string& help);

  /// Returns false for --help. Throws UsageError.
  bool parse(int argc, const char* const* argv) const;
  std::string help() const;

 private:
  struct Option {
    std::string name;
    std::string value_name;  // empty for a flag
    std::string help;
    std::function<void(const std::string&)> set;
  };
  const Option& find(const std::string& name) const;

  std::string program_;
  std::string summary_;
  std::vector<Option> options_;
};

/// The main() of a workload: parses the command line, runs `body`, and prints messages of
/// exceptions on standard error. Returns the exit code of the process: 0 right, 1 wrong (`body`
/// returned false, or CUDA failed), 2 bad usage or bad input.
int run_workload(const Options& options, int argc, const char* const* argv,
                 const std::function<bool()>& body);

}  // namespace raddle::workloads
