// cuBLASLt (documentation, "cuBLASLt API Reference"), with the types of its ABI.
#include "cuda/libraries/thin_handle.h"

using namespace raddle::cuda;

namespace {
struct CublasLt;
constexpr Codes kCodes{0, 1, 7};
constexpr int kVersion[] = {12, 8, 4};
}  // namespace

extern "C" {
int cublasLtCreate(void** handle) { return create_handle<CublasLt>(kCodes, handle); }
int cublasLtDestroy(void* handle) { return destroy_handle<CublasLt>(kCodes, handle); }
std::size_t cublasLtGetVersion() { return kVersion[0] * 10000 + kVersion[1] * 100 + kVersion[2]; }
std::size_t cublasLtGetCudartVersion() { return 12080; }
int cublasLtGetProperty(int type, int* value) { return property(kCodes, type, value, kVersion); }

const char* cublasLtGetStatusName(int status) {
  switch (status) {
    case 0:
      return "CUBLAS_STATUS_SUCCESS";
    case 1:
      return "CUBLAS_STATUS_NOT_INITIALIZED";
    case 7:
      return "CUBLAS_STATUS_INVALID_VALUE";
    case 15:
      return "CUBLAS_STATUS_NOT_SUPPORTED";
    default:
      return "CUBLAS_STATUS_UNKNOWN";
  }
}
const char* cublasLtGetStatusString(int status) { return cublasLtGetStatusName(status); }
}
