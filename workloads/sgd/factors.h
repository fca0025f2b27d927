// Matrix completion by stochastic gradient descent: finds a vector for each user and each item, so
// that every rating is about the product of the user's and the item's vector. Host and device.
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
/// user group u for items of group i, from position offsets[u * groups + i].
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

/// The sum of 16 products, added in pairs, in the order in which threads add them by shuffles.
/// Changes `values`.
inline float sum_in_pairs(float (&values)[kFactors]) {
  for (unsigned distance = kFactors / 2; distance != 0; distance /= 2) {
    float before[kFactors];
    for (unsigned n = 0; n < kFactors; ++n) before[n] = values[n];
    for (unsigned n = 0; n < kFactors; ++n) values[n] = before[n] + before[n ^ distance];
  }
  return values[0];
}

/// One number of a vector, moved against the gradient. `other` is the number of the other vector.
RADDLE_HOST_DEVICE inline float moved(float own, float other, float error) {
  return fmaf(kRate, fmaf(error, other, -(kDecay * own)), own);
}

/// The vectors after `epochs` rounds over all cells, bit for bit as those of the kernels: cells of
/// one step share neither users nor items, and a cell's ratings are processed in order.
struct Factors {
  std::vector<float> users, items;  // [number][kFactors]
};
Factors first_factors(std::uint32_t users, std::uint32_t items, std::uint64_t seed);
void descend(Factors& factors, const Cells& cells, unsigned epochs);
/// The root mean square error.
double error_of(const Factors& factors, const Cells& cells);

}  // namespace raddle::workloads::sgd
