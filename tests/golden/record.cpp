// Runs the cases of an archive on the GPU of libcuda.so.1, and writes their results. It needs only
// the C++ library, because it is copied to machines that have nothing else. It runs on the
// simulator's libcuda.so.1 and on NVIDIA's.
//
// After a fault the context is useless, and after a hang it cannot be destroyed. Both end the
// process with kAgain. The script in this folder then starts it again at the next case.
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "archive.h"

namespace raddle::golden {
namespace {

constexpr int kAgain = 75;             // exit code: start me again
constexpr double kHangSeconds = 3;     // no case takes a hundredth of it on a GPU
constexpr unsigned kCaseSeconds = 20;  // for calls that never return: SIGALRM ends the process
constexpr int kNotReady = 600;

using Status = int;
using Device = int;
using Pointer = std::uint64_t;
using Handle = void*;

double now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

/// The functions of the driver API that this program calls, by their names in the library.
struct Driver {
  void* library = open();

  static void* open() {
    for (const char* path : {"libcuda.so.1", "/usr/local/nvidia/lib64/libcuda.so.1"}) {
      if (void* found = dlopen(path, RTLD_NOW)) return found;
    }
    throw std::runtime_error("there is no libcuda.so.1");
  }
  template <class... P>
  Status call(const char* name, P... arguments) const {
    const auto function = reinterpret_cast<Status (*)(P...)>(dlsym(library, name));
    if (function == nullptr) throw std::runtime_error(std::string("no function ") + name);
    return function(arguments...);
  }
  std::string name_of(Status status) const {
    const char* text = nullptr;
    call("cuGetErrorName", status, &text);
    return text ? text : std::to_string(status);
  }
  /// For what cannot fail on a working machine.
  template <class... P>
  void must(const char* name, P... arguments) const {
    const Status status = call(name, arguments...);
    if (status != 0) throw std::runtime_error(std::string(name) + ": " + name_of(status));
  }
};

struct Options {
  std::string cases, results, command;
  bool ptx = false;
  double seconds = 600;
  std::uint32_t only = ~0u;
};

class Recorder {
 public:
  Recorder(const Options& options, const Archive& archive) : options_(options), archive_(archive) {
    driver_.must("cuInit", 0u);
    driver_.must("cuDeviceGet", &device_, 0);
    Handle context = nullptr;
    driver_.must("cuDevicePrimaryCtxRetain", &context, device_);
    driver_.must("cuCtxSetCurrent", context);
  }

  std::string machine() const {
    char name[256] = "";
    int version = 0, major = 0, minor = 0;
    driver_.must("cuDeviceGetName", static_cast<char*>(name), 256, device_);
    driver_.must("cuDriverGetVersion", &version);
    driver_.must("cuDeviceGetAttribute", &major, 75, device_);
    driver_.must("cuDeviceGetAttribute", &minor, 76, device_);
    return std::string("gpu: ") + name + "\ncompute capability: " + std::to_string(major) + "." +
           std::to_string(minor) + "\ndriver: CUDA " + std::to_string(version) +
           "\ncommand: " + options_.command + "\ncode: " + (options_.ptx ? "ptx" : "cubin") + "\n";
  }

  /// Returns the exit code.
  int run() {
    const double start = now();
    const std::uint32_t first = resume();
    for (std::uint32_t n = first; n < archive_.cases.size(); ++n) {
      if (options_.only != ~0u && n != options_.only) continue;
      if (now() - start > options_.seconds) {
        std::fprintf(stderr, "stopped before case %u: no time left\n", n);
        return 0;
      }
      set_running(n);
      alarm(kCaseSeconds);
      Outcome outcome = run_case(archive_.cases[n]);
      alarm(0);
      if (outcome.kind != Outcome::done) {
        std::fprintf(stderr, "%s: %s %s\n", archive_.cases[n].name.c_str(),
                     golden::name_of(outcome.kind), outcome.text.c_str());
      }
      append_outcome(options_.results, n, outcome);
      if (outcome.kind >= Outcome::fault) return kAgain;
    }
    std::filesystem::remove(running_file());
    return 0;
  }

 private:
  std::string running_file() const { return options_.results + ".running"; }

  void set_running(std::uint32_t n) const {
    std::FILE* file = std::fopen(running_file().c_str(), "w");
    if (file == nullptr) throw std::runtime_error("cannot write " + running_file());
    std::fprintf(file, "%u\n", n);
    std::fclose(file);
  }

  /// The first case to run: the one after that in which an earlier process ended.
  std::uint32_t resume() const {
    if (!std::filesystem::exists(options_.results)) {
      start_results(options_.results, machine());
      return 0;
    }
    unsigned n = 0;
    std::FILE* file = std::fopen(running_file().c_str(), "r");
    if (file == nullptr) return static_cast<std::uint32_t>(archive_.cases.size());
    if (std::fscanf(file, "%u", &n) != 1) n = 0;
    std::fclose(file);
    if (!read_results(options_.results).outcomes.contains(n)) {
      append_outcome(options_.results, n, {Outcome::died, "", ""});
    }
    return n + 1;
  }

