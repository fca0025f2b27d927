#include "cc_options.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "base/error.h"
#include "ptx/target.h"

namespace raddle::cc {
namespace {

constexpr const char* kHelp = R"(usage: raddle cc [options] FILE...

Compiles .cu, .cpp, .cc, .cxx and .c files and links them with objects and
libraries into a program for `raddle run`. Needs clang and libclc, but no CUDA
SDK.

  -o FILE                 output
  -c | -dc | -ptx | -E    stop after objects; relocatable objects; PTX;
                          preprocessing
  -shared                 make a shared library
  -I -isystem -D -U -include -std= -W* -f* -O* -g -M*    as in clang and nvcc
  -L -l -Xlinker X        passed to the linker
  -Xcompiler X,Y          passed to the host compiler
  -arch=sm_XX, -gencode arch=compute_XX,code=sm_XX
                          target of the device code; without it, it runs on
                          every simulated GPU
  -x cu                   treat all inputs as CUDA
  -rdc=true               device code may refer to other files
  -G                      device code for debugging, not optimised
  -use_fast_math, -ftz=, -prec-div=, -prec-sqrt=, -fmad=
                          accuracy of device code, as in nvcc
  -cudart shared|none     link the runtime, or not
  -v, --dryrun            show the commands; show them without running them
  --help, --version

nvcc's options for its tools (-Xptxas, -maxrregcount, -lineinfo,
--expt-relaxed-constexpr and the like) are accepted and have no effect; line
information is always included. An option given as `--name value` may be
written `--name=value`.
)";

// nvcc's long names and other spellings, with the name that this file uses.
const std::map<std::string_view, std::string_view> kSynonyms = {
    {"--output-file", "-o"},
    {"--compile", "-c"},
    {"--device-c", "-dc"},
    {"--ptx", "-ptx"},
    {"--preprocess", "-E"},
    {"--shared", "-shared"},
    {"--include-path", "-I"},
    {"--system-include", "-isystem"},
    {"--pre-include", "-include"},
    {"--define-macro", "-D"},
    {"--undefine-macro", "-U"},
    {"--std", "-std"},
    {"--library-path", "-L"},
    {"--library", "-l"},
    {"--linker-options", "-Xlinker"},
    {"--compiler-options", "-Xcompiler"},
    {"--gpu-architecture", "-arch"},
    {"--gpu-code", "-code"},
    {"--generate-code", "-gencode"},
    {"-generate-code", "-gencode"},
    {"--x", "-x"},
    {"--relocatable-device-code", "-rdc"},
    {"-relocatable-device-code", "-rdc"},
    {"--device-debug", "-G"},
    {"--debug", "-g"},
    {"--use_fast_math", "-use_fast_math"},
    {"--ftz", "-ftz"},
    {"--prec-div", "-prec-div"},
    {"--prec-sqrt", "-prec-sqrt"},
    {"--fmad", "-fmad"},
    {"--cudart", "-cudart"},
    {"--verbose", "-v"},
    {"-dryrun", "--dryrun"},
    {"-help", "--help"},
    {"-h", "--help"},
    {"-V", "--version"},
    {"--ptxas-options", "-Xptxas"},
    {"--nvlink-options", "-Xnvlink"},
    {"--maxrregcount", "-maxrregcount"},
    {"--compiler-bindir", "-ccbin"},
    {"--threads", "-t"},
    {"-threads", "-t"},
    {"--diag-suppress", "-diag-suppress"},
    {"--optimize", "-O"},
    {"--machine", "-m"},
    {"--default-stream", "-default-stream"},
    {"--disable-warnings", "-w"},
};

// Options for nvcc's own tools, which have no effect here: with a value, and without.
const std::set<std::string_view> kIgnoredWithValue = {
    "-Xptxas", "-Xnvlink", "-Xcudafe",       "-ccbin",    "-maxrregcount",
    "-t",      "-code",    "-diag-suppress", "-keep-dir", "-allow-unsupported-compiler-version"};
const std::set<std::string_view> kIgnored = {"-lineinfo",
                                             "--generate-line-info",
                                             "-generate-line-info",
                                             "-src-in-ptx",
                                             "--source-in-ptx",
                                             "--expt-relaxed-constexpr",
                                             "-expt-relaxed-constexpr",
                                             "--expt-extended-lambda",
                                             "-expt-extended-lambda",
                                             "--extended-lambda",
                                             "-extended-lambda",
                                             "-restrict",
                                             "--restrict",
                                             "-keep",
                                             "--keep",
                                             "-save-temps",
                                             "--save-temps",
                                             "-m64",
                                             "-allow-unsupported-compiler",
                                             "--allow-unsupported-compiler",
                                             "-extra-device-vectorization",
                                             "--extra-device-vectorization",
                                             "-dlto",
                                             "--resource-usage",
                                             "-res-usage",
                                             "-Wno-deprecated-gpu-targets"};

