// The meaning of each modifier word: the field of Form that it sets.
#pragma once

#include <string_view>

#include "isa/form.h"

namespace raddle::isa {

/// Sets the field of `form` for `word` after the opcode `mnemonic`. Returns false when the word has
/// no meaning of its own (a hint, or a word that the row lists under `extra`).
bool apply_word(std::string_view mnemonic, std::string_view word, Form& form);

}  // namespace raddle::isa
