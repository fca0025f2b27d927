// Stochastic gradient descent in steps. Each step is a short kernel. In every step block b has the
// users of group b, and the items of another group (thread-block-management, section VI.A: the same
// data for the same block).
#pragma once

#include <cstdio>
#include <utility>

#include "common/application.h"
#include "common/comparison.h"
#include "sgd/factors.h"

namespace raddle::workloads::sgd {

__global__ void __launch_bounds__(kFactors)
    sgd_step(const unsigned* offsets, const Cells::Entry* entries, float* users, float* items,
             unsigned step) {
  constexpr unsigned all = (1u << kFactors) - 1;
  const unsigned cell = blockIdx.x * gridDim.x + (blockIdx.x + step) % gridDim.x;
  const unsigned n = threadIdx.x;
  for (unsigned at = offsets[cell]; at < offsets[cell + 1]; ++at) {
    const Cells::Entry entry = entries[at];
    float& own = users[entry.user * kFactors + n];
    // The previous step has changed it, perhaps on another multiprocessor.
    float* const item = &items[entry.item * kFactors + n];
    const float p = own, q = __ldcg(item);
    float sum = __fmul_rn(p, q);  // not fused with the first addition
    for (unsigned distance = kFactors / 2; distance != 0; distance /= 2) {
      sum += __shfl_xor_sync(all, sum, distance);
    }
    const float error = entry.stars - sum;
    own = moved(p, q, error);
    __stcg(item, moved(q, p, error));
  }
}

class Completion : public Application {
 public:
  Completion(const RatingTable& table, unsigned groups, unsigned epochs)
      : cells_(make_cells(table, groups)),
        epochs_(epochs),
        start_(first_factors(table.num_users, table.num_items, 1)),
        offsets_(cells_.offsets),
        entries_(cells_.entries),
        first_users_(start_.users),
        first_items_(start_.items),
        users_(start_.users.size()),
        items_(start_.items.size()) {}

  void begin(cudaStream_t stream) override {
    copy(users_, first_users_, stream);
    copy(items_, first_items_, stream);
    epoch_ = 0;
    go_on(stream);
  }
  bool go_on(cudaStream_t stream) override {
    if (epoch_ == epochs_) return false;
    for (unsigned step = 0; step < cells_.groups; ++step) {
      sgd_step<<<cells_.groups, kFactors, 0, stream>>>(offsets_.data(), entries_.data(),
                                                       users_.data(), items_.data(),
                                                       epoch_ * cells_.groups + step);
    }
    CHECK_CUDA(cudaGetLastError());
    ++epoch_;
    return true;
  }
  bool check() override {
    Factors expected = start_;
    descend(expected, cells_, epochs_);
    std::vector<float> found = users_.download(), all = expected.users;
    const std::vector<float> items = items_.download();
    found.insert(found.end(), items.begin(), items.end());
    all.insert(all.end(), expected.items.begin(), expected.items.end());
    std::printf("sgd: error %.4f before, %.4f after %u epochs\n", error_of(start_, cells_),
                error_of(expected, cells_), epochs_);
    return check_equal("sgd", all, found);
  }

 private:
  Cells cells_;
  unsigned epochs_;
  Factors start_;
  DeviceBuffer<unsigned> offsets_;
  DeviceBuffer<Cells::Entry> entries_;
  DeviceBuffer<float> first_users_, first_items_, users_, items_;
  unsigned epoch_ = 0;
};

}  // namespace raddle::workloads::sgd
