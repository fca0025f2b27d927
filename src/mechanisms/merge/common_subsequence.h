// The longest common subsequence of two sequences (irregular-control-flow, appendix A).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace raddle::mechanisms::merge {

/// Returns the positions of the common elements in both sequences, in order. same(i, j) compares
/// two elements. Of several longest subsequences, it returns one whose elements come early in the
/// first sequence. Time and memory grow with the product of the lengths.
template <class Same>
std::vector<std::pair<std::size_t, std::size_t>> common_subsequence(std::size_t first,
                                                                    std::size_t second, Same same) {
  // [i][j]: length of the longest common subsequence of the rests from i and j on
  std::vector<std::uint32_t> length((first + 1) * (second + 1), 0);
  const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& {
    return length[i * (second + 1) + j];
  };
  for (std::size_t i = first; i-- > 0;) {
    for (std::size_t j = second; j-- > 0;) {
      at(i, j) = same(i, j) ? 1 + at(i + 1, j + 1) : std::max(at(i + 1, j), at(i, j + 1));
    }
  }
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0, j = 0; i < first && j < second;) {
    if (same(i, j)) {
      pairs.emplace_back(i++, j++);
    } else if (at(i, j + 1) >= at(i + 1, j)) {
      ++j;
    } else {
      ++i;
    }
  }
  return pairs;
}

}  // namespace raddle::mechanisms::merge
