// The product of a sparse matrix and a vector, a thread a row. Bound by memory, with scattered
// loads.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "common/application.h"
#include "common/comparison.h"
#include "common/generators.h"
#include "common/graph.h"

namespace raddle::workloads::pairs {

__global__ void spmv(const unsigned* offsets, const unsigned* columns, const float* values,
                     const float* x, float* y, unsigned rows) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (unsigned n = offsets[row]; n < offsets[row + 1]; ++n) {
    sum = fmaf(values[n], x[columns[n]], sum);
  }
  y[row] = sum;
}

class Spmv : public Application {
 public:
  /// The matrix is uniform random, with `per_row` entries a row on average. A run multiplies
  /// `times` times.
  Spmv(unsigned rows, unsigned per_row, unsigned times)
      : matrix_(build_csr(uniform_graph(rows, std::uint64_t{rows} * per_row, 3))),
        times_(times),
        host_values_(random_floats(matrix_.num_arcs(), -1, 1, 4)),
        host_x_(random_floats(rows, -1, 1, 5)),
        offsets_(matrix_.row_offsets),
        columns_(matrix_.targets),
        values_(host_values_),
        x_(host_x_),
        y_(rows) {}
  void begin(cudaStream_t stream) override {
    fill_bytes(y_, 0, stream);
    for (unsigned n = 0; n < times_; ++n) {
      spmv<<<blocks_for(y_.size(), 128), 128, 0, stream>>>(offsets_.data(), columns_.data(),
                                                           values_.data(), x_.data(), y_.data(),
                                                           static_cast<unsigned>(y_.size()));
    }
    CHECK_CUDA(cudaGetLastError());
  }
  bool go_on(cudaStream_t) override { return false; }
  bool check() override {
    std::vector<float> expected;
    for (Vertex row = 0; row < matrix_.num_vertices(); ++row) {
      float sum = 0;
      for (unsigned n = matrix_.row_offsets[row]; n < matrix_.row_offsets[row + 1]; ++n) {
        sum = std::fma(host_values_[n], host_x_[matrix_.targets[n]], sum);
      }
      expected.push_back(sum);
    }
    return check_equal("spmv", expected, y_.download());
  }

 private:
  CsrGraph matrix_;
  unsigned times_;
  std::vector<float> host_values_, host_x_;
  DeviceBuffer<unsigned> offsets_, columns_;
  DeviceBuffer<float> values_, x_, y_;
};

}  // namespace raddle::workloads::pairs
