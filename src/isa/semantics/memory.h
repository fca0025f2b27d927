// Loads, stores and atomics (PTX ISA 9.7.9.8 to 9.7.9.12, 9.7.13.5, 9.7.13.6).
//
// s[0] is the address register (or constant), `immediate` the offset, `bytes` the bytes a lane.
// Vector elements are in d, s[1], s[2], s[3], for both loads and stores.
#pragma once

#include "isa/table.h"
#include "isa/warp_context.h"

namespace raddle::isa {

/// Bits of Instruction::extra of memory instructions.
inline constexpr std::uint16_t kAddress32 = 1;      // the address register has 32 bits
inline constexpr std::uint16_t kFrameRelative = 2;  // local: offset within the running frame
inline constexpr std::uint16_t kBypassL1 = 4;
inline constexpr std::uint16_t kUncounted = 8;  // call parameters: registers on a real machine
inline constexpr std::uint16_t kHalved = 16;    // half of what the program accesses at once
inline constexpr std::uint16_t kJoined = 32;    // half of the program's access
inline constexpr std::uint16_t kUnread = 64;    // of an atomic: nobody reads its result
inline constexpr unsigned kCacheShift = 8;      // of an atomic: its result is unused

/// `space`: where the access goes; param means a kernel's parameters. `register_bytes`: size of the
/// destination register (2, 4, 8), at least the type's.
Execute select_load(Space space, Type type, unsigned register_bytes);
Execute select_store(Space space, Type type);
/// form.operation on form.type, in Space::generic, global or shared. `result`: atom, else red.
Execute select_atomic(const Form& form, bool result);
/// The same for .f16, .f16x2, .bf16 and .bf16x2 (atomic_half.cpp).
Execute select_half_atomic(const Form& form, bool result);
/// The same for .b128, exchange and compare-and-swap (atomic_wide.cpp).
Execute select_wide_atomic(const Form& form, bool result);
/// cp.async: s[0] shared destination, s[1] global source (+ target, its offset), s[2] number of
/// bytes to copy (the rest becomes zero). Where the source predicate is true, nothing is copied.
void execute_cp_async(WarpContext&, const Instruction&);

/// discard and applypriority: hints; only their addresses are checked. A discard writes undefined
/// values, so the old ones may stay.
void execute_discard(WarpContext&, const Instruction&);
void execute_applypriority(WarpContext&, const Instruction&);

/// Whether `bytes` bytes at an offset of a lane's local memory belong to a frame or to memory from
/// alloca.
bool within_local(const WarpContext& w, unsigned lane, Address offset, std::uint64_t bytes);

/// Fills w.access.address from s[0] and the offset.
void compute_addresses(WarpContext& w, const Instruction& i);

/// Finds the places of the lanes' values, for the named space. Sets w.access; returns false when
/// the access faults. `global_lanes`: lanes whose values are in global memory.
bool resolve_addresses(WarpContext& w, const Instruction& i, Space space, unsigned alignment,
                       MemoryAccess::Type type, std::byte** at, LaneMask* global_lanes);
/// The same for addresses that are already in w.access.address.
bool resolve_computed(WarpContext& w, const Instruction& i, Space space, unsigned alignment,
                      MemoryAccess::Type type, std::byte** at, LaneMask* global_lanes);

}  // namespace raddle::isa
