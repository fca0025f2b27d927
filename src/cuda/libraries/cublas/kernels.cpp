#include "cuda/libraries/cublas/kernels.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "cuda/runtime/attributes.h"
#include "cuda/runtime/libraries.h"
#include "cuda/runtime/memory.h"

namespace raddle::cublas {

/// The PTX of kernels.cu (CMakeLists.txt).
extern const char* const kPtx;

namespace {

/// Loaded when the first kernel is launched; a reset of the device unloads it.
cuda::Module* module(Runtime& runtime) {
  static auto* loaded = cuda::forgotten_at_reset(new std::vector<cuda::Module*>);
  if (loaded->empty()) loaded->push_back(cuda::load_code(runtime, kPtx, "libcublas"));
  return loaded->front();
}

}  // namespace

void run(Runtime& runtime, cublasContext& handle, const std::string& name, const void* parameters,
         std::size_t bytes, Dim3 grid) {
  cuda::Kernel* kernel = cuda::kernel_of(module(runtime), ("raddle_" + name).c_str());
  std::vector<std::byte> values(kernel->function->parameter_bytes);
  std::memcpy(values.data(), parameters, std::min(bytes, values.size()));
  cuda::LaunchShape shape;
  shape.grid = grid;
  shape.block = {kThreads, 1, 1};
  cuda::launch(runtime, runtime.stream(handle.stream),
               cuda::kernel_work(*kernel, shape, std::move(values)));
}

int multiprocessors(Runtime& runtime) {
  return cuda::attribute(runtime.config(), cudaDevAttrMultiProcessorCount).value_or(1);
}

Dim3 blocks_for(Runtime& runtime, std::int64_t elements) {
  // Enough blocks to fill any GPU several times; with more elements each thread takes several.
  const std::int64_t most = 32 * static_cast<std::int64_t>(multiprocessors(runtime));
  const std::int64_t blocks = (elements + kThreads - 1) / kThreads;
  return {static_cast<unsigned>(std::max<std::int64_t>(1, std::min(blocks, most))), 1, 1};
}

void require_on_host(Runtime& runtime, const void* address, const char* what) {
  if (cuda::facts(runtime, address).type != cudaMemoryTypeDevice) return;
  throw Wrong(CUBLAS_STATUS_INVALID_VALUE,
              fmt::format("{} at {} is in device memory, and the pointer mode is "
                          "CUBLAS_POINTER_MODE_HOST (cublasSetPointerMode)",
                          what, address));
}

}  // namespace raddle::cublas