  Outcome run_case(const Case& c) {
    Handle module = nullptr, function = nullptr;
    const std::string& code = options_.ptx ? c.ptx : c.cubin;
    Status status =
        driver_.call("cuModuleLoadData", &module, static_cast<const void*>(code.c_str()));
    if (status != 0) return {Outcome::load_error, driver_.name_of(status), ""};
    status = driver_.call("cuModuleGetFunction", &function, module, c.kernel.c_str());
    Outcome outcome{Outcome::load_error, driver_.name_of(status), ""};
    if (status == 0) outcome = run_function(c, function);
    if (outcome.kind < Outcome::fault) driver_.must("cuModuleUnload", module);
    return outcome;
  }

  Outcome run_function(const Case& c, Handle function) {
    std::vector<Pointer> buffers;
    std::vector<std::string> values;  // of the parameters
    for (const Argument& argument : c.arguments) {
      values.push_back(argument.initial);
      buffers.push_back(0);
      if (argument.kind != Argument::value) {
        buffers.back() = place(argument.initial);
        values.back() = std::string(reinterpret_cast<const char*>(&buffers.back()), 8);
      }
      values.back().resize(4096);  // whatever size the kernel declares
    }
    std::vector<void*> parameters;
    for (std::string& value : values) parameters.push_back(value.data());
    Outcome outcome = launch(c, function, parameters.data());
    if (outcome.kind >= Outcome::fault) return outcome;  // nothing works after that
    for (std::size_t n = 0; n < buffers.size(); ++n) {
      if (buffers[n] == 0) continue;
      if (c.arguments[n].recorded() && outcome.kind == Outcome::done) {
        std::string bytes(c.arguments[n].initial.size(), '\0');
        if (!bytes.empty()) {
          driver_.must("cuMemcpyDtoH_v2", static_cast<void*>(bytes.data()), buffers[n],
                       bytes.size());
        }
        outcome.bytes += bytes;
      }
      driver_.must("cuMemFree_v2", buffers[n]);
    }
    return outcome;
  }

  Pointer place(const std::string& bytes) {
    Pointer at = 0;
    driver_.must("cuMemAlloc_v2", &at, std::max<std::size_t>(bytes.size(), 16));
    if (!bytes.empty()) {
      driver_.must("cuMemcpyHtoD_v2", at, static_cast<const void*>(bytes.data()), bytes.size());
    }
    return at;
  }

  Outcome launch(const Case& c, Handle function, void** parameters) {
    if (c.shared > 48 * 1024) {
      driver_.call("cuFuncSetAttribute", function, 8, static_cast<int>(c.shared));
    }
    Status status = 0;
    if (c.cooperative) {
      status = driver_.call("cuLaunchCooperativeKernel", function, c.grid[0], c.grid[1], c.grid[2],
                            c.block[0], c.block[1], c.block[2], c.shared, Handle{}, parameters);
    } else {
      status = driver_.call("cuLaunchKernel", function, c.grid[0], c.grid[1], c.grid[2], c.block[0],
                            c.block[1], c.block[2], c.shared, Handle{}, parameters,
                            static_cast<void**>(nullptr));
    }
    if (status != 0) return {Outcome::launch_error, driver_.name_of(status), ""};
    const double deadline = now() + kHangSeconds;
    while ((status = driver_.call("cuStreamQuery", Handle{})) == kNotReady) {
      if (now() > deadline) return {Outcome::hang, "", ""};
    }
    if (status == 0) status = driver_.call("cuCtxSynchronize");  // prints what kernels printed
    if (status != 0) return {Outcome::fault, driver_.name_of(status), ""};
    return {};
  }

  const Options& options_;
  const Archive& archive_;
  Driver driver_;
  Device device_ = 0;
};

Options read_options(int count, char** words) {
  Options options;
  std::vector<std::string> files;
  for (int n = 0; n < count; ++n) options.command += (n ? " " : "") + std::string(words[n]);
  for (int n = 1; n < count; ++n) {
    const std::string word = words[n];
    if (word == "--ptx") {
      options.ptx = true;
    } else if (word == "--seconds" && n + 1 < count) {
      options.seconds = std::atof(words[++n]);
    } else if (word == "--only" && n + 1 < count) {
      options.only = static_cast<std::uint32_t>(std::atoi(words[++n]));
    } else {
      files.push_back(word);
    }
  }
  // Of the script that knows by which command it was called.
  if (const char* command = std::getenv("GOLDEN_COMMAND")) options.command = command;
  if (files.size() != 2) {
    throw std::runtime_error("usage: record_golden [--ptx] [--seconds S] [--only N] CASES RESULTS");
  }
  options.cases = files[0];
  options.results = files[1];
  return options;
}

int main_of(int count, char** words) {
  const Options options = read_options(count, words);
  const Archive archive = read_archive(options.cases);
  Recorder recorder(options, archive);
  const int code = recorder.run();
  std::fflush(nullptr);
  // Destructors of the driver would wait for a kernel that hangs.
  if (code == kAgain) _exit(code);
  return code;
}

}  // namespace
}  // namespace raddle::golden

int main(int count, char** words) {
  try {
    return raddle::golden::main_of(count, words);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "record_golden: %s\n", error.what());
    return 1;
  }
}
