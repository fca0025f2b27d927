// cuDNN (documentation, "cudnn_graph Library"), with the types of its ABI.
#include "cuda/libraries/thin_handle.h"

using namespace raddle::cuda;

namespace {
struct Cudnn;
constexpr Codes kCodes{0, 1001, 2000};
constexpr int kVersion[] = {9, 8, 0};
}  // namespace

extern "C" {
int cudnnCreate(void** handle) { return create_handle<Cudnn>(kCodes, handle); }
int cudnnDestroy(void* handle) { return destroy_handle<Cudnn>(kCodes, handle); }
int cudnnSetStream(void* handle, cudaStream_t stream) {
  return set_stream<Cudnn>(kCodes, handle, stream);
}
int cudnnGetStream(void* handle, cudaStream_t* stream) {
  return get_member<Cudnn>(kCodes, handle, stream, &ThinHandle::stream);
}
std::size_t cudnnGetVersion() { return kVersion[0] * 10000 + kVersion[1] * 100 + kVersion[2]; }
std::size_t cudnnGetCudartVersion() { return 12080; }
int cudnnGetProperty(int type, int* value) { return property(kCodes, type, value, kVersion); }
const char* cudnnGetErrorString(int status) {
  switch (status) {
    case 0:
      return "CUDNN_STATUS_SUCCESS";
    case 1001:
      return "CUDNN_STATUS_NOT_INITIALIZED";
    case 2000:
      return "CUDNN_STATUS_BAD_PARAM";
    case 3000:
      return "CUDNN_STATUS_NOT_SUPPORTED";
    default:
      return "CUDNN_STATUS_UNKNOWN";
  }
}
}
