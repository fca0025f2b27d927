#pragma once

#include <cstdint>
#include <vector>

#include "common/generators.h"
#include "nw/scores.h"

namespace raddle::workloads {

/// A sequence of letters, each 0 to 3.
using Sequence = std::vector<std::uint8_t>;

inline Sequence random_sequence(std::size_t length, Random& random) {
  Sequence sequence(length);
  for (std::uint8_t& letter : sequence) letter = static_cast<std::uint8_t>(random.below(4));
  return sequence;
}

/// Returns a relative of the sequence with `length` letters. One letter in ten is changed, one in
/// twenty is dropped, and after one in twenty a letter is inserted. Missing letters at the end are
/// random.
inline Sequence mutated(const Sequence& sequence, std::size_t length, Random& random) {
  Sequence relative;
  for (std::size_t n = 0; n < sequence.size() && relative.size() < length; ++n) {
    const std::uint64_t fate = random.below(20);
    if (fate == 0) continue;
    const bool other = fate == 1 || fate == 2;
    relative.push_back(other ? static_cast<std::uint8_t>((sequence[n] + 1 + random.below(3)) % 4)
                             : sequence[n]);
    if (fate == 3) relative.push_back(static_cast<std::uint8_t>(random.below(4)));
  }
  relative.resize(length < relative.size() ? length : relative.size());
  while (relative.size() < length) relative.push_back(static_cast<std::uint8_t>(random.below(4)));
  return relative;
}

/// A score matrix of (rows + 1) x (columns + 1), row by row. Row 0 and column 0 hold the scores of
/// gaps alone; all other scores are zero.
inline std::vector<int> initial_scores(std::size_t rows, std::size_t columns, Scoring scoring) {
  std::vector<int> scores((rows + 1) * (columns + 1));
  for (std::size_t n = 0; n <= columns; ++n) scores[n] = static_cast<int>(n) * scoring.gap;
  for (std::size_t n = 0; n <= rows; ++n) {
    scores[n * (columns + 1)] = static_cast<int>(n) * scoring.gap;
  }
  return scores;
}

/// Returns all scores, row by row.
inline std::vector<int> align_reference(const Sequence& down, const Sequence& across,
                                        Scoring scoring) {
  std::vector<int> scores = initial_scores(down.size(), across.size(), scoring);
  const std::size_t pitch = across.size() + 1;
  for (std::size_t row = 1; row <= down.size(); ++row) {
    for (std::size_t column = 1; column < pitch; ++column) {
      const int* const above = &scores[(row - 1) * pitch + column];
      int& score = scores[row * pitch + column];
      const int paired = above[-1] + scoring.of(down[row - 1], across[column - 1]);
      score = best_score(paired, (&score)[-1], above[0], scoring);
    }
  }
  return scores;
}

}  // namespace raddle::workloads
