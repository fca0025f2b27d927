// cuGetExportTable is the first call of a CUDA runtime inside a program or library. NVIDIA's
// runtime reaches the driver through undocumented tables, so that it cannot work here. The caller's
// address tells which file contains it.
#include <dlfcn.h>
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>

#include "cuda/runtime/call.h"

namespace raddle::cuda {
namespace {

/// Whether raddle has a library of the same name in place of this library of NVIDIA's, which
/// contains a runtime.
bool has_stand_in(std::string_view file) {
  static constexpr std::string_view kNames[] = {"libcublas.", "libcublasLt.", "libcusparse.",
                                                "libcufft.",  "libcurand.",   "libcusolver.",
                                                "libcudnn.",  "libnvrtc."};
  return std::any_of(std::begin(kNames), std::end(kNames),
                     [&](std::string_view name) { return file.starts_with(name); });
}

bool is_of_nvidia(std::string_view file) {
  static constexpr std::string_view kNames[] = {"libcu", "libnpp", "libnv", "libnccl"};
  return std::any_of(std::begin(kNames), std::end(kNames),
                     [&](std::string_view name) { return file.starts_with(name); });
}

std::string what_to_do(const std::string& file) {
  if (has_stand_in(file)) {
    return "it is NVIDIA's, and was found before raddle's library of that name: through "
           "LD_PRELOAD, or "
           "the program's rpath (link without -Wl,-rpath,--disable-new-dtags)";
  }
  if (is_of_nvidia(file)) return "raddle has no library in its place (docs/limits.md)";
  return "build it with nvcc -cudart shared (and NVIDIA's libraries without _static in their "
         "names)";
}

}  // namespace
}  // namespace raddle::cuda

using namespace raddle::cuda;

extern "C" int cuGetExportTable(const void**, const void*) {
  Dl_info caller{};
  const bool found =
      dladdr(__builtin_return_address(0), &caller) != 0 && caller.dli_fname != nullptr;
  const std::filesystem::path file = found ? caller.dli_fname : "this program";
  return driver_call(Cost::none, true, [&](Runtime& runtime) {
    runtime.tell(
        fmt::format("{} holds a CUDA runtime of its own (linked statically), which raddle "
                    "cannot replace: {}",
                    file.string(), what_to_do(file.filename().string())));
    return cudaErrorNotSupported;
  });
}
