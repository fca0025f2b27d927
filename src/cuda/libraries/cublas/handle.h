// cuBLAS's handles, and how its functions fail (cuBLAS documentation, "cublasStatus_t").
#pragma once

#include <functional>
#include <map>
#include <string>

#include "cublas_api.h"
#include "cuda/runtime/call.h"

/// A handle: what was set, and memory for what its reductions leave between two kernels.
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

/// Thrown where a call cannot be done.
struct Wrong {
  cublasStatus_t status;
  std::string why;
};

/// Refuses with CUBLAS_STATUS_INVALID_VALUE unless the condition holds; it is told to the person at
/// the program as it stands in the source, since those who read it are programmers.
#define blas_require(condition) \
  ((condition)                  \
       ? static_cast<void>(0)   \
       : throw ::raddle::cublas::Wrong(CUBLAS_STATUS_INVALID_VALUE, "it requires " #condition))

/// Runs `work` as a call of the program's; what it throws, and what CUDA says, as a status.
cublasStatus_t blas(Cost cost, const std::function<void(Runtime&)>& work);
/// The same with a handle; CUBLAS_STATUS_NOT_INITIALIZED for what is none.
cublasStatus_t blas(Cost cost, cublasHandle_t handle,
                    const std::function<void(Runtime&, cublasContext&)>& work);

cublasHandle_t create(Runtime& runtime);
/// Waits for all work first.
void destroy(Runtime& runtime, cublasHandle_t handle);

/// Device memory for the parts and the result of a reduction, a piece for each of the handle's
/// streams. It may be asked for while a stream is captured.
void* scratch(Runtime& runtime, cublasContext& handle);

/// A function, or a case of one, that is not supported: says so once.
[[noreturn]] void not_here(const std::string& what);

}  // namespace raddle::cublas
