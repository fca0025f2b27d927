// Libraries and kernels (CUDA driver API, "Library Management"). A library is a module here, a
// kernel is its function.
#include "cuda/driver_api/entry.h"

using namespace raddle::cuda;

namespace {

CUmodule module(CUlibrary library) { return reinterpret_cast<CUmodule>(library); }
CUfunction function(CUkernel kernel) { return reinterpret_cast<CUfunction>(kernel); }

}  // namespace

CUresult cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option*, void**, unsigned,
                           CUlibraryOption*, void**, unsigned) {
  return cuModuleLoadData(reinterpret_cast<CUmodule*>(library), code);
}
CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* path, CUjit_option*, void**,
                               unsigned, CUlibraryOption*, void**, unsigned) {
  return cuModuleLoad(reinterpret_cast<CUmodule*>(library), path);
}
CUresult cuLibraryUnload(CUlibrary library) { return cuModuleUnload(module(library)); }
CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name) {
  return cuModuleGetFunction(reinterpret_cast<CUfunction*>(kernel), module(library), name);
}
CUresult cuLibraryGetKernelCount(unsigned* count, CUlibrary library) {
  return cuModuleGetFunctionCount(count, module(library));
}
CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned count, CUlibrary library) {
  return cuModuleEnumerateFunctions(reinterpret_cast<CUfunction*>(kernels), count, module(library));
}
CUresult cuLibraryGetModule(CUmodule* out, CUlibrary library) {
  return driver_anywhere(Cost::call, [&](Runtime&) {
    require(out != nullptr, cudaErrorInvalidValue);
    module_of(library);
    *out = module(library);
    return cudaSuccess;
  });
}
CUresult cuLibraryGetGlobal(CUdeviceptr* pointer, std::size_t* bytes, CUlibrary library,
                            const char* name) {
  return cuModuleGetGlobal(pointer, bytes, module(library), name);
}
CUresult cuLibraryGetManaged(CUdeviceptr* pointer, std::size_t* bytes, CUlibrary library,
                             const char* name) {
  return driver_anywhere(Cost::call, [&](Runtime&) {
    const raddle::isa::Variable& variable = variable_of(module_of(library), name);
    require(variable.managed, cudaErrorSymbolNotFound);
    if (pointer != nullptr) *pointer = variable.address;
    if (bytes != nullptr) *bytes = variable.size;
    return cudaSuccess;
  });
}

CUresult cuKernelGetFunction(CUfunction* out, CUkernel kernel) {
  return driver_anywhere(Cost::call, [&](Runtime& runtime) {
    require(out != nullptr, cudaErrorInvalidValue);
    runtime.kernel(kernel);
    *out = function(kernel);
    return cudaSuccess;
  });
}
CUresult cuKernelGetLibrary(CUlibrary* out, CUkernel kernel) {
  return driver_anywhere(Cost::call, [&](Runtime& runtime) {
    require(out != nullptr, cudaErrorInvalidValue);
    *out = reinterpret_cast<CUlibrary>(runtime.kernel(kernel).module);
    return cudaSuccess;
  });
}
CUresult cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel kernel,
                              CUdevice) {
  return cuFuncGetAttribute(value, attribute, function(kernel));
}
CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel,
                              CUdevice) {
  return cuFuncSetAttribute(function(kernel), attribute, value);
}
CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice) {
  return cuFuncSetCacheConfig(function(kernel), config);
}
CUresult cuKernelGetName(const char** name, CUkernel kernel) {
  return cuFuncGetName(name, function(kernel));
}
CUresult cuKernelGetParamInfo(CUkernel kernel, std::size_t index, std::size_t* offset,
                              std::size_t* size) {
  return cuFuncGetParamInfo(function(kernel), index, offset, size);
}
