// A function as the passes see it: which instruction may follow which, and which registers each
// reads and writes. The instruction table makes this from the syntax tree (isa/lower), so the
// passes need no opcodes.
#pragma once

#include <cstdint>
#include <vector>

namespace raddle::ptx {

struct FlowInstruction {
  bool falls_through = true;                 // control may reach the next instruction
  std::vector<std::uint32_t> targets;        // instructions that control may jump to
  std::vector<std::uint32_t> reads, writes;  // register ids
  bool conditional = false;  // guarded: a write keeps the old value of some lanes, so it does not
                             // kill
};

struct FlowRegister {
  enum class File : std::uint8_t { predicate, general } file = File::general;
  std::uint8_t rows =
      1;  // general: number of 32-bit rows (1, 2 for 64 bits, 4 for 128), aligned to the same
          // number
  bool constant_bank = false;  // hardware reads it from a constant bank, so it takes no register
                               // there
};

struct FlowFunction {
  std::vector<FlowInstruction> instructions;
  std::vector<FlowRegister> registers;
};

}  // namespace raddle::ptx
