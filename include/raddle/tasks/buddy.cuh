// Shared memory of a MasterKernel block, handed out to blocks of tasks (Pagoda, section 5.1).
#pragma once

#include <cstdint>

#include "table.cuh"

namespace raddle::tasks::detail {

/// A buddy system with leaves of 512 bytes. Blocks have 1, 2, 4 ... 64 leaves and lie at multiples
/// of their size, as the nodes of the paper's tree; one bit for each leaf says what the marks of
/// all nodes above it would say, and a free block joins its buddy as soon as both are free.
struct Buddy {
  static constexpr unsigned kLeaf = 512;
  static constexpr unsigned kLeaves = kSharedBytes / kLeaf;
  static_assert(kLeaves == 64);

  std::uint64_t used = 0;

  /// log2 of the leaves of the smallest block that holds `bytes`, which is not 0.
  __host__ __device__ static unsigned order(unsigned bytes) {
    unsigned order = 0;
    while ((kLeaf << order) < bytes) ++order;
    return order;
  }
  __host__ __device__ static std::uint64_t leaves(unsigned order) {
    return order == 6 ? ~std::uint64_t{0} : (std::uint64_t{1} << (1u << order)) - 1;
  }

  /// The first leaf of a free block, marked as used; -1 when there is none.
  __host__ __device__ int allocate(unsigned order) {
    for (unsigned first = 0; first < kLeaves; first += 1u << order) {
      const std::uint64_t block = leaves(order) << first;
      if ((used & block) != 0) continue;
      used |= block;
      return static_cast<int>(first);
    }
    return -1;
  }
  __host__ __device__ void free(unsigned first, unsigned order) {
    used &= ~(leaves(order) << first);
  }
};

}  // namespace raddle::tasks::detail
