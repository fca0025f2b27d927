// .texref, .samplerref and .surfref variables: what their initial values say (PTX ISA 5.3).
#pragma once

#include "isa/texture/descriptor.h"
#include "ptx/module.h"

namespace raddle::isa {

/// The variable's descriptor before anything is bound. Throws Error for settings that do not exist.
TextureDescriptor reference_descriptor(const ptx::Variable& variable);

}  // namespace raddle::isa
