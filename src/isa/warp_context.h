// The part of a warp that the semantics of an instruction can see.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/types.h"
#include "isa/instruction.h"

namespace raddle::memory {
class AddressSpace;
}

namespace raddle::isa {

class GlobalPort;     // isa/global_port.h: the way to global memory's values
struct BlockContext;  // isa/block_context.h: shared memory, indices, parameters

/// The access of a memory instruction, for the timing model.
struct MemoryAccess {
  enum class Space : std::uint8_t {
    none,
    global,
    shared,
    local,
    constant,
    parameter,
    texture  // addresses: GlobalPort::textures().footprint()
  } space = Space::none;
  enum class Type : std::uint8_t { load, store, atomic, reduction, prefetch } type = Type::load;
  std::uint8_t bytes = 0;  // a lane
  std::uint8_t cache = 0;  // isa::CacheOperator
  bool bypass_l1 = false;  // volatile, .cg, .cv, acquire ...
  bool observed = false;   // other threads may change the returned value: a thread can wait for it
  bool joined = false;     // atomics: operations of lanes on one address were joined into one;
                           // loads: of the word that such an atomic swaps next
  LaneMask lanes = 0;      // lanes that access memory; when the lanes of a generic access fall into
                           // several spaces: those of global memory, else of shared memory
  Address address[kWarpSize] = {};  // global: simulated address; shared: offset in the block's;
                                    // local: offset in the thread's; constant: simulated address
};

/// A fault that stops a program; kept until the user is told (machine/fault.h makes the text).
struct Fault {
  enum class Kind : std::uint8_t {
    none,
    out_of_bounds,
    misaligned,
    use_after_free,
    wrong_space,
    read_only,
    bad_free,         // free in a kernel of an address that malloc did not return, or freed twice
    bad_handle,       // no texture, sampler or surface
    unbound_handle,   // a texture or surface reference without a binding
    outside_surface,  // .trap: the address is in the surface's memory
    null_function,
    refused_function,  // Function::unsupported or switched_off; `address` is the function's
    trap,
    assertion,
    illegal_instruction,
    stack_overflow,
    missing_lanes,
    exception,  // of a mechanism's instruction: `text` says what is wrong
    deadlock,
    machine  // the simulated machine itself cannot continue
  } kind = Kind::none;
  std::uint8_t lane = 0;
  std::uint32_t bytes = 0;
  MemoryAccess::Type type = MemoryAccess::Type::load;
  MemoryAccess::Space space = MemoryAccess::Space::none;
  Address address = 0;
  const char* text = nullptr;  // further text for the message; outlives the machine's run
  /// For several instructions that issue as one: the index in Program::code of the faulting one. 0:
  /// the issued instruction.
  std::uint32_t part = 0;
};

struct WarpContext {
  // Registers of the running frame.
  std::byte* rows = nullptr;
  const std::byte* constants = nullptr;
  LaneMask* predicates = nullptr;
  LaneMask active = 0;  // lanes that execute this instruction: the split's without guarded-off ones
  LaneMask carry = 0;   // CC.CF, a bit per lane

  std::uint32_t warp_in_block = 0;
  std::uint32_t slot = 0;  // %warpid: which warp of its SM
  // Byte offsets in each thread's local memory where the running frame begins and ends. The part
  // behind it is free, except for what alloca has handed out.
  std::uint32_t local_frame = 0;
  std::uint32_t local_end = 0;
  LaneMask live = 0;        // lanes that have not exited
  Cycle now = 0;            // %clock: SM cycles
  double ns_per_cycle = 1;  // %globaltimer
  BlockContext* block = nullptr;
  GlobalPort* global = nullptr;
  std::uint32_t alloca_top[kWarpSize] = {};  // alloca allocates from the end downwards

  MemoryAccess access;  // filled by memory instructions
  Fault fault;          // kind != none: the instruction faulted
  /// A builtin makes its warp wait until this cycle; kNever: until another part wakes it.
  Cycle waits_until = 0;
  std::uint64_t event = 0;  // Kind::other and barrier: the instruction's request (sleep time ...)

  template <class T>
  const T* source(Slot slot) const {
    const std::byte* base = (slot & kConstantBit) ? constants : rows;
    return reinterpret_cast<const T*>(base + (slot & ~kConstantBit));
  }
  template <class T>
  T* destination(Slot slot) const {
    return reinterpret_cast<T*>(rows + slot);
  }
};

}  // namespace raddle::isa
