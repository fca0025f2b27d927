// MM: each task multiplies two matrices of 64 x 64.
#pragma once

#include <cmath>
#include <vector>

#include "common/comparison.h"
#include "common/generators.h"
#include "tasks/shape.h"
#include "tasks/with_fma.h"

namespace raddle::workloads::narrow {

struct Matmul {
  static constexpr unsigned kEdge = 64, kTile = 16;

  /// Row by row. With `shared`, tiles of both factors go through shared memory, as in the CUDA
  /// samples' matrixMul; without, every operand comes from global memory.
  struct Work {
    const float *a, *b;
    float* product;
    unsigned edge, shared;

    template <class At>
    __device__ __forceinline__ void operator()(const At& at) const {
      if (shared != 0) {
        tiled(at);
      } else {
        const unsigned step = at.blocks() * at.block_size();
        constexpr unsigned kFactors = At::kBounded ? 2 : 4;  // 4: as nvcc does by itself
        for (unsigned i = at.block() * at.block_size() + at.thread(); i < edge * edge; i += step) {
          const unsigned row = i / edge, column = i % edge;
          float sum = 0;
#pragma unroll kFactors
          for (unsigned k = 0; k < edge; ++k)
            sum = fmaf(a[row * edge + k], b[k * edge + column], sum);
          product[i] = sum;
        }
      }
    }

    // A thread has one element of a patch of the product, as wide as a tile and as high as the
    // block's threads reach, so that it needs no more registers than the paper's 30 (Table 4).
    // Blocks take patches in turn.
    template <class At>
    __device__ __forceinline__ void tiled(const At& at) const {
      const unsigned across = edge / kTile, rows = at.block_size() / kTile;
      const unsigned patches = across * ((edge + rows - 1) / rows);
      for (unsigned patch = at.block(); patch < patches; patch += at.blocks()) {
        const unsigned mine = at.thread() / kTile;  // threads beyond the last full row have none
        const unsigned row = mine < rows ? patch / across * rows + mine : edge;
        one_patch(at, row, patch % across * kTile);
      }
    }

    template <class At>
    __device__ __forceinline__ void one_patch(const At& at, unsigned row, unsigned left) const {
      constexpr unsigned kFactors = At::kBounded ? 4 : kTile;
      float* const tile_b = at.template shared<float>();
      float* const tile_a = tile_b + kTile * kTile;
      const unsigned x = at.thread() % kTile, first = at.thread() - x;
      float sum = 0;
      for (unsigned start = 0; start < edge; start += kTile) {
        if (row < edge) tile_a[first + x] = a[row * edge + start + x];
        for (unsigned i = at.thread(); i < kTile * kTile; i += at.block_size()) {
          tile_b[i] = b[(start + i / kTile) * edge + left + i % kTile];
        }
        at.sync();
#pragma unroll kFactors
        for (unsigned k = 0; k < kTile; ++k) {
          sum = fmaf(tile_a[first + k], tile_b[k * kTile + x], sum);
        }
        at.sync();
      }
      if (row < edge) product[row * edge + left + x] = sum;
    }
  };

  explicit Matmul(const Setting& setting)
      : setting_(setting),
        size_(std::size_t{kEdge} * kEdge * setting.scale * setting.scale),
        factors_(2 * setting.count * size_),
        product_(setting.count * size_),
        expected_(size_) {
    const std::vector<float> values = random_floats(2 * setting.count * size_, -1, 1, 7);
    std::copy(values.begin(), values.end(), factors_.host);
  }

  template <class Comparison>
  void add(Comparison& to, unsigned task) {
    const Shape shape = shape_of(setting_, task, kEdge);
    const std::size_t size = std::size_t{shape.edge} * shape.edge;
    float* const on_gpu = factors_.device + 2 * task * size_;
    const Work work{on_gpu, on_gpu + size, product_.device + task * size_, shape.edge,
                    setting_.shared ? 1u : 0u};
    const unsigned rows = (shape.threads + kTile - 1) / kTile;
    const unsigned shared = setting_.shared ? (kTile * kTile + rows * kTile) * sizeof(float) : 0;
    to.add({shape.threads, setting_.blocks, shared, setting_.shared}, work,
           {on_gpu, factors_.host + 2 * task * size_, 2 * size * sizeof(float)},
           {product_.host + task * size_, work.product, size * sizeof(float)},
           [this, task] { on_cpu(task, product_.host + task * size_); });
  }

  // Both sides add the products in the same order, each with one rounding.
  /// Forgets the results of an earlier run.
  void forget() { product_.wipe(); }
  bool check() {
    std::vector<float> expected, found;
    for (unsigned task = 0; task < setting_.count; ++task) {
      const unsigned edge = shape_of(setting_, task, kEdge).edge;
      on_cpu(task, expected_.data());
      expected.insert(expected.end(), expected_.begin(), expected_.begin() + edge * edge);
      const float* const mine = product_.host + task * size_;
      found.insert(found.end(), mine, mine + edge * edge);
    }
    return check_equal("tasks", expected, found);
  }

 private:
  void on_cpu(unsigned task, float* to) const {
    const unsigned edge = shape_of(setting_, task, kEdge).edge;
    const float *a = factors_.host + 2 * task * size_, *b = a + std::size_t{edge} * edge;
    with_fma([=]() RADDLE_FMA_BODY {
      for (unsigned row = 0; row < edge; ++row) {
        for (unsigned column = 0; column < edge; ++column) {
          float sum = 0;
          for (unsigned k = 0; k < edge; ++k) {
            sum = std::fma(a[row * edge + k], b[k * edge + column], sum);
          }
          to[row * edge + column] = sum;
        }
      }
    });
  }

  Setting setting_;
  std::size_t size_;  // elements of the largest task's matrices
  Buffers<float> factors_, product_;
  std::vector<float> expected_;
};

}  // namespace raddle::workloads::narrow
