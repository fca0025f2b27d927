// A decoded instruction: all that running it takes, nothing that has to be looked up.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/types.h"
#include "isa/slow_path.h"

namespace raddle::isa {

struct WarpContext;
struct Instruction;

/// Carries an instruction out for the active lanes of a warp.
using Execute = void (*)(WarpContext&, const Instruction&);

/// What an instruction is to the pipeline: descriptions give unit, latency and issue interval for
/// each. Names are the keys of the descriptions' tables.
enum class Class : std::uint8_t {
  move,           // mov, selp, setp and logic of predicates, s2r
  int_add,        // add, sub, min, max, abs, neg, sad
  int_logic,      // and or xor not lop3
  int_compare,    // setp, set, slct, of integers and single precision; min, max of the latter
  int_shift,      // shl shr shf
  int_mul,        // mul, mad, 24-bit ones
  int_mul_wide,   // hi halves, 64-bit products
  int_div,        // div, rem (a sequence on real hardware)
  int_quotient,   // div, rem by a divisor whose reciprocal is there (passes/shared_reciprocals.cpp)
  bit_field,      // bfe bfi bmsk brev prmt fns szext
  bit_count,      // popc bfind
  leading_zeros,  // clz (bfind and a subtraction on real hardware)
  convert,        // cvt among 32-bit and narrower
  convert_wide,   // cvt with a 64-bit side
  video,          // dp4a, vadd...
  fp32,           // add sub mul fma
  fp32_div,       // div.rn, div.full (sequence)
  fp32_rcp,       // rcp.rn (sequence)
  fp32_sqrt,      // sqrt.rn (sequence)
  special,        // rcp rsqrt sqrt sin cos lg2 ex2 tanh .approx
  fp64,
  fp64_div,
  fp64_sqrt,
  half,  // f16, bf16, packed
  shuffle,
  vote,    // vote match activemask redux
  branch,  // bra brx call ret exit
  barrier,
  fence,
  load_store,  // global, local, generic
  shared_memory,
  constant_load,  // ld.param of kernels, ld.const
  atomic,
  texture,
  tensor,   // Instruction::elements: steps of 1024 half-precision multiply-adds (16x8x8), or what
            // takes as long: twice as many of 8 bits, half as many of tf32
  control,  // nanosleep, trap, pmevent, nop
  count_
};

/// Numbers behind those of Class, for the classes that mechanisms bring: a loader's user hands them
/// out (machine/loader.h), so that whoever has an array of classes has room for them.
inline constexpr std::size_t kExtensionClasses = 8;
inline constexpr std::size_t kClassNumbers =
    static_cast<std::size_t>(Class::count_) + kExtensionClasses;
/// In the rows of a mechanism: its own n-th class. Loading replaces it by the number handed out.
constexpr Class own_class(unsigned n) {
  return static_cast<Class>(static_cast<unsigned>(Class::count_) + n);
}

/// What the warp does with it, beyond executing it.
enum class Kind : std::uint8_t {
  compute,  // execute() is all
  memory,   // execute() fills WarpContext::access
  branch,   // bra, brx: changes the split's pc
  call,
  ret,
  exit,
  barrier,    // bar/barrier: the block decides when the warp goes on
  warp_sync,  // names lanes which must arrive together: bar.warp.sync, shfl/vote/match/redux .sync
  builtin,    // a call which the simulator itself carries out: vprintf, malloc ...
  other,      // nanosleep, trap ... : see WarpContext::event
  unit        // executed by a unit that a mechanism brings: Instruction::unit; without timing,
              // execute() is all
};

/// Where an operand's 32 lanes are: a byte offset into the frame's registers, or, with bit 31 set,
/// into the function's constants (immediates, broadcast to 32 lanes).
/// 8-, 16- and 32-bit values: 32 uint32_t (upper bits of narrow ones are zero); 64-bit: 32
/// uint64_t; 128-bit: 32 low then 32 high uint64_t. Rows are 128 bytes; wide values start at an
/// even row.
using Slot = std::uint32_t;
inline constexpr Slot kConstantBit = 0x8000'0000u;
inline constexpr unsigned kRowBytes = 4 * kWarpSize;

/// Predicate 0 of every frame is always true, predicate 1 takes what is thrown away (`_`).
inline constexpr std::uint16_t kTruePredicate = 0;
inline constexpr std::uint16_t kSinkPredicate = 1;
inline constexpr std::uint16_t kFirstPredicate = 2;

struct Instruction {
  Execute execute = nullptr;
  Slot d = 0;                // destination
  Slot s[4] = {0, 0, 0, 0};  // sources a, b, c, e
  std::uint16_t guard = kTruePredicate;
  std::uint16_t p = kSinkPredicate, q = kSinkPredicate;  // destination predicates p|q
  std::uint16_t source_predicate = kTruePredicate;
  LaneMask guard_flip = 0;  // all ones when negated: lanes = (predicates[guard] ^ flip)
  /// Of the joint sequence of a branch's sides (lower/joint_sequence.h): the predicate that holds the
  /// lanes of its side, besides the guard.
  std::uint16_t side = kTruePredicate;
  bool of_side = false, side_negated = false;
  bool ends_segment = false;    // where lanes of one side alone may have what follows to themselves
  bool operands_apart = false;  // of a pair: its parts' operands are collected one after the other
  LaneMask source_flip = 0;
  // Kind::unit: which; Kind::compute: machine instructions that it stands for beyond the first
  std::uint8_t unit = 0;
  bool has_result = false;              // it writes a register or a predicate
  bool guards = false;                  // a predicate that it writes is the guard of an instruction
  SlowPath slow_path = SlowPath::none;  // the warp goes on when its result is there
  std::int64_t immediate = 0;           // address offset, lop3 table, barrier id ...
  std::uint32_t target = 0;  // branch: instruction index; call: function index; tables: index
  // branch: where its paths meet again (kNoReconvergence: nowhere); of a side alone: where its segment ends
  std::uint32_t reconverge = 0;
  Class klass = Class::move;
  Kind kind = Kind::compute;
  std::uint8_t bytes = 0;      // memory: bytes per lane, all elements together
  std::uint8_t elements = 1;   // memory: vector length; tensor: steps, see Class::tensor
  std::uint16_t function = 0;  // whose instruction it is
  std::uint16_t extra = 0;     // free to the family (address space, cache operator ...)
};
inline constexpr std::uint32_t kNoReconvergence = ~std::uint32_t{0};

/// Instruction::extra of branches.
inline constexpr std::uint16_t kBranchTable = 1;  // brx
/// The branch of a joint sequence: lanes go on together; execute() keeps which it would have taken.
/// `immediate`: entries of the stack that it takes when lanes go both ways.
inline constexpr std::uint16_t kJointBranch = 2;

/// The lanes of `lanes` that execute the instruction, by a warp's predicates.
inline LaneMask guarded(const Instruction& i, const LaneMask* predicates, LaneMask lanes) {
  lanes &= predicates[i.guard] ^ i.guard_flip;
  if (i.of_side) [[unlikely]]
    lanes &= predicates[i.side] ^ (i.side_negated ? kAllLanes : 0);
  return lanes;
}

/// Registers that an instruction reads or writes, for the scoreboard: bit r is row r modulo 256,
/// bit p of `predicates` predicate p modulo 64.
struct RegisterSet {
  std::uint64_t rows[4] = {0, 0, 0, 0};
  std::uint64_t predicates = 0;
  bool meets(const RegisterSet& o) const {
    return ((rows[0] & o.rows[0]) | (rows[1] & o.rows[1]) | (rows[2] & o.rows[2]) |
            (rows[3] & o.rows[3]) | (predicates & o.predicates)) != 0;
  }
  void add(const RegisterSet& o) {
    for (int i = 0; i < 4; ++i) rows[i] |= o.rows[i];
    predicates |= o.predicates;
  }
  void remove(const RegisterSet& o) {
    for (int i = 0; i < 4; ++i) rows[i] &= ~o.rows[i];
    predicates &= ~o.predicates;
  }
  bool empty() const { return (rows[0] | rows[1] | rows[2] | rows[3] | predicates) == 0; }
};

/// What an instruction reads, as the banks of the register file see it: 32-bit registers by the
/// number which the allocator gave them.
struct SourceRegisters {
  std::uint64_t residues = 0;  // registers whose number is k modulo 16: four bits for each k,
                               // at most 15 in all
  std::uint8_t count = 0;      // of different registers
  std::uint8_t width[3] = {0, 0, 0};  // of s[0], s[1], s[2]: registers; 0 if none, or as one before
  std::uint16_t number[3] = {0, 0, 0};  // the first of them
};

}  // namespace raddle::isa
