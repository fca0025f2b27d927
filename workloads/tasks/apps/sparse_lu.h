// SLUD: LU decomposition of a sparse matrix of blocks of 32 x 32, a task for each operation on a
// block, which runs when those have ended whose results it needs. Pattern and operations of sparselu
// of the Barcelona OpenMP Tasks Suite (A. Duran et al., ICPP 2009).
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "common/comparison.h"
#include "common/generators.h"
#include "tasks/shape.h"
#include "tasks/with_fma.h"

namespace raddle::workloads::narrow {

struct SparseLu {
  static constexpr unsigned kEdge = 32, kSize = kEdge * kEdge;

  /// The block on the diagonal becomes its own L and U.
  struct Decompose {
    float* block;

    template <class At>
    __device__ __forceinline__ void operator()(const At& at) const {
      for (unsigned k = 0; k < kEdge; ++k) {
        for (unsigned i = k + 1 + at.thread(); i < kEdge; i += at.block_size()) {
          block[i * kEdge + k] /= block[k * kEdge + k];
        }
        at.sync();
        const unsigned rest = kEdge - k - 1;
        for (unsigned e = at.thread(); e < rest * rest; e += at.block_size()) {
          const unsigned i = k + 1 + e / rest, j = k + 1 + e % rest;
          block[i * kEdge + j] =
              fmaf(-block[i * kEdge + k], block[k * kEdge + j], block[i * kEdge + j]);
        }
        at.sync();
      }
    }
  };
  /// A block to the right of it: L^-1 block. A thread has a column.
  struct Forward {
    const float* diagonal;
    float* block;

    template <class At>
    __device__ __forceinline__ void operator()(const At& at) const {
      for (unsigned j = at.thread(); j < kEdge; j += at.block_size()) {
        for (unsigned k = 0; k < kEdge; ++k) {
          const float factor = block[k * kEdge + j];
          for (unsigned i = k + 1; i < kEdge; ++i) {
            block[i * kEdge + j] = fmaf(-diagonal[i * kEdge + k], factor, block[i * kEdge + j]);
          }
        }
      }
    }
  };
  /// A block below it: block U^-1. A thread has a row.
  struct Divide {
    const float* diagonal;
    float* block;

    template <class At>
    __device__ __forceinline__ void operator()(const At& at) const {
      for (unsigned i = at.thread(); i < kEdge; i += at.block_size()) {
        for (unsigned k = 0; k < kEdge; ++k) {
          const float factor = block[i * kEdge + k] /= diagonal[k * kEdge + k];
          for (unsigned j = k + 1; j < kEdge; ++j) {
            block[i * kEdge + j] = fmaf(-factor, diagonal[k * kEdge + j], block[i * kEdge + j]);
          }
        }
      }
    }
  };
  /// Another block: block - below * right.
  struct Modify {
    const float *below, *right;
    float* block;

    template <class At>
    __device__ __forceinline__ void operator()(const At& at) const {
      for (unsigned e = at.thread(); e < kSize; e += at.block_size()) {
        const unsigned i = e / kEdge, j = e % kEdge;
        float value = block[e];
        for (unsigned k = 0; k < kEdge; ++k) {
          value = fmaf(-below[i * kEdge + k], right[k * kEdge + j], value);
        }
        block[e] = value;
      }
    }
  };

  using Comparison = tasks::Comparison<Decompose, Forward, Divide, Modify>;

  /// The largest matrix whose decomposition takes at most `setting.count` tasks.
  explicit SparseLu(const Setting& setting) : setting_(setting) {
    while (operations_of(edge_ + 1).size() <= setting.count) ++edge_;
    operations_ = operations_of(edge_);
    matrix_ = std::make_unique<Buffers<float>>(std::size_t{edge_} * edge_ * kSize);
    fill(matrix_->host);
  }

  void add_all(Comparison& to) {
    const std::size_t none = ~std::size_t{0};
    std::vector<std::size_t> writer(std::size_t{edge_} * edge_, none), last = writer;
    for (std::size_t t = 0; t < operations_.size(); ++t) last[operations_[t].block] = t;
    for (std::size_t t = 0; t < operations_.size(); ++t) {
      const Operation& one = operations_[t];
      std::vector<unsigned> after;
      for (unsigned block : {one.block, one.first, one.second}) {
        if (block == kNoBlock || writer[block] == none) continue;
        const auto before = static_cast<unsigned>(writer[block]);
        if (std::find(after.begin(), after.end(), before) == after.end()) after.push_back(before);
      }
      constexpr std::size_t kBytes = kSize * sizeof(float);
      tasks::Transfer in, out;
      if (writer[one.block] == none) in = {on_gpu(one.block), on_host(one.block), kBytes};
      if (last[one.block] == t) out = {on_host(one.block), on_gpu(one.block), kBytes};
      add(to, one, in, out, std::move(after));
      writer[one.block] = t;
    }
  }

  /// The matrix as it was before a run.
  void forget() { fill(matrix_->host); }
  bool check() {
    std::vector<float> expected(std::size_t{edge_} * edge_ * kSize);
    fill(expected.data());
    for (const Operation& one : operations_) on_cpu(one, expected.data());
    return check_equal("tasks", expected,
                       std::vector<float>(matrix_->host, matrix_->host + expected.size()));
  }

