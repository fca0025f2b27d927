#pragma once

#include <vector>

#include "pre/ratings.h"

namespace raddle::workloads {

/// The rating that each of the first `num_active` users would give to each item, in 1/1000 half
/// stars: the mean of the user's ratings, each weighted by how similar the rated item is to this
/// one (item-based collaborative filtering). 0 where the user rated nothing similar.
inline std::vector<std::uint32_t> pre_reference(const RatingTable& table,
                                                const SimilarItems& similar,
                                                std::uint32_t num_active) {
  std::vector<std::uint32_t> predictions;
  for (std::uint32_t user = 0; user < num_active; ++user) {
    std::vector<std::uint64_t> votes(table.num_items);
    std::vector<std::uint64_t> weights(table.num_items);
    for (std::uint32_t i = table.offsets[user]; i < table.offsets[user + 1]; ++i) {
      const std::uint32_t item = table.items[i];
      for (std::uint32_t at = similar.offsets[item]; at < similar.offsets[item + 1]; ++at) {
        votes[similar.items[at]] += std::uint64_t{similar.weights[at]} * table.half_stars[i];
        weights[similar.items[at]] += similar.weights[at];
      }
    }
    for (std::uint32_t item = 0; item < table.num_items; ++item) {
      predictions.push_back(
          weights[item] == 0 ? 0 : static_cast<std::uint32_t>(1000 * votes[item] / weights[item]));
    }
  }
  return predictions;
}

}  // namespace raddle::workloads
