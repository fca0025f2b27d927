// Matrix completion: every rating is to be the product of a vector of the user's and one of the item's,
// found by stochastic gradient descent. Host and device.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "common/host_device.h"
#include "pre/ratings.h"

namespace raddle::workloads::sgd {

constexpr unsigned kFactors = 16;  // numbers of a vector, and threads of a block
constexpr float kRate = 0.01f, kDecay = 0.05f;

/// Ratings in cells: users and items are divided into `groups` each. Cell (u, i) has the ratings of
/// user group u for items of group i: at positions offsets[u * groups + i] and on.
struct Cells {
  struct Entry {
    std::uint32_t user, item;
    float stars;
  };
  unsigned groups = 0;
  std::vector<std::uint32_t> offsets;
  std::vector<Entry> entries;
};
Cells make_cells(const RatingTable& table, unsigned groups);

/// The sum of 16 products, added in pairs: as threads do that exchange them (shuffles). `shared` is
/// changed.
inline float sum_in_pairs(float (&values)[kFactors]) {
  for (unsigned distance = kFactors / 2; distance != 0; distance /= 2) {
    float before[kFactors];
    for (unsigned n = 0; n < kFactors; ++n) before[n] = values[n];
    for (unsigned n = 0; n < kFactors; ++n) values[n] = before[n] + before[n ^ distance];
  }
  return values[0];
}

/// One number of a vector, moved against the gradient; `other`: the other vector's number.
RADDLE_HOST_DEVICE inline float moved(float own, float other, float error) {
  return fmaf(kRate, fmaf(error, other, -(kDecay * own)), own);
}

/// The vectors after `epochs` rounds over all cells, as the kernels have them, to the bit: cells of one
/// step share neither users nor items, and a cell's ratings follow one another.
struct Factors {
  std::vector<float> users, items;  // [number][kFactors]
};
Factors first_factors(std::uint32_t users, std::uint32_t items, std::uint64_t seed);
void descend(Factors& factors, const Cells& cells, unsigned epochs);
/// The root of the mean of squared errors.
double error_of(const Factors& factors, const Cells& cells);

}  // namespace raddle::workloads::sgd
