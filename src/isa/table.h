// The instruction table: one row for each form family, in the notation of the PTX manual. The
// decoder, the disassembler, the coverage page and the checklist of the tests are all made from it.
#pragma once

#include <span>
#include <string_view>

#include "isa/form.h"
#include "isa/instruction.h"

namespace raddle::ptx {
struct Instruction;
}

namespace raddle::isa {

/// Chooses the semantics for a matched form; nullptr: the combination is not legal PTX.
using Select = Execute (*)(const Form&);

struct Lowering;
struct Match;
/// Decodes an instruction of a row with operands of a special kind (lower/rows.h).
using Lower = void (*)(Lowering&, const ptx::Instruction&, const Match&);

/// What operands may be besides registers and constants; bits of OperandForm::takes. Every operand
/// may also be WARP_SZ, or the address of a variable with an offset.
enum Takes : std::uint8_t {
  kTakesParts = 1,     // parts of registers: a.b0
  kTakesSymbols = 2,   // the address of a variable
  kTakesSpecials = 4,  // special registers
  kTakesPacked = 8,    // {a, b}: the elements of one value
  kTakesNarrow = 16,   // generic addresses of 32 bits: ptxas accepts them, raddle cannot run them
};

/// What a row says about operands: their roles, or the function that decodes them, or both. With
/// both, the roles give the possible number of operands.
struct OperandForm {
  std::string_view roles;
  Lower lower = nullptr;
  // NOLINTBEGIN(google-explicit-constructor): rows are written as plain lists
  constexpr OperandForm(const char* roles) : roles(roles) {}
  constexpr OperandForm(std::string_view roles) : roles(roles) {}
  constexpr OperandForm(Lower lower) : lower(lower) {}
  // NOLINTEND
  constexpr OperandForm(const char* roles, Lower lower, std::uint8_t takes = 0)
      : roles(roles), lower(lower), takes(takes) {}
  constexpr OperandForm(Lower lower, std::uint8_t takes) : lower(lower), takes(takes) {}
  std::uint8_t takes = 0;  // see Takes
};

/// Effects of an instruction that its operands do not show; bits of Row::effects.
enum Effect : std::uint8_t {
  kReadsCarry = 1,    // CC.CF; Form::carry_out marks instructions that write it
  kChangesState = 2,  // of the thread or the machine, or reads the time: the instruction stays
  kReadsLanes = 4,    // values of other lanes, or which lanes run together
  kTakesStack = 8,    // the function gives back local memory when it returns
};

struct Row {
  /// Opcode: "add".
  std::string_view mnemonic;
  /// What follows the opcode, in order: `{x|y}` optional, `(x|y)` one of, `.x` fixed. Groups hold
  /// words with their dots: "{.rn|.rz|.rm|.rp}{.ftz}{.sat}.f32", "(.lo|.hi).(u32|s32)" is written
  /// "(.lo|.hi)(.u32|.s32)". Types fill Form::type, type2, type3 in the order written. `[x|y]`,
  /// only at the start: one of, as part of the opcode. These words come first and all others may
  /// follow in any order, as in ptxas ("mbarrier.arrive.expect_tx").
  std::string_view syntax;
  /// Operands, separated by spaces, each role[:type]:
  ///   d          destination; d:w twice as wide as t1; d_ may be left out with `_`
  ///   p  p|q     destination predicate(s); the |q half may be left out by the program
  ///   a b c e    sources, to Instruction::s[0..3] in this order
  ///   !c         source predicate, may be negated: Instruction::source_predicate
  ///   #c         integer constant: Instruction::immediate
  ///   [a]        address: base register in s[0] (or constant), offset in immediate
  /// Type: t1 (default), t2, t3, w (t1 twice as wide), pred, or a type name. A trailing ? =
  /// optional.
  ///   a:pred     a source predicate as an ordinary operand, one per row: s[0] is its number, with
  ///              kConstantBit set when it is negated (constants: true and negated true)
  ///   d|p        destination register and destination predicate, which may be left out;
  ///              d_|p, d|p!: the register may be `_`, the predicate must be there
  /// Operands have exactly the size that the row says. A Lower handles all other cases.
  OperandForm operands = "";
  Class klass = Class::move;
  Kind kind = Kind::compute;
  Select select = nullptr;
  /// Section of the PTX ISA manual, version 8.5: "9.7.1.1".
  std::string_view section;
  /// Words that only this family has, separated by spaces, without dots; see Form::extra.
  std::string_view extra = {};
  std::uint8_t effects = 0;  // see Effect
};

/// All rows; the families are in isa/table/*.cpp.
std::span<const std::span<const Row>> table();

// The families (each defined in isa/table/<name>.cpp).
std::span<const Row> integer_rows();          // 9.7.1, 9.7.2
std::span<const Row> float_rows();            // 9.7.3
std::span<const Row> half_rows();             // 9.7.4, 9.7.5
std::span<const Row> comparison_rows();       // 9.7.6, 9.7.7
std::span<const Row> logic_rows();            // 9.7.8
std::span<const Row> conversion_rows();       // cvt, cvt.pack (9.7.9.21, 9.7.9.22)
std::span<const Row> video_rows();            // 9.7.17, dp4a, dp2a
std::span<const Row> data_movement_rows();    // 9.7.9 without cvt
std::span<const Row> texture_rows();          // 9.7.10, 9.7.11
std::span<const Row> control_flow_rows();     // 9.7.12
std::span<const Row> synchronization_rows();  // 9.7.13
std::span<const Row> matrix_rows();           // 9.7.14
std::span<const Row> miscellaneous_rows();    // stack manipulation, 9.7.19

}  // namespace raddle::isa
