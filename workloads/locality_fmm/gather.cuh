// What all ways have in common, local expansions put together at each charge; and data parallelism
// alone: a thread for each cell, or each charge, gathers what acts on it.
#pragma once

#include <cuda_runtime.h>

#include "locality_fmm/interaction.cuh"

namespace raddle::workloads::fmm {

/// fields[i] plus the local expansions of all cells that charge i is in.
__global__ void put_together(const Interaction all, std::uint32_t count, float2* fields) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Charge here = all.charges[i];
  Complex field = {from_units(all.fields[i].re), from_units(all.fields[i].im)};
  for (unsigned level = 2; level <= all.levels; ++level) {
    const auto width = static_cast<float>(1u << level);
    const auto column = static_cast<std::uint32_t>(here.x * width);
    const auto row = static_cast<std::uint32_t>(here.y * width);
    std::uint32_t code = 0;
    for (unsigned bit = 0; bit < level; ++bit) {
      code |= (column >> bit & 1) << 2 * bit | (row >> bit & 1) << (2 * bit + 1);
    }
    const Complex at = {here.x * width - static_cast<float>(column) - 0.5f,
                        here.y * width - static_cast<float>(row) - 0.5f};
    const Sum* const terms = all.locals + (first_of_level(level) + code) * kTerms;
    Complex value = {0, 0};
    for (unsigned l = kTerms; l-- > 0;) {
      value = value * at;
      value += Complex{from_units(terms[l].re), from_units(terms[l].im)};
    }
    field += Complex{value.re * width, value.im * width};
  }
  fields[i] = make_float2(field.re, field.im);
}

/// What Interaction is given: calls are made one by one, and spawn nothing.
struct Alone {
  __device__ void spawn(const Pair&) {}
  template <class T>
  __device__ T read(const T* from) const {
    return raddle::locality::detail::load(from);
  }
  template <class T, class Index>
  __device__ T read(const T* array, Index index) const {
    return raddle::locality::detail::load(array + index);
  }
};

/// A thread for each cell: from the children of its parent's neighbours that are none of its own.
__global__ void gather_far(const Interaction all, unsigned level) {
  const std::uint32_t cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell >= 1u << 2 * level) return;
  const unsigned below = 2 * (all.levels - level);
  if (all.starts[cell << below] == all.starts[(cell + 1) << below]) return;
  const int width = 1 << level;
  const int x = static_cast<int>(even_bits(cell)), y = static_cast<int>(even_bits(cell >> 1));
  Alone at;
  for (int row = (y / 2 - 1) * 2; row < (y / 2 + 2) * 2; ++row) {
    for (int column = (x / 2 - 1) * 2; column < (x / 2 + 2) * 2; ++column) {
      if (row < 0 || row >= width || column < 0 || column >= width) continue;
      if (abs(row - y) <= 1 && abs(column - x) <= 1) continue;
      all.one(at, level, cell, row, column);
    }
  }
}

/// A thread for each leaf: from the charges of its neighbours and its own.
__global__ void gather_near(const Interaction all) {
  const std::uint32_t leaf = blockIdx.x * blockDim.x + threadIdx.x;
  if (leaf >= 1u << 2 * all.levels) return;
  const int width = 1 << all.levels;
  const int x = static_cast<int>(even_bits(leaf)), y = static_cast<int>(even_bits(leaf >> 1));
  Alone at;
  for (int row = y - 1; row <= y + 1; ++row) {
    for (int column = x - 1; column <= x + 1; ++column) {
      if (row < 0 || row >= width || column < 0 || column >= width) continue;
      all.one(at, all.levels, leaf, row, column);
    }
  }
}

}  // namespace raddle::workloads::fmm
