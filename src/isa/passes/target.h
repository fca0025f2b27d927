// Facts about the GPU for which a program is loaded, as passes need them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "isa/instruction.h"

namespace raddle::isa {

struct PassTarget {
  /// From the issue of an instruction to the issue of one that uses its result, in cycles of the SM
  /// clock, by class. For loads: at the level where an assembler expects them to hit.
  std::array<std::uint16_t, kClassNumbers> latency = {};
  /// Where the instructions of a class execute: on the first `pipes` pipes of a unit, of which each
  /// scheduler has its share. An instruction keeps its pipe busy for `interval` cycles.
  struct Pipes {
    std::uint8_t unit = 0;  // number; classes of one unit share it
    std::uint16_t interval = 1;
    float pipes = 1;  // of one scheduler
  };
  std::array<Pipes, kClassNumbers> pipes = {};
  /// From the issue of an instruction that writes a predicate to the issue of one that the
  /// predicate guards.
  std::uint16_t guard_latency = 0;
  // Register file: 32-bit registers, and the units in which warps allocate them.
  std::uint32_t registers = 65536, registers_per_thread = 255, register_unit = 256, warp_unit = 4;
  std::uint32_t warps = 64;         // of a multiprocessor
  std::uint32_t compute_major = 0;  // compute capability; 0: unknown

  PassTarget() { latency.fill(6); }

  unsigned latency_of(Class klass) const { return latency[static_cast<std::size_t>(klass)]; }

  const Pipes& pipes_of(Class klass) const { return pipes[static_cast<std::size_t>(klass)]; }

  /// Warps for which a multiprocessor has room when each thread has `of_thread` registers.
  std::uint32_t resident_warps(std::uint32_t of_thread) const {
    const std::uint32_t of_warp =
        (std::max(of_thread, 1u) * 32 + register_unit - 1) / register_unit * register_unit;
    return std::min(registers / of_warp / warp_unit * warp_unit, warps);
  }
  /// The most registers a thread that keep the promise of a function's directives: `blocks` blocks
  /// (0: one) of `threads` threads (0: unknown) have room, with at most `most` registers (0: no
  /// limit).
  std::uint32_t allowed(std::uint32_t threads, std::uint32_t blocks, std::uint32_t most) const {
    constexpr std::uint32_t kFewest = 16;
    std::uint32_t limit = registers_per_thread;
    if (most != 0) limit = std::min(limit, most);
    if (threads != 0) {
      const std::uint32_t of_block =
          ((threads + 31) / 32 + warp_unit - 1) / warp_unit * warp_unit * std::max(blocks, 1u);
      limit = std::min(limit, registers / of_block / register_unit * register_unit / 32);
    }
    return std::max(limit, kFewest);
  }
  /// The most registers a thread with which at least as many warps have room as with `of_thread`.
  std::uint32_t same_occupancy(std::uint32_t of_thread) const {
    std::uint32_t most = std::min(of_thread, registers_per_thread);
    const std::uint32_t room = resident_warps(most);
    while (most < registers_per_thread && resident_warps(most + 1) >= room) ++most;
    return std::max(most, of_thread);
  }
};

}  // namespace raddle::isa
