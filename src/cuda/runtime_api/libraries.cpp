// Code loaded at run time (CUDA runtime API, "Library Management").
#include "cuda/runtime/libraries.h"

#include "cuda/runtime_api/entry.h"

using namespace raddle::cuda;

namespace {

cudaLibrary_t library(Module* module) { return reinterpret_cast<cudaLibrary_t>(module); }
cudaKernel_t handle(Kernel* kernel) { return reinterpret_cast<cudaKernel_t>(kernel); }

cudaError_t variable(void** pointer, std::size_t* bytes, cudaLibrary_t library, const char* name,
                     bool managed) {
  return call(Cost::call, [&](Runtime&) {
    const raddle::isa::Variable& one = variable_of(module_of(library), name);
    require(!managed || one.managed, cudaErrorSymbolNotFound);
    if (pointer != nullptr) *pointer = reinterpret_cast<void*>(one.address);
    if (bytes != nullptr) *bytes = one.size;
    return cudaSuccess;
  });
}

}  // namespace

cudaError_t cudaLibraryLoadData(cudaLibrary_t* out, const void* code, cudaJitOption*, void**,
                                unsigned, cudaLibraryOption*, void**, unsigned) {
  return call(Cost::allocate, [&](Runtime& runtime) {
    require(out != nullptr, cudaErrorInvalidValue);
    *out = library(load_code(runtime, code, next_module_name()));
    return cudaSuccess;
  });
}
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* out, const char* path, cudaJitOption*, void**,
                                    unsigned, cudaLibraryOption*, void**, unsigned) {
  return call(Cost::allocate, [&](Runtime& runtime) {
    require(out != nullptr, cudaErrorInvalidValue);
    *out = library(load_code_file(runtime, path));
    return cudaSuccess;
  });
}
cudaError_t cudaLibraryUnload(cudaLibrary_t one) {
  return call(Cost::allocate,
              [&](Runtime& runtime) { return unload_code(runtime, module_of(one)); });
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t* out, cudaLibrary_t one, const char* name) {
  return call(Cost::call, [&](Runtime&) {
    require(out != nullptr, cudaErrorInvalidValue);
    *out = handle(kernel_of(module_of(one), name));
    return cudaSuccess;
  });
}
cudaError_t cudaLibraryGetKernelCount(unsigned* count, cudaLibrary_t one) {
  return call(Cost::call, [&](Runtime&) {
    require(count != nullptr, cudaErrorInvalidValue);
    *count = static_cast<unsigned>(module_of(one)->kernels().size());
    return cudaSuccess;
  });
}
cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t* kernels, unsigned count, cudaLibrary_t one) {
  return call(Cost::call, [&](Runtime&) {
    require(kernels != nullptr || count == 0, cudaErrorInvalidValue);
    const std::vector<Kernel*> all = module_of(one)->kernels();
    for (unsigned i = 0; i < count && i < all.size(); ++i) {
      kernels[i] = handle(Runtime::registry().remember(all[i]));
    }
    return cudaSuccess;
  });
}

cudaError_t cudaLibraryGetGlobal(void** pointer, std::size_t* bytes, cudaLibrary_t one,
                                 const char* name) {
  return variable(pointer, bytes, one, name, false);
}
cudaError_t cudaLibraryGetManaged(void** pointer, std::size_t* bytes, cudaLibrary_t one,
                                  const char* name) {
  return variable(pointer, bytes, one, name, true);
}
