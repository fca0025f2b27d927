// Functions that the compilers' start-up code calls (nvcc's crt/host_runtime.h, clang's CUDA code
// generation): registration of code, kernels and variables, and the launch ABI below
// cudaLaunchKernel.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "base/error.h"
#include "cuda/runtime/per_thread.h"
#include "cuda/runtime/texture_references.h"
#include "cuda/runtime_api/entry.h"

namespace raddle::cuda {
namespace {

struct Configuration {
  dim3 grid, block;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
};
std::vector<Configuration>& configurations() {
  return PerThread<std::vector<Configuration>>::mine();
}

/// Adds a module that could not be read: a launch of its kernels finds them unknown.
Module* add_module(std::vector<std::vector<Image>> parts, const void* wrapper) {
  static unsigned count = 0;
  ++count;
  const std::string name = count == 1 ? "program" : fmt::format("program.{}", count);
  return Runtime::registry().add(std::make_unique<Module>(name, std::move(parts), wrapper));
}

Module* module_of(void** handle) { return reinterpret_cast<Module*>(handle); }

void give_managed_variables_memory() {
  const cudaError_t loaded = call(Cost::none, [](Runtime& runtime) {
    runtime.load_managed();
    return cudaSuccess;
  });
  if (loaded == cudaSuccess) return;
  // The message with the cause may be far above in the output.
  std::fflush(stdout);
  std::fprintf(
      stderr,
      "raddle: the program ends here: it is about to use its __managed__ variables, which have "
      "no memory, since its device code cannot be loaded (%s)\n",
      cudaGetErrorString(loaded));
  std::exit(EXIT_FAILURE);
}

}  // namespace
}  // namespace raddle::cuda

using namespace raddle::cuda;

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
  const std::lock_guard lock(Runtime::mutex());
  std::vector<std::vector<Image>> parts;
  try {
    parts = read_wrapper(wrapper, "program");
  } catch (const raddle::Error& error) {
    std::fprintf(stderr, "raddle: %s\n", error.what());
  }
  return reinterpret_cast<void**>(add_module(std::move(parts), wrapper));
}

void __cudaRegisterFatBinaryEnd(void**) {
  // Managed variables in the program's own memory get their values here, from the PTX.
  if (Runtime::registry().managed_on_host()) give_managed_variables_memory();
}

void __cudaRegisterManagedSection(const void* begin, const void* end) {
  const std::lock_guard lock(Runtime::mutex());
  Runtime::registry().note_managed_section(static_cast<const std::byte*>(begin),
                                           static_cast<const std::byte*>(end));
}

void __cudaUnregisterFatBinary(void** handle) {
  // The process ends, or a library is unloaded: running work still needs the code.
  (void)handle;
  Runtime* runtime = Runtime::existing();
  if (runtime != nullptr) runtime->release_code();
}

void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int, uint3*,
                            uint3*, dim3*, dim3*, int*) {
  const std::lock_guard lock(Runtime::mutex());
  Runtime::registry().register_kernel(module_of(handle), host, name);
}

void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, std::size_t, int,
                       int) {
  const std::lock_guard lock(Runtime::mutex());
  Runtime::registry().register_variable(module_of(handle), host, name);
}

void __cudaRegisterManagedVar(void** handle, void** host, char*, const char* name, int, std::size_t,
                              int, int) {
  const std::lock_guard lock(Runtime::mutex());
  Runtime::registry().register_managed(module_of(handle), host, name);
}

void __cudaRegisterHostVar(void** handle, const char* name, char* host, std::size_t) {
  __cudaRegisterVar(handle, host, nullptr, name, 0, 0, 0, 0);
}

void __cudaRegisterTexture(void** handle, const void* host, const void**, const char* name, int,
                           int read_mode, int) {
  const std::lock_guard lock(Runtime::mutex());
  register_reference(module_of(handle), host, name, false,
                     read_mode == cudaReadModeNormalizedFloat);
}

void __cudaRegisterSurface(void** handle, const void* host, const void**, const char* name, int,
                           int) {
  const std::lock_guard lock(Runtime::mutex());
  register_reference(module_of(handle), host, name, true, false);
}

void __cudaRegisterUnifiedTable(void**, void*) {}

char __cudaInitModule(void**) {
  give_managed_variables_memory();
  return 1;
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared,
                                     cudaStream_t stream) {
  configurations().push_back({grid, block, shared, stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
  if (configurations().empty()) return cudaErrorMissingConfiguration;
  const Configuration configuration = configurations().back();
  configurations().pop_back();
  *grid = configuration.grid;
  *block = configuration.block;
  *shared = configuration.shared;
  *static_cast<cudaStream_t*>(stream) = configuration.stream;
  return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t* handle, const void* host) {
  const std::lock_guard lock(Runtime::mutex());
  Kernel* kernel = Runtime::registry().kernel(host);
  *handle = reinterpret_cast<cudaKernel_t>(kernel);
  return kernel == nullptr ? cudaErrorInvalidDeviceFunction : cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               std::size_t shared, cudaStream_t stream) {
  return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments, shared,
                          stream);
}

cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                                    std::size_t shared, cudaStream_t stream) {
  return __cudaLaunchKernel(kernel, grid, block, arguments, shared,
                            stream == nullptr ? cudaStreamPerThread : stream);
}

}  // extern "C"
