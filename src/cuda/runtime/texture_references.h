// Texture and surface references (CUDA 11 and the driver API): variables of a module to which the
// host binds memory.
#pragma once

#include <string>

#include "cuda/runtime/textures.h"

namespace raddle::cuda {

/// One .texref or .surfref variable. CUtexref and CUsurfref point at it.
struct TextureReference {
  Module* module = nullptr;
  std::string name;
  bool surface = false;
  TextureParts parts;  // the settings apply when memory is bound
  cudaChannelFormatDesc format = {8, 0, 0, 0, cudaChannelFormatKindUnsigned};  // cuTexRefSetFormat
  bool bound = false;
};

/// The reference of that name in a loaded module; nullptr when it has none. Each call returns the
/// same object.
TextureReference* find_reference(Runtime& runtime, Module& module, const std::string& name,
                                 bool surface);

/// Called by start-up code. `host` is the address of the program's reference object.
void register_reference(Module* module, const void* host, const std::string& name, bool surface,
                        bool integers_to_float);
/// The reference behind a registered host object; its module is loaded. Refuses unknown ones.
TextureReference& registered_reference(Runtime& runtime, const void* host);
bool reads_integers_as_floats(const void* host);

/// Makes kernels that start from this call on see the memory that the reference is bound to.
void bind(Runtime& runtime, TextureReference& reference);
void unbind(Runtime& runtime, TextureReference& reference);

}  // namespace raddle::cuda
