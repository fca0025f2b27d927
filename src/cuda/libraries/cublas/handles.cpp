// Handles and their settings (cuBLAS documentation, "cuBLAS Helper Function Reference").
#include "cuda/libraries/cublas/handle.h"
#include "cuda/runtime/memory.h"

using namespace raddle::cublas;

namespace {

/// Returns one member of the handle.
template <class T>
cublasStatus_t get(cublasHandle_t handle, T* value, T cublasContext::* member) {
  return blas(Cost::call, handle, [&](Runtime&, cublasContext& of) {
    blas_require(value != nullptr);
    *value = of.*member;
  });
}

/// Sets one member of the handle; `check` may refuse the value.
template <class T, class Check>
cublasStatus_t set(cublasHandle_t handle, T value, T cublasContext::* member, Check check) {
  return blas(Cost::none, handle, [&](Runtime&, cublasContext& of) {
    check();
    of.*member = value;
  });
}

bool is_math_mode(cublasMath_t mode) {
  const int kind = mode & ~CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION;
  return (kind >= CUBLAS_DEFAULT_MATH && kind <= CUBLAS_FP32_EMULATED_BF16X9_MATH) ||
         kind == CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH;
}

}  // namespace

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
  return blas(Cost::allocate, [&](Runtime& runtime) {
    blas_require(handle != nullptr);
    *handle = create(runtime);
  });
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  return blas(Cost::call, handle,
              [&](Runtime& runtime, cublasContext&) { destroy(runtime, handle); });
}

cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
  return blas(Cost::none, handle, [&](Runtime& runtime, cublasContext& of) {
    runtime.stream(stream);  // refuses unknown streams
    of.stream = stream;
  });
}

cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t* stream) {
  return get(handle, stream, &cublasContext::stream);
}

// Only checks its arguments: our kernels need no workspace of the program's.
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void* workspace, size_t bytes) {
  return blas(Cost::none, handle, [&](Runtime&, cublasContext&) {
    blas_require(reinterpret_cast<std::uintptr_t>(workspace) % 256 == 0);
    blas_require(workspace != nullptr || bytes == 0);
  });
}

cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode) {
  return set(handle, mode, &cublasContext::pointer_mode, [&] {
    blas_require(mode == CUBLAS_POINTER_MODE_HOST || mode == CUBLAS_POINTER_MODE_DEVICE);
  });
}

cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t* mode) {
  return get(handle, mode, &cublasContext::pointer_mode);
}

cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode) {
  return set(handle, mode, &cublasContext::atomics_mode, [&] {
    blas_require(mode == CUBLAS_ATOMICS_NOT_ALLOWED || mode == CUBLAS_ATOMICS_ALLOWED);
  });
}

cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode) {
  return get(handle, mode, &cublasContext::atomics_mode);
}

cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  return set(handle, mode, &cublasContext::math_mode, [&] { blas_require(is_math_mode(mode)); });
}

cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) {
  return get(handle, mode, &cublasContext::math_mode);
}

cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int count) {
  return set(handle, count, &cublasContext::sm_count, [&] { blas_require(count >= 0); });
}

cublasStatus_t cublasGetSmCountTarget(cublasHandle_t handle, int* count) {
  return get(handle, count, &cublasContext::sm_count);
}

namespace {
cublasLogCallback logger = nullptr;  // kept, but no message is logged
}

cublasStatus_t cublasLoggerConfigure(int, int, int, const char*) { return CUBLAS_STATUS_SUCCESS; }

cublasStatus_t cublasSetLoggerCallback(cublasLogCallback callback) {
  logger = callback;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetLoggerCallback(cublasLogCallback* callback) {
  if (callback == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *callback = logger;
  return CUBLAS_STATUS_SUCCESS;
}

const char* cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
#define RADDLE_STATUS(name) \
  case name:                \
    return #name;
    RADDLE_STATUS(CUBLAS_STATUS_SUCCESS)
    RADDLE_STATUS(CUBLAS_STATUS_NOT_INITIALIZED)
    RADDLE_STATUS(CUBLAS_STATUS_ALLOC_FAILED)
    RADDLE_STATUS(CUBLAS_STATUS_INVALID_VALUE)
    RADDLE_STATUS(CUBLAS_STATUS_ARCH_MISMATCH)
    RADDLE_STATUS(CUBLAS_STATUS_MAPPING_ERROR)
    RADDLE_STATUS(CUBLAS_STATUS_EXECUTION_FAILED)
    RADDLE_STATUS(CUBLAS_STATUS_INTERNAL_ERROR)
    RADDLE_STATUS(CUBLAS_STATUS_NOT_SUPPORTED)
    RADDLE_STATUS(CUBLAS_STATUS_LICENSE_ERROR)
#undef RADDLE_STATUS
  }
  return "CUBLAS_STATUS_UNKNOWN";
}

const char* cublasGetStatusString(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS:
      return "success";
    case CUBLAS_STATUS_NOT_INITIALIZED:
      return "the library was not initialized";
    case CUBLAS_STATUS_ALLOC_FAILED:
      return "the resource allocation failed";
    case CUBLAS_STATUS_INVALID_VALUE:
      return "an unsupported value or parameter was passed to the function";
    case CUBLAS_STATUS_ARCH_MISMATCH:
      return "the requested functionality requires a feature absent from the device";
    case CUBLAS_STATUS_MAPPING_ERROR:
      return "an access to GPU memory space failed";
    case CUBLAS_STATUS_EXECUTION_FAILED:
      return "the function failed to launch on the GPU";
    case CUBLAS_STATUS_INTERNAL_ERROR:
      return "an internal operation failed";
    case CUBLAS_STATUS_NOT_SUPPORTED:
      return "the functionality is not supported";
    case CUBLAS_STATUS_LICENSE_ERROR:
      return "the license check failed";
  }
  return "unknown status";
}
