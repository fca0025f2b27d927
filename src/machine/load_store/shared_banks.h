// Bank conflicts of shared memory (CUDA C Programming Guide, "Shared Memory" of each compute
// capability).
#pragma once

#include "isa/warp_context.h"

namespace raddle::machine {

/// Passes that an access takes: 32 banks of `bank_bytes` (4 or 8) serve one word each a pass, and
/// lanes that want the same word share it. Accesses of 8 bytes a lane go in two halves of the warp,
/// of 16 in four quarters (less on 8-byte banks), since a pass moves at most 32 words. Atomics on
/// the same word take turns, unless they are joined. `mode_bytes` 4 on banks of 8 bytes: successive words of 4 bytes are in
/// successive banks, and words i and i + 32 of an aligned stretch of 64 are in one row of their bank,
/// which serves both (Compute Capability 3.x, "32-Bit Mode"). `paired_lanes`: loads of more than a bank's width go in half as many
/// parts when all lanes n and n^1, or all lanes n and n^2, want the same. At least 1.
unsigned shared_passes(const isa::MemoryAccess& access, unsigned bank_bytes,
                       bool paired_lanes = false, unsigned mode_bytes = 8);

}  // namespace raddle::machine
