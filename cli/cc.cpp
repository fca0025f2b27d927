#include "cc.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "base/error.h"
#include "base/print_error.h"
#include "cc_copies.h"
#include "cc_options.h"
#include "cc_scratch.h"
#include "cc_toolchain.h"
#include "ptx/module.h"
#include "terminal.h"

namespace raddle {
namespace {
namespace fs = std::filesystem;
using cc::Input;
using cc::Language;
using cc::Options;
using cc::Stage;
using cc::Toolchain;
using Command = std::vector<std::string>;

constexpr int kDefaultArchitecture = 70;

// Code that g++, the usual host compiler of CUDA programs, accepts or only warns about.
const Command kLenient = {"-Wno-c++11-narrowing", "-Wno-register",
                          "-Wno-reserved-user-defined-literal", "-Wno-unknown-pragmas",
                          "-Wno-unused-command-line-argument"};

/// The runtime reads the text as a C string.
void end_with_nul(const std::string& file) {
  std::ofstream out(file, std::ios::app);
  out << '\0';
  out.close();
  if (!out) fail("raddle cc: cannot write {}: {}", file, std::strerror(errno));
}

void rewrite(const std::string& file, std::string (*change)(const std::string&)) {
  std::ifstream in(file);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  std::ofstream out(file);
  out << change(text);
  out.close();
  if (!in || !out) fail("raddle cc: cannot rewrite {}: {}", file, std::strerror(errno));
}

void append(Command& to, const Command& words) { to.insert(to.end(), words.begin(), words.end()); }

class Driver {
 public:
  Driver(const Options& options, const Toolchain& tools, const cc::ScratchFolder& scratch)
      : options_(options), tools_(tools), temporary_(scratch) {}

  int run() {
    if (options_.stage != Stage::Program) {
      if (!options_.output.empty() && options_.inputs.size() > 1) {
        fail("raddle cc: -o names one file, and there are {} inputs", options_.inputs.size());
      }
      for (const Input& input : options_.inputs) {
        if (const int code = compile_to(input, output_of(input)); code != 0) return code;
      }
      return 0;
    }
    Command objects;
    for (const Input& input : options_.inputs) {
      if (input.language == Language::Object) {
        objects.push_back(input.path);
        continue;
      }
      const std::string object = temporary_.file(std::to_string(objects.size()) + ".o").string();
      if (const int code = compile_to(input, object); code != 0) return code;
      objects.push_back(object);
    }
    return link(objects);
  }

 private:
  // "-" is standard output, the default for preprocessed text.
  std::string output_of(const Input& input) const {
    if (!options_.output.empty()) return options_.output;
    const fs::path name = fs::path(input.path).filename();
    if (options_.stage == Stage::Preprocess) return "-";
    return fs::path(name).replace_extension(options_.stage == Stage::Ptx ? ".ptx" : ".o").string();
  }

