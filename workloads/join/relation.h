#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/generators.h"

namespace raddle::workloads {

/// One row of the result: the key, and the rows of both relations that have it.
struct JoinedRow {
  std::uint32_t key;
  std::uint32_t left;
  std::uint32_t right;

  bool operator==(const JoinedRow& other) const {
    return key == other.key && left == other.left && right == other.right;
  }
};

/// The keys of a relation; the row of a key is its position.
using Relation = std::vector<std::uint32_t>;

/// Keys from 0 to num_keys - 1, all equally likely.
inline Relation uniform_relation(std::size_t rows, std::uint32_t num_keys, std::uint64_t seed) {
  Random random(seed);
  Relation keys(rows);
  for (std::uint32_t& key : keys) key = static_cast<std::uint32_t>(random.below(num_keys));
  return keys;
}

/// Keys from 0 to num_keys - 1, normally distributed around the middle, with a standard deviation
/// of num_keys / 8.
inline Relation gaussian_relation(std::size_t rows, std::uint32_t num_keys, std::uint64_t seed) {
  Random random(seed);
  Relation keys(rows);
  for (std::uint32_t& key : keys) {
    // The sum of twelve uniform numbers has variance 1 and is close enough to normal.
    double normal = -6;
    for (int i = 0; i < 12; ++i) normal += random.real();
    const double place = num_keys * (0.5 + normal / 8);
    key = static_cast<std::uint32_t>(std::clamp(place, 0.0, num_keys - 1.0));
  }
  return keys;
}

/// The number of pairs of rows with equal keys. The right rows must be sorted.
inline std::uint64_t count_pairs(const Relation& left, const Relation& right) {
  std::uint64_t pairs = 0;
  for (const std::uint32_t key : left) {
    const auto equal = std::equal_range(right.begin(), right.end(), key);
    pairs += static_cast<std::uint64_t>(equal.second - equal.first);
  }
  return pairs;
}

/// Every pair of rows with equal keys, in the order of the left rows and then of the right ones.
/// The right rows must be sorted.
inline std::vector<JoinedRow> join_reference(const Relation& left, const Relation& right) {
  std::unordered_map<std::uint32_t, std::uint32_t> first;  // right row of each key
  for (std::uint32_t j = 0; j < right.size(); ++j) first.try_emplace(right[j], j);
  std::vector<JoinedRow> rows;
  for (std::uint32_t i = 0; i < left.size(); ++i) {
    const auto found = first.find(left[i]);
    if (found == first.end()) continue;
    for (std::uint32_t j = found->second; j < right.size() && right[j] == left[i]; ++j) {
      rows.push_back({left[i], i, j});
    }
  }
  return rows;
}

}  // namespace raddle::workloads
