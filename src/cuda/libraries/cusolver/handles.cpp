// cuSOLVER (documentation, "cuSolverDN Helper Function Reference", "cuSolverSP Helper Function
// Reference"), with the types of its ABI.
#include "cuda/libraries/thin_handle.h"

using namespace raddle::cuda;

namespace {
struct Dense;
struct Sparse;
constexpr Codes kCodes{0, 1, 3};
constexpr int kVersion[] = {11, 7, 3};
}  // namespace

extern "C" {
int cusolverDnCreate(void** handle) { return create_handle<Dense>(kCodes, handle); }
int cusolverDnDestroy(void* handle) { return destroy_handle<Dense>(kCodes, handle); }
int cusolverDnSetStream(void* handle, cudaStream_t stream) {
  return set_stream<Dense>(kCodes, handle, stream);
}
int cusolverDnGetStream(void* handle, cudaStream_t* stream) {
  return get_member<Dense>(kCodes, handle, stream, &ThinHandle::stream);
}
int cusolverSpCreate(void** handle) { return create_handle<Sparse>(kCodes, handle); }
int cusolverSpDestroy(void* handle) { return destroy_handle<Sparse>(kCodes, handle); }
int cusolverSpSetStream(void* handle, cudaStream_t stream) {
  return set_stream<Sparse>(kCodes, handle, stream);
}
int cusolverSpGetStream(void* handle, cudaStream_t* stream) {
  return get_member<Sparse>(kCodes, handle, stream, &ThinHandle::stream);
}
int cusolverGetVersion(int* version) {
  if (version == nullptr) return kCodes.invalid_value;
  *version = version_number(kVersion);
  return kCodes.success;
}
int cusolverGetProperty(int type, int* value) { return property(kCodes, type, value, kVersion); }
}
