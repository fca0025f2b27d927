#pragma once

#include <cuda_runtime.h>

#include "common/sides.cuh"
#include "nests/nests.h"

namespace raddle::workloads {

/// Executes `rounds` rounds of a nest. One thread for each element of `results`.
template <class Nest, Sides sides>
__global__ void run_nest(unsigned* results, unsigned size, unsigned seed, unsigned rounds,
                         Odds odds) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= size) return;
  unsigned x = thread;
  for (unsigned round = 0; round < rounds; ++round) {
    const unsigned drawn = draw(seed, thread, round);
    if (odds.takes_outer(drawn)) {
      x = Nest::before(x);
      if (odds.takes_inner(drawn)) {
        x = Nest::first(x);
        end_first_side<sides>();
      } else {
        x = Nest::second(x);
        end_second_side<sides>();
      }
      x = Nest::after(x);
      end_first_side<sides>();
    } else {
      x = Nest::other(x);
      end_second_side<sides>();
    }
  }
  results[thread] = x;
}

}  // namespace raddle::workloads
