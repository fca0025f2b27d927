// What each modifier word means: which field of Form it sets.
#pragma once

#include <string_view>

#include "isa/form.h"

namespace raddle::isa {

/// Sets what `word` means after the opcode `mnemonic`. False when it has no meaning of its own
/// (a hint, or a word that the row lists under `extra`).
bool apply_word(std::string_view mnemonic, std::string_view word, Form& form);

}  // namespace raddle::isa
