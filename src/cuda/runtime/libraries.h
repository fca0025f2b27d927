// Code that a program loads while it runs: cuModule, cuLibrary and cudaLibrary are the same here.
#pragma once

#include "cuda/runtime/runtime.h"

namespace raddle::cuda {

/// Loads PTX text that ends in NUL, a fat binary, or a text that link() has returned.
Module* load_code(Runtime& runtime, const void* image, const std::string& name);
/// The same from a file. Refuses with cudaErrorFileNotFound.
Module* load_code_file(Runtime& runtime, const char* path);
std::string read_code_file(const char* path);
/// Waits for all work, then forgets the module.
cudaError_t unload_code(Runtime& runtime, Module* module);
/// "module.3"
std::string next_module_name();

/// The loaded module behind a handle. Refuses unknown handles.
Module* module_of(const void* handle);
/// Refuse unknown names with cudaErrorSymbolNotFound.
Kernel* kernel_of(Module* module, const char* name);
const isa::Variable& variable_of(Module* module, const char* name);

/// The images that read_code() finds, parsed once: the driver compiles code when it is added to a
/// link. Throws InputError for wrong PTX.
std::vector<std::vector<Image>> code_to_link(Runtime& runtime, const void* code, bool is_ptx,
                                             const std::string& name);

/// Keeps parts that will form one program; the result is a text that load_code() understands.
std::string link(std::vector<std::vector<Image>> parts);

}  // namespace raddle::cuda
