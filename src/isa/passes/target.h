// What passes know of the GPU for which a program is loaded.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "isa/instruction.h"

namespace raddle::isa {

struct PassTarget {
  /// From the issue of an instruction to that of one which uses its result, in cycles of the
  /// multiprocessor, by class; of loads: where an assembler expects them to hit.
  std::array<std::uint16_t, kClassNumbers> latency = {};
  /// Where the instructions of a class execute: on the first `pipes` pipes of a unit, of which each
  /// scheduler has its share. One keeps its pipe busy for `interval` cycles.
  struct Pipes {
    std::uint8_t unit = 0;  // a number; classes of one unit have the same
    std::uint16_t interval = 1;
    float pipes = 1;  // of one scheduler
  };
  std::array<Pipes, kClassNumbers> pipes = {};
  /// From the issue of an instruction that writes a predicate to that of one which it guards.
  std::uint16_t guard_latency = 0;
  // Register file: 32-bit registers, and how warps take them.
  std::uint32_t registers = 65536, registers_per_thread = 255, register_unit = 256, warp_unit = 4;
  std::uint32_t warps = 64;         // of a multiprocessor
  std::uint32_t compute_major = 0;  // compute capability, 0: not said

  PassTarget() { latency.fill(6); }

  unsigned latency_of(Class klass) const { return latency[static_cast<std::size_t>(klass)]; }

  const Pipes& pipes_of(Class klass) const { return pipes[static_cast<std::size_t>(klass)]; }

  /// Warps of which each thread has so many registers that a multiprocessor has room for.
  std::uint32_t resident_warps(std::uint32_t of_thread) const {
    const std::uint32_t of_warp =
        (std::max(of_thread, 1u) * 32 + register_unit - 1) / register_unit * register_unit;
    return std::min(registers / of_warp / warp_unit * warp_unit, warps);
  }
  /// The most registers of a thread with which a function keeps what its directives promise: so
  /// many blocks (0: one) of so many threads (0: not said) have room, and `most` (0: not said).
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
  /// The most registers with which as many warps have room as with `of_thread`, or more.
  std::uint32_t same_occupancy(std::uint32_t of_thread) const {
    std::uint32_t most = std::min(of_thread, registers_per_thread);
    const std::uint32_t room = resident_warps(most);
    while (most < registers_per_thread && resident_warps(most + 1) >= room) ++most;
    return std::max(most, of_thread);
  }
};

}  // namespace raddle::isa
