// The initial values of .texref, .samplerref and .surfref variables (PTX ISA 5.3).
#pragma once

#include "isa/texture/descriptor.h"
#include "ptx/module.h"

namespace raddle::isa {

/// The variable's descriptor before a binding. Throws Error for unknown settings.
TextureDescriptor reference_descriptor(const ptx::Variable& variable);

}  // namespace raddle::isa
