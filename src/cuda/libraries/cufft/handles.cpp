// cuFFT (documentation, "cuFFT API Reference"), with the types of its ABI. An empty plan has a
// number; functions that would make it executable are refused.
#include <map>

#include "cuda/libraries/thin_handle.h"

using namespace raddle::cuda;

namespace {
struct Cufft;
constexpr Codes kCodes{0, 1, 4};  // CUFFT_INVALID_PLAN for an unknown handle
constexpr int kVersion[] = {11, 3, 3};

std::map<int, void*>& plans() {
  static auto* all = new std::map<int, void*>;
  return *all;
}

void* plan(int number) {
  const std::lock_guard lock(Runtime::mutex());
  const auto found = plans().find(number);
  return found == plans().end() ? nullptr : found->second;
}
}  // namespace

extern "C" {
int cufftCreate(int* number) {
  void* handle = nullptr;
  const int status =
      number == nullptr ? kCodes.invalid_value : create_handle<Cufft>(kCodes, &handle);
  if (status != kCodes.success) return status;
  const std::lock_guard lock(Runtime::mutex());
  *number = plans().empty() ? 1 : plans().rbegin()->first + 1;
  plans()[*number] = handle;
  return kCodes.success;
}
int cufftDestroy(int number) {
  const int status = destroy_handle<Cufft>(kCodes, plan(number));
  const std::lock_guard lock(Runtime::mutex());
  plans().erase(number);
  return status;
}
int cufftSetStream(int number, cudaStream_t stream) {
  return set_stream<Cufft>(kCodes, plan(number), stream);
}
int cufftGetVersion(int* version) {
  if (version == nullptr) return kCodes.invalid_value;
  *version = version_number(kVersion);
  return kCodes.success;
}
int cufftGetProperty(int type, int* value) { return property(kCodes, type, value, kVersion); }
}
