// Differences between the versions of the library: RADDLE_LIBRARY is 11, 12 or 13.
#include "cuda/libraries/cublas/handle.h"

using namespace raddle::cublas;

namespace {
constexpr int kVersion[3] = {RADDLE_LIBRARY,
                             RADDLE_LIBRARY == 11   ? 11
                             : RADDLE_LIBRARY == 12 ? 8
                                                    : 0,
                             RADDLE_LIBRARY == 11   ? 3
                             : RADDLE_LIBRARY == 12 ? 4
                                                    : 0};
}  // namespace

cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int* version) {
  return blas(Cost::none, handle, [&](Runtime&, cublasContext&) {
    blas_require(version != nullptr);
    *version = kVersion[0] * 10000 + kVersion[1] * 100 + kVersion[2];
  });
}

cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value) {
  if (value == nullptr || type < MAJOR_VERSION || type > PATCH_LEVEL) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  *value = kVersion[type];
  return CUBLAS_STATUS_SUCCESS;
}

size_t cublasGetCudartVersion() {
  return RADDLE_LIBRARY == 11 ? 11080 : RADDLE_LIBRARY == 12 ? 12080 : 13000;
}