  int compile_to(const Input& input, const std::string& output) {
    if (input.language == Language::Object) {
      fail("raddle cc: {} is an object; there is nothing to compile", input.path);
    }
    if (input.language != Language::Cuda) {
      if (options_.stage == Stage::Ptx) fail("raddle cc: {} has no device code", input.path);
      return execute(
          host_command(input, output, {"-x", input.language == Language::C ? "c" : "c++"}));
    }
    if (options_.stage == Stage::Ptx) return compile_device(input, output);
    Command host = cuda_options();
    host.push_back("--cuda-host-only");
    if (options_.stage != Stage::Preprocess) {
      const std::string ptx = temporary_.file("device.ptx").string();
      if (const int code = compile_device(input, ptx); code != 0) return code;
      if (!options_.dry_run) end_with_nul(ptx);
      append(host, {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", ptx});
    }
    return execute(host_command(input, output, host));
  }

  // Without a chosen target, the code is for every GPU that is simulated, and is marked so.
  int compile_device(const Input& input, const std::string& output) {
    if (options_.architecture != 0 || options_.dry_run) return compile_ptx(input, output);
    const std::string code_file = temporary_.file("unmarked.ptx").string();
    if (const int code = compile_ptx(input, code_file); code != 0) return code;
    std::ifstream in(code_file);
    std::ofstream out(output == "-" ? "/dev/stdout" : output);  // perhaps a pipe
    out << ptx::kForAnyGpu << in.rdbuf();
    out.close();
    if (!in || !out) fail("raddle cc: cannot write {}: {}", output, std::strerror(errno));
    return 0;
  }

  // Goes through LLVM's text, in which copies of structures become copies of words; code for
  // debuggers is not changed.
  int compile_ptx(const Input& input, const std::string& output) {
    if (options_.debug_device) return compile_device(device_command(input, output));
    const std::string ir = temporary_.file("device.ll").string();
    Command command = device_command(input, ir);
    command.push_back("-emit-llvm");
    if (const int code = compile_device(std::move(command)); code != 0) return code;
    if (!options_.dry_run) rewrite(ir, cc::copy_by_words);
    return execute(back_end_command(ir, output));
  }

  // Clang's errors do not say what to do about launches in device code, so that our advice comes
  // first.
  int compile_device(Command command) {
    show(command);
    if (options_.dry_run) return 0;
    if (cli::wants_colour(STDERR_FILENO)) command.push_back("-fcolor-diagnostics");
    std::string said;
    const int code = cc::run_tool(command, said);
    if (code != 0) tell_device_launch(said);
    print_error("{}", said);
    return code;
  }

  static void tell_device_launch(const std::string& said) {
    std::istringstream lines(said);
    for (std::string line; std::getline(lines, line);) {
      line = cli::without_colour(line);
      if (line.find("error: reference to __global__ function") == std::string::npos) continue;
      print_error(
          "{}: error: clang does not support <<<>>> in device code; launch kernels there with "
          "raddle::dynamic::launch from <raddle/dynamic.cuh> (include/raddle/dynamic.cuh), or "
          "build with nvcc; clang says:\n",
          line.substr(0, line.find(": error")));
      return;
    }
  }

  // Options that both passes over a CUDA file share. The SDK version tells clang which launch
  // functions the runtime has: the ones of CUDA 9.2 and later.
  Command cuda_options() const {
    Command words = {"-x", "cuda", "--cuda-path=/nonexistent", "-nocudainc", "-nocudalib"};
    words.push_back("--cuda-gpu-arch=" + target());
    append(words, {"-Xclang", "-target-sdk-version=11.0", "-Wno-unknown-cuda-version"});
    append(words, {"-isystem", tools_.wrappers.string(), "-include", "cuda_runtime.h"});
    // nvcc accepts f(...) that is never called, as libcu++ uses it to choose overloads.
    append(words, {"-Xclang", "-fcuda-allow-variadic-functions"});
    if (options_.relocatable) words.push_back("-fgpu-rdc");
    return words;
  }

  int architecture() const {
    if (options_.architecture == 0) return kDefaultArchitecture;
    if (options_.architecture <= tools_.newest_architecture()) return options_.architecture;
    return tools_.newest_architecture();
  }

  // Clang 18 and 19 know a specific architecture only for 9.0.
  std::string target() const {
    const bool specific = options_.specific && architecture() == 90 && options_.architecture == 90;
    return fmt::format("sm_{}{}", architecture(), specific ? "a" : "");
  }

  Command include_options() const {
    return {"-I" + tools_.cuda_headers.string(), "-I" + tools_.headers.string()};
  }

  Command device_command(const Input& input, const std::string& output) const {
    Command words = {tools_.clang.string(), "--cuda-device-only", "-S"};
    append(words, cuda_options());
    append(words,
           {"-Xclang", "-target-feature", "-Xclang", tools_.ptx_feature(options_.architecture)});
    append(words, {"-Xclang", "-mlink-builtin-bitcode", "-Xclang", tools_.libclc.string()});
    append(words, {"-Wno-linker-warnings", "-Wno-pass-failed"});
    // CUDA code passes variables that only one lane has set to functions that shuffle: clang must
    // not conclude from such a call that every lane has set them.
    append(words, {"-Xclang", tools_.clang_major >= 15 ? "-no-enable-noundef-analysis"
                                                       : "-disable-noundef-analysis"});
    append(words, accuracy());
    append(words, kLenient);
    append(words, options_.common);
    append(words, include_options());
    // Clang 19 joins stores of neighbouring bytes to wider stores that may not be aligned (CUB's
    // sort by byte keys).
    append(words, {"-fno-slp-vectorize"});
    // Line tables name the source of a fault and do not change the code.
    append(words, {options_.debug_device ? "-O0" : "-O3", "-gline-tables-only"});
    append(words, {input.path, "-o", output});
    return words;
  }

  // The command that turns LLVM's text, already optimised, into PTX.
  Command back_end_command(const std::string& ir, const std::string& output) const {
    Command words = {tools_.clang.string(), "-x", "ir", "--target=nvptx64-nvidia-cuda", "-S"};
    append(words, {"-Xclang", "-target-cpu", "-Xclang", target()});
    append(words,
           {"-Xclang", "-target-feature", "-Xclang", tools_.ptx_feature(options_.architecture)});
    append(words, {"--cuda-path=/nonexistent", "-nogpulib", "-Wno-unused-command-line-argument"});
    append(words, accuracy());
    append(words, {"-O3", "-Xclang", "-disable-llvm-passes", ir, "-o", output});
    return words;
  }

  Command accuracy() const {
    Command words;
    if (options_.flush_denormals) {
      words.push_back(tools_.clang_major >= 18 ? "-fgpu-flush-denormals-to-zero"
                                               : "-fcuda-flush-denormals-to-zero");
    }
    if (options_.fast_functions) {
      words.push_back(tools_.clang_major >= 18 ? "-fgpu-approx-transcendentals"
                                               : "-fcuda-approx-transcendentals");
    }
    if (!options_.precise_division) append(words, {"-mllvm", "-nvptx-prec-divf32=0"});
    if (!options_.precise_root) append(words, {"-mllvm", "-nvptx-prec-sqrtf32=0"});
    // Contraction for the expressions of this file, but not of libclc, whose error terms it would
    // destroy.
    words.push_back(options_.contract ? "-ffp-contract=fast-honor-pragmas" : "-ffp-contract=off");
    return words;
  }

  Command host_command(const Input& input, const std::string& output,
                       const Command& language) const {
    Command words = {tools_.clang.string(), options_.stage == Stage::Preprocess ? "-E" : "-c",
                     options_.optimisation};
    append(words, language);
    append(words, kLenient);
    append(words, options_.common);
    append(words, options_.host);
    append(words, include_options());
    append(words, {input.path, "-o", output});
    return words;
  }

  int link(const Command& objects) {
    Command words = {tools_.clang.string()};
    append(words, objects);
    append(words, options_.host);
    append(words, options_.linker);
    append(words, pages_for_managed_variables());
    if (const std::string last = registration(objects); !last.empty()) words.push_back(last);
    const std::string libraries = tools_.libraries.string();
    append(words, {"-L" + libraries, "-Wl,-rpath," + libraries});
    if (options_.link_runtime) words.push_back("-lcudart");
    append(words, {"-o", options_.output.empty() ? "a.out" : options_.output});
    return execute(words);
  }

  // Linkers without such scripts leave these variables among others.
  Command pages_for_managed_variables() const {
    const auto chosen = [](const std::string& word) { return word.starts_with("-fuse-ld="); };
    const auto all = {&options_.host, &options_.linker};
    for (const Command* words : all) {
      const auto found = std::find_if(words->begin(), words->end(), chosen);
      if (found != words->end() && *found != "-fuse-ld=bfd" && *found != "-fuse-ld=lld") return {};
    }
    const auto script = tools_.cuda_headers / "crt" / "managed_variables.ld";
    return {"-Xlinker", "-T", "-Xlinker", script.string()};
  }

  // Relocatable device code registers itself through one function for each file, which the link
  // defines. All files' PTX becomes one linked module (wrapper version 2), and each file's kernels
  // and variables are registered with it. Returns the object with this code; empty if no file needs
  // it.
  std::string registration(const Command& objects) {
    if (options_.dry_run) return {};
    Command list = {"nm", "-u", "--format=posix"};
    append(list, objects);
    std::set<std::string> functions;
    std::istringstream lines(cc::output_of(list));
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("__cudaRegisterLinkedBinary")) {
        functions.insert(line.substr(0, line.find(' ')));
      }
    }
    if (functions.empty()) return {};

    const std::string source = temporary_.file("registration.cpp").string();
    const std::string object = temporary_.file("registration.o").string();
    std::ofstream text(source);
    text << "#define RADDLE_LINKED_FILES " << functions.size() << "\n"
         << "#include \"crt/link_registration.h\"\n";
    for (const std::string& function : functions) {
      text << "RADDLE_LINKED_FILE(" << function << ")\n";
    }
    text.close();
    if (!text) fail("raddle cc: cannot write {}: {}", source, std::strerror(errno));
    Command words = {tools_.clang.string(), "-c", "-O2", "-fPIC"};
    append(words, include_options());
    append(words, {source, "-o", object});
    if (const int code = execute(words); code != 0) {
      fail("raddle cc: compiling the registration of device code failed");
    }
    return object;
  }

  void show(const Command& words) const {
    if (!options_.verbose && !options_.dry_run) return;
    std::string line = "#$";
    for (const std::string& word : words) line.append(" ").append(word);
    print_error("{}\n", line);
  }

  int execute(const Command& words) const {
    show(words);
    return options_.dry_run ? 0 : cc::run_tool(words);
  }

  const Options& options_;
  const Toolchain& tools_;
  const cc::ScratchFolder& temporary_;
};

}  // namespace

int run_cc(const std::vector<std::string>& arguments) {
  const Options options = cc::parse_options(arguments);
  if (options.help) {
    fmt::print("{}", cc::help_text());
    return 0;
  }
  const Toolchain tools = cc::find_toolchain();
  if (options.version) {
    fmt::print("raddle cc: CUDA 12.8, release 12.8; {}\n", tools.clang.string());
    return 0;
  }
  if (options.inputs.empty()) fail("raddle cc: no input files; see raddle cc --help");
  const cc::ScratchFolder scratch;
  return cc::work_apart([&] { return Driver(options, tools, scratch).run(); });
}

}  // namespace raddle
