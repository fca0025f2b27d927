#pragma once

#include "common/host_device.h"

namespace raddle::workloads {

/// What pairs of letters and gaps count: match and mismatch of EDNAFULL, the matrix for nucleotides.
struct Scoring {
  int match = 5, mismatch = -4, gap = -10;

  RADDLE_HOST_DEVICE int of(unsigned char a, unsigned char b) const {
    return a == b ? match : mismatch;
  }
};

/// The best of an alignment that ends with a pair of letters (its score is `paired`), and of those
/// that end with a gap, after an alignment of `left` or of `above`.
RADDLE_HOST_DEVICE inline int best_score(int paired, int left, int above, const Scoring& scoring) {
  const int best = left > above ? left : above, gapped = best + scoring.gap;
  return paired > gapped ? paired : gapped;
}

}  // namespace raddle::workloads
