// cuSPARSE (documentation, "cuSPARSE Management Functions"), with the types of its ABI:
// enumerations are int, handles are pointers.
#include "cuda/libraries/thin_handle.h"

using namespace raddle::cuda;

namespace {
struct Cusparse;
constexpr Codes kCodes{0, 1, 3};
constexpr int kVersion[] = {12, 6, 3};
}  // namespace

extern "C" {
int cusparseCreate(void** handle) { return create_handle<Cusparse>(kCodes, handle); }
int cusparseDestroy(void* handle) { return destroy_handle<Cusparse>(kCodes, handle); }
int cusparseSetStream(void* handle, cudaStream_t stream) {
  return set_stream<Cusparse>(kCodes, handle, stream);
}
int cusparseGetStream(void* handle, cudaStream_t* stream) {
  return get_member<Cusparse>(kCodes, handle, stream, &ThinHandle::stream);
}
int cusparseSetPointerMode(void* handle, int mode) {
  if (mode != 0 && mode != 1) return kCodes.invalid_value;
  return with_handle<Cusparse>(kCodes, handle, [&](Runtime&, ThinHandle& of) {
    of.mode = mode;
    return kCodes.success;
  });
}
int cusparseGetPointerMode(void* handle, int* mode) {
  return get_member<Cusparse>(kCodes, handle, mode, &ThinHandle::mode);
}
int cusparseGetVersion(void* handle, int* version) {
  return with_handle<Cusparse>(kCodes, handle, [&](Runtime&, ThinHandle&) {
    if (version == nullptr) return kCodes.invalid_value;
    *version = version_number(kVersion);
    return kCodes.success;
  });
}
int cusparseGetProperty(int type, int* value) { return property(kCodes, type, value, kVersion); }

const char* cusparseGetErrorName(int status) {
  static constexpr const char* kNames[] = {"CUSPARSE_STATUS_SUCCESS",
                                           "CUSPARSE_STATUS_NOT_INITIALIZED",
                                           "CUSPARSE_STATUS_ALLOC_FAILED",
                                           "CUSPARSE_STATUS_INVALID_VALUE",
                                           "CUSPARSE_STATUS_ARCH_MISMATCH",
                                           "CUSPARSE_STATUS_MAPPING_ERROR",
                                           "CUSPARSE_STATUS_EXECUTION_FAILED",
                                           "CUSPARSE_STATUS_INTERNAL_ERROR",
                                           "CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED",
                                           "CUSPARSE_STATUS_ZERO_PIVOT",
                                           "CUSPARSE_STATUS_NOT_SUPPORTED",
                                           "CUSPARSE_STATUS_INSUFFICIENT_RESOURCES"};
  return status >= 0 && status < static_cast<int>(std::size(kNames)) ? kNames[status]
                                                                     : "unrecognized error code";
}
const char* cusparseGetErrorString(int status) { return cusparseGetErrorName(status); }
}
