#include "cuda/runtime/entry_name.h"

#include <dlfcn.h>
#include <execinfo.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>
#include <string_view>

namespace raddle::cuda {
namespace {

struct Frame {
  bool ours = false;
  std::string name;  // "" for a function that the library does not export
};

bool is_api(std::string_view file) {
  static constexpr std::string_view kLibraries[] = {
      "cudart", "cuda", "cublas", "cublasLt", "cusparse", "cufft", "curand", "cusolver", "cudnn"};
  return std::any_of(std::begin(kLibraries), std::end(kLibraries), [&](std::string_view library) {
    return file.starts_with("lib" + std::string(library) + ".so");
  });
}

Frame look_up(void* address) {
  Dl_info info{};
  if (dladdr(address, &info) == 0 || info.dli_fname == nullptr) return {};
  const char* slash = std::strrchr(info.dli_fname, '/');
  const std::string_view file = slash == nullptr ? info.dli_fname : slash + 1;
  const bool api = is_api(file);
  const bool core = file.starts_with("libraddle.so");
  return {api || core, api && info.dli_sname != nullptr ? info.dli_sname : ""};
}

/// Return addresses recur, so that each is looked up only once.
const Frame& frame(void* address) {
  static std::mutex mutex;
  static auto* known = new std::map<void*, Frame>;
  const std::lock_guard lock(mutex);
  const auto [at, fresh] = known->try_emplace(address);
  if (fresh) at->second = look_up(address);
  return at->second;
}

}  // namespace

std::string entry_name() {
  constexpr int kMost = 32;
  void* addresses[kMost];
  const int count = backtrace(addresses, kMost);
  std::string name;
  for (int i = 0; i < count; ++i) {
    // A return address may lie just behind its function.
    const Frame& one = frame(static_cast<char*>(addresses[i]) - 1);
    if (!one.ours) break;
    if (!one.name.empty()) name = one.name;
  }
  return name;
}

std::string public_name(std::string entry) {
  if (entry.starts_with("__")) entry.erase(0, 2);
  for (const std::string_view of_thread : {"_ptsz", "_ptds"}) {
    if (entry.ends_with(of_thread)) entry.erase(entry.size() - of_thread.size());
  }
  if (entry.starts_with("cublas") && entry.ends_with("_64")) entry.erase(entry.size() - 3);
  const std::size_t version = entry.rfind("_v");
  const bool number = version != std::string::npos && version + 2 < entry.size() &&
                      entry.find_first_not_of("0123456789", version + 2) == std::string::npos;
  if (number) entry.erase(version);
  return entry;
}

}  // namespace raddle::cuda