// Options with a value that may follow in the next argument.
const std::set<std::string_view> kWithValue = {
    "-o",   "-I",   "-isystem",  "-include",       "-D",         "-U",      "-std",
    "-L",   "-l",   "-Xlinker",  "-arch",          "-Xcompiler", "-x",      "-gencode",
    "-rdc", "-ftz", "-prec-div", "-fmad",          "-prec-sqrt", "-cudart", "-MF",
    "-MT",  "-MQ",  "-m",        "-default-stream"};

// Options whose value may follow directly, as in -Ipath.
constexpr std::array<std::string_view, 8> kGlued = {"-I", "-D", "-U", "-L", "-l", "-o", "-x", "-t"};

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

bool truth(std::string_view option, std::string_view value) {
  if (value == "true") return true;
  if (value == "false") return false;
  fail("raddle cc: {} should be true or false, not '{}'", option, value);
}

// Clang supports no older architecture.
constexpr unsigned kOldestArchitecture = 20;

// "sm_75", "compute_90a" or "75"; words such as "native" choose nothing.
ptx::Target architecture(std::string_view text) {
  if (text == "native" || text == "all" || text == "all-major") return {};
  const bool link_time = text.starts_with("lto_");
  const auto target = ptx::target_from_name(link_time ? text.substr(4) : text);
  if (!target || !ptx::first_version(*target)) {
    fail("raddle cc: '{}' is not a GPU architecture; these are: {}", text,
         ptx::known_targets(kOldestArchitecture, ~0u));
  }
  return *target;
}

Language language_of(const std::string& path, bool all_cuda) {
  const std::string suffix = std::filesystem::path(path).extension();
  if (suffix == ".o" || suffix == ".a" || suffix == ".so" || suffix == ".lo" ||
      path.find(".so.") != std::string::npos) {
    return Language::Object;
  }
  if (suffix == ".cu" || all_cuda) return Language::Cuda;
  if (suffix == ".cpp" || suffix == ".cc" || suffix == ".cxx" || suffix == ".C") {
    return Language::Cpp;
  }
  if (suffix == ".c") return Language::C;
  fail("raddle cc: {}: unknown file extension; -x cu treats it as CUDA", path);
}

class Parser {
 public:
  explicit Parser(const std::vector<std::string>& arguments) : arguments_(arguments) {}

  Options parse() {
    while (next_ < arguments_.size()) {
      const std::string& argument = arguments_[next_++];
      if (argument.size() > 1 && argument[0] == '-') {
        option(argument);
      } else {
        paths_.push_back(argument);
      }
    }
    for (const std::string& path : paths_) {
      options_.inputs.push_back({path, language_of(path, all_cuda_)});
    }
    return std::move(options_);
  }

 private:
  // Splits name and value, and takes the value from the next argument if it must follow there.
  void option(const std::string& argument) {
    std::string name = argument;
    std::optional<std::string> value;
    if (const size_t equals = argument.find('='); equals != std::string::npos) {
      const std::string head = argument.substr(0, equals);
      if (canonical(head) != head || kWithValue.contains(head) ||
          kIgnoredWithValue.contains(head)) {
        name = head;
        value = argument.substr(equals + 1);
      }
    }
    name = canonical(name);
    if (!value && !kWithValue.contains(name)) {
      for (std::string_view glued : kGlued) {
        if (name.size() > glued.size() && name.starts_with(glued) && !kIgnored.contains(name) &&
            !kIgnoredWithValue.contains(name)) {
          value = name.substr(glued.size());
          name.resize(glued.size());
          break;
        }
      }
    }
    const bool takes_value = kWithValue.contains(name) || kIgnoredWithValue.contains(name);
    if (takes_value && !value) {
      if (next_ == arguments_.size()) fail("raddle cc: {} needs a value", name);
      value = arguments_[next_++];
    }
    if (kIgnored.contains(name) || kIgnoredWithValue.contains(name)) return;
    if (stage_option(name) || device_option(name, value.value_or(""))) return;
    if (pass_on(name, value.value_or(""))) return;
    fail("raddle cc: unknown option {}; raddle cc --help lists those that are known", argument);
  }

  static std::string canonical(const std::string& name) {
    const auto found = kSynonyms.find(name);
    return found == kSynonyms.end() ? name : std::string(found->second);
  }

  bool stage_option(const std::string& name) {
    if (name == "-c") {
      options_.stage = Stage::Object;
    } else if (name == "-dc") {
      options_.stage = Stage::Object;
      options_.relocatable = true;
    } else if (name == "-ptx") {
      options_.stage = Stage::Ptx;
    } else if (name == "-E") {
      options_.stage = Stage::Preprocess;
    } else if (name == "--help") {
      options_.help = true;
    } else if (name == "--version") {
      options_.version = true;
    } else if (name == "-v") {
      options_.verbose = true;
    } else if (name == "--dryrun") {
      options_.dry_run = true;
    } else {
      return false;
    }
    return true;
  }

