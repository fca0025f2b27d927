// Which words of loads and stores may stand together (PTX ISA 9.7.9.8, 9.7.9.11), where the grammar
// in the instruction table does not say it.
#pragma once

#include <string_view>

#include "isa/form.h"

namespace raddle::isa {

/// Row::extra of ld and st: the order of the bits in Form::extra.
inline constexpr const char* kAccessWords =
    "L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate "
    "L2::evict_normal L2::evict_first L2::evict_last L2::64B L2::128B L2::256B mmio";

/// Why this combination is not allowed; "" if it is.
std::string_view wrong_access_words(const Form& form);

}  // namespace raddle::isa
