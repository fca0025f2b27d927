// cuBLAS's handles, and the errors of its functions (cuBLAS documentation, "cublasStatus_t").
#pragma once

#include <functional>
#include <map>
#include <string>

#include "cublas_api.h"
#include "cuda/runtime/call.h"

/// A handle: its settings, and memory for the values that reductions pass from kernel to kernel.
struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
  cublasMath_t math_mode = CUBLAS_DEFAULT_MATH;
  cublasAtomicsMode_t atomics_mode = CUBLAS_ATOMICS_NOT_ALLOWED;
  int sm_count = 0;
  std::map<std::uint32_t, void*> scratch;  // by stream
};

namespace raddle::cublas {

using cuda::Cost;
using cuda::Runtime;

/// Thrown when a call is not possible.
struct Wrong {
  cublasStatus_t status;
  std::string why;
};

/// Refuses with CUBLAS_STATUS_INVALID_VALUE unless the condition holds. The message is the
/// condition in the source's words, since its readers are programmers.
#define blas_require(condition) \
  ((condition)                  \
       ? static_cast<void>(0)   \
       : throw ::raddle::cublas::Wrong(CUBLAS_STATUS_INVALID_VALUE, "it requires " #condition))

/// Runs `work` as a call of the program's. Turns exceptions and CUDA errors into a status.
cublasStatus_t blas(Cost cost, const std::function<void(Runtime&)>& work);
/// The same with a handle; CUBLAS_STATUS_NOT_INITIALIZED for an unknown handle.
cublasStatus_t blas(Cost cost, cublasHandle_t handle,
                    const std::function<void(Runtime&, cublasContext&)>& work);

cublasHandle_t create(Runtime& runtime);
/// Waits for all work first.
void destroy(Runtime& runtime, cublasHandle_t handle);

/// Device memory for the parts and the result of a reduction, one piece for each of the handle's
/// streams. May be called while a stream is captured.
void* scratch(Runtime& runtime, cublasContext& handle);

/// Reports once a function, or a case of one, that is not supported.
[[noreturn]] void not_here(const std::string& what);

}  // namespace raddle::cublas
