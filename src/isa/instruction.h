// A decoded instruction: everything that is needed to run it, so that nothing is looked up.
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

/// The class of an instruction in the pipeline. Descriptions give unit, latency and issue interval
/// for each class. The names are the keys of the descriptions' tables.
enum class Class : std::uint8_t {
  move,           // mov, selp, setp and logic of predicates, s2r
  int_add,        // add, sub, min, max, abs, neg, sad
  int_logic,      // and or xor not lop3
  int_compare,    // setp, set, slct of integers and single precision; min, max of single precision
  int_shift,      // shl shr shf
  int_mul,        // mul, mad, 24-bit ones
  int_mul_wide,   // hi halves, 64-bit products
  int_div,        // div, rem (a sequence on real hardware)
  int_quotient,   // div, rem by a divisor with a known reciprocal (passes/shared_reciprocals.cpp)
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
  tensor,   // Instruction::elements: steps of 1024 half-precision multiply-adds (16x8x8), or the
            // same time of other types: 2048 of 8 bits, 512 of tf32
  control,  // nanosleep, trap, pmevent, nop
  count_
};

/// Numbers after those of Class, for classes that mechanisms add. The user of a loader assigns them
/// (machine/loader.h). Arrays with one entry for each class have room for them.
inline constexpr std::size_t kExtensionClasses = 8;
inline constexpr std::size_t kClassNumbers =
    static_cast<std::size_t>(Class::count_) + kExtensionClasses;
/// In the rows of a mechanism: the mechanism's own n-th class. Loading replaces it by the assigned
/// number.
constexpr Class own_class(unsigned n) {
  return static_cast<Class>(static_cast<unsigned>(Class::count_) + n);
}

/// What the warp does with an instruction, besides executing it.
enum class Kind : std::uint8_t {
  compute,  // only execute()
  memory,   // execute() fills WarpContext::access
  branch,   // bra, brx: changes the split's pc
  call,
  ret,
  exit,
  barrier,    // bar/barrier: the block decides when the warp continues
  warp_sync,  // names lanes that must arrive together: bar.warp.sync, shfl/vote/match/redux .sync
  builtin,    // a call that the simulator itself carries out: vprintf, malloc ...
  other,      // nanosleep, trap ... : see WarpContext::event
  unit        // runs on a unit of a mechanism: Instruction::unit; without timing, only execute()
};

/// Where the 32 lanes of an operand are: a byte offset into the frame's registers or, with bit 31
/// set, into the function's constants (immediates, broadcast to 32 lanes).
/// Values of 8, 16 and 32 bits are 32 uint32_t (the upper bits of narrow ones are zero), values of
/// 64 bits are 32 uint64_t, values of 128 bits are 32 low, then 32 high uint64_t. Rows are 128
/// bytes; wide values start at an even row.
using Slot = std::uint32_t;
inline constexpr Slot kConstantBit = 0x8000'0000u;
inline constexpr unsigned kRowBytes = 4 * kWarpSize;

/// Predicate 0 of every frame is always true. Predicate 1 takes results that are discarded (`_`).
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
  /// In the joint sequence of a branch's two sides (lower/joint_sequence.h): the predicate with the
  /// lanes of the instruction's side, in addition to the guard.
  std::uint16_t side = kTruePredicate;
  bool of_side = false, side_negated = false;
  bool ends_segment = false;    // lanes of one side may continue alone after it
  bool operands_apart = false;  // of a pair: operands of its parts are collected one by one
  LaneMask source_flip = 0;
  // Kind::unit: the number of the unit; Kind::compute: machine instructions that it stands for
  // beyond the first.
  std::uint8_t unit = 0;
  bool has_result = false;              // the instruction writes a register or a predicate
  bool guards = false;                  // a predicate that it writes guards another instruction
  SlowPath slow_path = SlowPath::none;  // the warp continues when the result is ready
  std::int64_t immediate = 0;           // address offset, lop3 table, barrier id ...
  std::uint32_t target = 0;  // branch: instruction index; call: function index; tables: index
  // Branch: where its paths reconverge (kNoReconvergence: nowhere). Branch of one side alone: where
  // its segment ends.
  std::uint32_t reconverge = 0;
  Class klass = Class::move;
  Kind kind = Kind::compute;
  std::uint8_t bytes = 0;      // memory: bytes per lane, all elements together
  std::uint8_t elements = 1;   // memory: vector length; tensor: steps, see Class::tensor
  std::uint16_t function = 0;  // index of its function
  std::uint16_t extra = 0;     // free to the family (address space, cache operator ...)
};
inline constexpr std::uint32_t kNoReconvergence = ~std::uint32_t{0};

/// Instruction::extra of branches.
inline constexpr std::uint16_t kBranchTable = 1;  // brx
/// The branch of a joint sequence. The lanes continue together; execute() records for each lane
/// which way the branch would have gone. `immediate`: stack entries that it needs when lanes
/// diverge.
inline constexpr std::uint16_t kJointBranch = 2;

/// Those lanes of `lanes` that execute the instruction, from a warp's predicates.
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

/// The registers that an instruction reads, as the banks of the register file see them: 32-bit
/// registers by the number that register allocation assigned.
struct SourceRegisters {
  std::uint64_t residues = 0;  // number of registers with residue k modulo 16: four bits for each
                               // k, at most 15 in all
  std::uint8_t count = 0;      // number of different registers
  std::uint8_t width[3] = {0, 0, 0};    // registers of s[0], s[1], s[2]; 0: none or repeated
  std::uint16_t number[3] = {0, 0, 0};  // number of the first register of each
};

}  // namespace raddle::isa
