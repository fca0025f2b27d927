#pragma once

#include <vector>

#include "pre/ratings.h"

namespace raddle::workloads {

/// Predicts the rating of each item by each of the first `num_active` users, in 1/1000 half stars.
/// It is the mean of the user's ratings, weighted by the similarity of the rated item to this one
/// (item-based collaborative filtering). 0 if the user has rated no similar item.
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
