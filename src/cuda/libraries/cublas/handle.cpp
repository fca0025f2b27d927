#include "cuda/libraries/cublas/handle.h"

#include <fmt/core.h>

#include <set>

#include "cuda/libraries/cublas/parameters.h"
#include "cuda/runtime/entry_name.h"
#include "cuda/runtime/explain.h"
#include "cuda/runtime/memory.h"

namespace raddle::cublas {

namespace {

/// The existing handles. A reset of the device ends them.
std::set<cublasHandle_t>& handles() {
  static auto* all = cuda::forgotten_at_reset(new std::set<cublasHandle_t>);
  return *all;
}

cublasStatus_t status_of(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return CUBLAS_STATUS_SUCCESS;
    case cudaErrorMemoryAllocation:
      return CUBLAS_STATUS_ALLOC_FAILED;
    case cudaErrorNotSupported:
      return CUBLAS_STATUS_NOT_SUPPORTED;
    case cudaErrorInitializationError:
      return CUBLAS_STATUS_NOT_INITIALIZED;
    default:
      return CUBLAS_STATUS_EXECUTION_FAILED;
  }
}

void tell(Runtime& runtime, const Wrong& wrong) {
  const std::string entry = cuda::public_name(cuda::entry_name());
  if (wrong.status == CUBLAS_STATUS_NOT_SUPPORTED) {
    runtime.tell(fmt::format("{}: {} is not supported", entry, wrong.why));
  } else {
    runtime.tell_mistake(
        entry, fmt::format("{}: {}: {}", entry, cublasGetStatusName(wrong.status), wrong.why));
  }
}

}  // namespace

cublasStatus_t blas(Cost cost, const std::function<void(Runtime&)>& work) {
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  const cudaError_t error = cuda::call(cost, [&](Runtime& runtime) {
    try {
      work(runtime);
    } catch (const Wrong& wrong) {
      tell(runtime, wrong);
      status = wrong.status;
    }
    return cudaSuccess;
  });
  return status != CUBLAS_STATUS_SUCCESS ? status : status_of(error);
}

cublasStatus_t blas(Cost cost, cublasHandle_t handle,
                    const std::function<void(Runtime&, cublasContext&)>& work) {
  return blas(cost, [&](Runtime& runtime) {
    if (!handles().contains(handle)) {
      throw Wrong(CUBLAS_STATUS_NOT_INITIALIZED,
                  fmt::format("{} is not a handle of cublasCreate, or was destroyed",
                              static_cast<const void*>(handle)));
    }
    work(runtime, *handle);
  });
}

cublasHandle_t create(Runtime&) {
  auto* handle = new cublasContext;
  handles().insert(handle);
  return handle;
}

void destroy(Runtime& runtime, cublasHandle_t handle) {
  handles().erase(handle);
  runtime.device().wait_for_all();
  for (const auto& [stream, memory] : handle->scratch) cuda::release(runtime, memory, false);
  delete handle;
}

void* scratch(Runtime& runtime, cublasContext& handle) {
  void*& memory = handle.scratch[runtime.stream(handle.stream).id];
  if (memory == nullptr) {
    constexpr std::size_t kBytes = (kReductionBlocks + 1) * kPartBytes;
    memory = cuda::allocate_in_order(runtime, kBytes, "cublasCreate");
  }
  return memory;
}

void not_here(const std::string& what) { throw Wrong(CUBLAS_STATUS_NOT_SUPPORTED, what); }

}  // namespace raddle::cublas