 private:
  enum class Kind { decompose, forward, divide, modify };
  static constexpr unsigned kNoBlock = ~0u;
  struct Operation {
    Kind kind;
    unsigned block, first = kNoBlock, second = kNoBlock;
  };

  static bool present(unsigned i, unsigned j) {
    if (i == j || i + 1 == j || j + 1 == i) return true;
    if (i < j && i % 3 != 0) return false;
    if (i > j && j % 3 != 0) return false;
    return i % 2 == 0 && j % 2 == 0;
  }

  static std::vector<Operation> operations_of(unsigned edge) {
    std::vector<bool> there(std::size_t{edge} * edge);
    for (unsigned i = 0; i < edge; ++i) {
      for (unsigned j = 0; j < edge; ++j) there[i * edge + j] = present(i, j);
    }
    std::vector<Operation> all;
    for (unsigned k = 0; k < edge; ++k) {
      all.push_back({Kind::decompose, k * edge + k});
      for (unsigned j = k + 1; j < edge; ++j) {
        if (there[k * edge + j]) all.push_back({Kind::forward, k * edge + j, k * edge + k});
      }
      for (unsigned i = k + 1; i < edge; ++i) {
        if (there[i * edge + k]) all.push_back({Kind::divide, i * edge + k, k * edge + k});
      }
      for (unsigned i = k + 1; i < edge; ++i) {
        if (!there[i * edge + k]) continue;
        for (unsigned j = k + 1; j < edge; ++j) {
          if (!there[k * edge + j]) continue;
          there[i * edge + j] = true;
          all.push_back({Kind::modify, i * edge + j, i * edge + k, k * edge + j});
        }
      }
    }
    return all;
  }

  /// Random, with a diagonal that needs no pivoting; absent blocks are zero until they are filled.
  void fill(float* to) const {
    for (unsigned i = 0; i < edge_; ++i) {
      for (unsigned j = 0; j < edge_; ++j) {
        float* const block = to + (std::size_t{i} * edge_ + j) * kSize;
        std::fill(block, block + kSize, 0.0f);
        if (!present(i, j)) continue;
        const std::vector<float> values = random_floats(kSize, -1, 1, i * edge_ + j);
        std::copy(values.begin(), values.end(), block);
        if (i != j) continue;
        for (unsigned d = 0; d < kEdge; ++d) block[d * kEdge + d] += 4.0f * kEdge;
      }
    }
  }

  float* on_gpu(unsigned block) const { return matrix_->device + std::size_t{block} * kSize; }
  float* on_host(unsigned block) const { return matrix_->host + std::size_t{block} * kSize; }

  void add(Comparison& to, const Operation& one, const tasks::Transfer& in,
           const tasks::Transfer& out, std::vector<unsigned> after) {
    const auto cpu = [this, one] { on_cpu(one, matrix_->host); };
    const tasks::Launch how{setting_.threads, 1};
    float* const block = on_gpu(one.block);
    switch (one.kind) {
      case Kind::decompose:
        to.add({setting_.threads, 1, 0, true}, Decompose{block}, in, out, cpu, std::move(after));
        break;
      case Kind::forward:
        to.add(how, Forward{on_gpu(one.first), block}, in, out, cpu, std::move(after));
        break;
      case Kind::divide:
        to.add(how, Divide{on_gpu(one.first), block}, in, out, cpu, std::move(after));
        break;
      case Kind::modify:
        to.add(how, Modify{on_gpu(one.first), on_gpu(one.second), block}, in, out, cpu,
               std::move(after));
        break;
    }
  }

  static void on_cpu(const Operation& one, float* matrix) {
    float* const block = matrix + std::size_t{one.block} * kSize;
    const float* const first = matrix + std::size_t{one.first == kNoBlock ? 0 : one.first} * kSize;
    const float* const second =
        matrix + std::size_t{one.second == kNoBlock ? 0 : one.second} * kSize;
    with_fma([=]() RADDLE_FMA_BODY { on_cpu(one.kind, first, second, block); });
  }
  RADDLE_FMA_BODY static void on_cpu(Kind kind, const float* first, const float* second,
                                     float* block) {
    const auto at = [](unsigned i, unsigned j) { return i * kEdge + j; };
    for (unsigned k = 0; k < kEdge; ++k) {
      for (unsigned i = 0; i < kEdge; ++i) {
        if (kind == Kind::modify) {
          for (unsigned j = 0; j < kEdge; ++j) {
            block[at(i, j)] = std::fma(-first[at(i, k)], second[at(k, j)], block[at(i, j)]);
          }
        } else if (kind == Kind::divide) {
          block[at(i, k)] /= first[at(k, k)];
          for (unsigned j = k + 1; j < kEdge; ++j) {
            block[at(i, j)] = std::fma(-block[at(i, k)], first[at(k, j)], block[at(i, j)]);
          }
        } else if (i > k) {
          if (kind == Kind::decompose) block[at(i, k)] /= block[at(k, k)];
          const float factor = kind == Kind::decompose ? block[at(i, k)] : first[at(i, k)];
          for (unsigned j = kind == Kind::decompose ? k + 1 : 0; j < kEdge; ++j) {
            block[at(i, j)] = std::fma(-factor, block[at(k, j)], block[at(i, j)]);
          }
        }
      }
    }
  }

  Setting setting_;
  unsigned edge_ = 1;  // blocks
  std::vector<Operation> operations_;
  std::unique_ptr<Buffers<float>> matrix_;
};

}  // namespace raddle::workloads::narrow