  bool device_option(const std::string& name, const std::string& value) {
    if (name == "-arch") {
      target(value);
    } else if (name == "-gencode") {
      for (const std::string& part : split(value, ',')) {
        if (part.starts_with("arch=")) target(part.substr(5));
      }
    } else if (name == "-rdc") {
      options_.relocatable = truth(name, value);
    } else if (name == "-G") {
      options_.debug_device = true;
    } else if (name == "-use_fast_math") {
      options_.flush_denormals = options_.fast_functions = true;
      options_.precise_division = options_.precise_root = false;
    } else if (name == "-ftz") {
      options_.flush_denormals = truth(name, value);
    } else if (name == "-prec-div") {
      options_.precise_division = truth(name, value);
    } else if (name == "-prec-sqrt") {
      options_.precise_root = truth(name, value);
    } else if (name == "-fmad") {
      options_.contract = truth(name, value);
    } else if (name == "-cudart") {
      options_.link_runtime = value != "none";
    } else if (name == "-x") {
      if (value != "cu") fail("raddle cc: -x accepts only cu, not '{}'", value);
      all_cuda_ = true;
    } else if (name == "-m") {
      if (value != "64") fail("raddle cc: -m {}: only 64-bit programs are supported", value);
    } else if (name == "-default-stream") {
      if (value != "legacy" && value != "null") {
        fail("raddle cc: -default-stream {}: only the legacy default stream is supported", value);
      }
    } else {
      return false;
    }
    return true;
  }

  // Passes on the options that clang has in the same form.
  bool pass_on(const std::string& name, const std::string& value) {
    static const std::set<std::string_view> separate = {"-isystem", "-include", "-MF", "-MT",
                                                        "-MQ"};
    if (name == "-o") {
      options_.output = value;
    } else if (separate.contains(name)) {
      auto& to = name[1] == 'M' ? options_.host : options_.common;
      to.insert(to.end(), {name, value});
    } else if (name == "-I" || name == "-D" || name == "-U") {
      options_.common.push_back(name + value);
    } else if (name == "-std") {
      options_.common.push_back("-std=" + value);
    } else if (name == "-L") {
      options_.linker.push_back(name + value);
    } else if (name == "-l") {
      library(value);
    } else if (name == "-Xlinker") {
      for (const std::string& part : split(value, ',')) {
        options_.linker.insert(options_.linker.end(), {"-Xlinker", part});
      }
    } else if (name == "-Xcompiler") {
      host_options(value);
    } else if (name.starts_with("-O")) {
      options_.optimisation = name;
    } else if (name == "-shared" || name == "-static-libstdc++" || name == "-static-libgcc" ||
               name.starts_with("-Wl,") || name == "-pthread") {
      options_.linker.push_back(name);
    } else if (name == "-g" || name.starts_with("-M") || name == "-pg" || name == "-march=native") {
      options_.host.push_back(name);
    } else if (name.starts_with("-W") || name.starts_with("-f") || name == "-w" ||
               name == "-pedantic") {
      options_.common.push_back(name);
    } else {
      return false;
    }
    return true;
  }

  // The device runtime is part of the simulator, and the libraries in place of NVIDIA's have no
  // static form.
  void library(const std::string& name) {
    if (name == "cudadevrt" || name == "culibos") return;
    static const std::set<std::string> kStatic = {
        "cudart_static", "cublas_static", "cublasLt_static", "cusparse_static",
        "cufft_static",  "curand_static", "cusolver_static", "nvrtc_static"};
    const bool shared = kStatic.contains(name);
    options_.linker.push_back("-l" + (shared ? name.substr(0, name.find('_')) : name));
  }

  void host_options(const std::string& text) {
    for (const std::string& word : split(text, ' ')) {
      for (const std::string& part : split(word, ',')) {
        // -Wl, and -Wa, contain commas of their own.
        if (part == "-Wl" || part == "-Wa" || part == "-Wp") {
          options_.host.push_back(word);
          break;
        }
        std::string unquoted = part;
        std::erase_if(unquoted, [](char c) { return c == '"' || c == '\''; });
        options_.host.push_back(unquoted);
      }
    }
  }

  // The newest of several targets, which a new GPU would choose.
  void target(const std::string& text) {
    const ptx::Target target = architecture(text);
    const auto number = static_cast<int>(target.sm);
    if (number < options_.architecture) return;
    const bool same = number == options_.architecture;
    options_.specific = target.suffix == 'a' || (same && options_.specific);
    options_.architecture = number;
  }

  const std::vector<std::string>& arguments_;
  size_t next_ = 0;
  std::vector<std::string> paths_;
  bool all_cuda_ = false;
  Options options_;
};

}  // namespace

Options parse_options(const std::vector<std::string>& arguments) {
  return Parser(arguments).parse();
}

std::string help_text() { return kHelp; }

}  // namespace raddle::cc
