#include "cuda/runtime/texture_references.h"

#include <fmt/core.h>

#include <map>
#include <memory>

namespace raddle::cuda {
namespace {

struct Registered {
  Module* module = nullptr;
  std::string name;
  bool surface = false, integers_to_float = false;
};

std::map<const void*, Registered>& registered() {
  static auto* all = new std::map<const void*, Registered>;
  return *all;
}

using Key = std::pair<Module*, std::string>;
std::map<Key, std::unique_ptr<TextureReference>>& references() {
  static auto* all = forgotten_at_reset(new std::map<Key, std::unique_ptr<TextureReference>>);
  return *all;
}

const Registered& registration(const void* host, cudaError_t unknown) {
  const auto found = registered().find(host);
  require(found != registered().end(), unknown,
          fmt::format("{} is not a texture or surface reference of this program", host));
  return found->second;
}

Address address_of(const TextureReference& reference) {
  return reference.module->variable(reference.name)->address;
}

}  // namespace

TextureReference* find_reference(Runtime& runtime, Module& module, const std::string& name,
                                 bool surface) {
  runtime.load(module);
  const isa::Variable* variable = module.variable(name);
  const ptx::Type wanted = surface ? ptx::Type::surfref : ptx::Type::texref;
  if (variable == nullptr || variable->type != wanted) return nullptr;
  auto& one = references()[{&module, name}];
  if (one == nullptr) {
    one = std::make_unique<TextureReference>();
    one->module = &module;
    one->name = name;
    one->surface = surface;
    // The defaults of texture<>.
    for (auto& mode : one->parts.settings.addressMode) mode = cudaAddressModeClamp;
  }
  return one.get();
}

void register_reference(Module* module, const void* host, const std::string& name, bool surface,
                        bool integers_to_float) {
  module->expect(name);
  registered()[host] = {module, name, surface, integers_to_float};
}

TextureReference& registered_reference(Runtime& runtime, const void* host) {
  const Registered& one = registration(host, cudaErrorInvalidTexture);
  TextureReference* found = find_reference(runtime, *one.module, one.name, one.surface);
  require(found != nullptr, one.surface ? cudaErrorInvalidSurface : cudaErrorInvalidTexture);
  return *found;
}

bool reads_integers_as_floats(const void* host) {
  return registration(host, cudaErrorInvalidTexture).integers_to_float;
}

void bind(Runtime& runtime, TextureReference& reference) {
  write_descriptor(runtime, address_of(reference),
                   reference.surface ? describe_surface(reference.parts.resource)
                                     : describe_texture(reference.parts));
  reference.bound = true;
}

void unbind(Runtime& runtime, TextureReference& reference) {
  if (!reference.bound) return;
  isa::TextureDescriptor nothing;
  nothing.kind =
      reference.surface ? isa::HandleKind::unbound_surface : isa::HandleKind::unbound_texture;
  write_descriptor(runtime, address_of(reference), nothing);
  reference.bound = false;
}

}  // namespace raddle::cuda
