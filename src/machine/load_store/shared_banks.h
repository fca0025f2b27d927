// Bank conflicts of shared memory (CUDA C Programming Guide, "Shared Memory" of each compute
// capability).
#pragma once

#include "isa/warp_context.h"

namespace raddle::machine {

/// The number of passes of an access, at least 1. In a pass, each of 32 banks of `bank_bytes` (4 or
/// 8) serves one word, and lanes with the same word share it. A pass moves at most 32 words. So an
/// access of 8 bytes a lane goes in two halves of the warp, and one of 16 bytes in four quarters
/// (fewer parts on 8-byte banks). Atomics on the same word take turns, unless they are joined.
///
/// `mode_bytes` 4 on banks of 8 bytes: successive words of 4 bytes are in successive banks. Words i
/// and i + 32 of an aligned range of 64 words are in one row of their bank, and a pass serves both
/// (Compute Capability 3.x, "32-Bit Mode"). `paired_lanes`: a load wider than a bank goes in half
/// as many parts, if all lanes n and n^1, or all lanes n and n^2, have the same addresses.
unsigned shared_passes(const isa::MemoryAccess& access, unsigned bank_bytes,
                       bool paired_lanes = false, unsigned mode_bytes = 8);

}  // namespace raddle::machine
