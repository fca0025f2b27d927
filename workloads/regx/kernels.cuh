#pragma once

#include <cuda_runtime.h>

#include "common/dynamic_variant.h"

namespace raddle::workloads {

/// Texts, and the automaton that searches them (regx/pattern.h, regx/texts.h).
struct Search {
  const unsigned short* next;  // 256 a state
  const unsigned char* accepting;
  const unsigned char* bytes;
  const unsigned* offsets;
  unsigned* matches;  // by text: places where a match begins; initially zero

  /// Counts a match if one begins at `at`. The automaton reads bytes until it accepts or is dead.
  __device__ void match(unsigned text, unsigned at) const {
    const unsigned end = offsets[text + 1];
    unsigned state = 1;
    for (; at < end && state != 0; ++at) {
      state = next[256 * state + bytes[at]];
      if (accepting[state]) {
        atomicAdd(&matches[text], 1u);
        return;
      }
    }
  }
};

__global__ void __launch_bounds__(parent_block, parent_blocks_per_sm)
    regx_flat(Search search, unsigned texts) {
  const unsigned text = blockIdx.x * blockDim.x + threadIdx.x;
  if (text >= texts) return;
  const unsigned end = search.offsets[text + 1];
  for (unsigned at = search.offsets[text]; at < end; ++at) search.match(text, at);
}

/// The pocket of parallelism: matches one text, a place in it a thread.
__global__ void regx_match_text(Search search, unsigned text, unsigned first, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) search.match(text, first + i);
}
constexpr auto regx_match_text_kernel = &regx_match_text;

__global__ void __launch_bounds__(parent_block, parent_blocks_per_sm)
    regx_dynamic(Search search, unsigned texts, DynamicLaunch launch) {
  const unsigned text = blockIdx.x * blockDim.x + threadIdx.x;
  if (text >= texts) return;
  const unsigned first = search.offsets[text];
  const unsigned end = search.offsets[text + 1];
  if (launch(regx_match_text_kernel, end - first, search, text, first, end - first)) return;
  for (unsigned at = first; at < end; ++at) search.match(text, at);
}

}  // namespace raddle::workloads
