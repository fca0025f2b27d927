#include "isa/texture/reference.h"

#include "base/error.h"

namespace raddle::isa {
namespace {

using Setting = ptx::Variable::Setting;

AddressMode address_mode(const Setting& setting) {
  if (setting.value == "wrap") return AddressMode::wrap;
  if (setting.value == "mirror") return AddressMode::mirror;
  if (setting.value == "clamp_to_border") return AddressMode::border;
  if (setting.value == "clamp_to_edge" || setting.value == "clamp_ogl") return AddressMode::clamp;
  fail("'{}' is no value of '{}'", setting.value, setting.name);
}

bool flag(const Setting& setting) {
  if (setting.value != "0" && setting.value != "1") {
    fail("'{}' is no value of '{}': 0 or 1", setting.value, setting.name);
  }
  return setting.value == "1";
}

void apply(const Setting& setting, Sampler& sampler) {
  if (setting.name == "filter_mode") {
    if (setting.value != "nearest" && setting.value != "linear") {
      fail("'{}' is no value of 'filter_mode'", setting.value);
    }
    sampler.linear = setting.value == "linear";
  } else if (setting.name == "normalized_coords") {
    sampler.normalized = flag(setting);
  } else if (setting.name == "force_unnormalized_coords") {
    sampler.normalized = !flag(setting);
  } else if (setting.name.starts_with("addr_mode_") && setting.name.size() == 11 &&
             setting.name[10] >= '0' && setting.name[10] <= '2') {
    sampler.address[static_cast<std::size_t>(setting.name[10] - '0')] = address_mode(setting);
  } else {
    fail("'{}' is no setting of a texture or sampler, or not supported", setting.name);
  }
}

}  // namespace

TextureDescriptor reference_descriptor(const ptx::Variable& variable) {
  TextureDescriptor descriptor;
  descriptor.kind = variable.type == ptx::Type::samplerref ? HandleKind::sampler
                    : variable.type == ptx::Type::surfref  ? HandleKind::unbound_surface
                                                           : HandleKind::unbound_texture;
  // The coordinates of a sampler are normalized by default, those of a texture are not.
  descriptor.sampler.normalized = variable.type == ptx::Type::samplerref;
  for (const Setting& setting : variable.settings) apply(setting, descriptor.sampler);
  return descriptor;
}

}  // namespace raddle::isa
