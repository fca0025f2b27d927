// Operands that fit an instruction's words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace raddle::tests {

/// What may stand for one operand: first what fits, then what may or may not.
using OperandChoices = std::vector<std::string>;

/// One entry an operand. Registers: %p<8> .pred, %rs<24> .b16, %r<64> .b32, %rd<24> .b64, %q<12>
/// .b128, %f<8> .f32, %fd<8> .f64, %u<8> .u32, %s<8> .s32, %h<8> .f16; variables G (.global), S
/// (.shared), C (.const), L (.local), all of 64 bytes; kernel parameters P0 (.u64), PB (32 bytes).
std::vector<OperandChoices> operand_choices(std::string_view mnemonic,
                                            const std::vector<std::string>& words);

}  // namespace raddle::tests
