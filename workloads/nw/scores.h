#pragma once

#include "common/host_device.h"

namespace raddle::workloads {

/// Scores of letter pairs and gaps. Match and mismatch are those of EDNAFULL, the matrix for
/// nucleotides.
struct Scoring {
  int match = 5, mismatch = -4, gap = -10;

  RADDLE_HOST_DEVICE int of(unsigned char a, unsigned char b) const {
    return a == b ? match : mismatch;
  }
};

/// Returns the best score of three alignments. One ends with a pair of letters and has the score
/// `paired`. The other two end with a gap, after an alignment of score `left` or `above`.
RADDLE_HOST_DEVICE inline int best_score(int paired, int left, int above, const Scoring& scoring) {
  const int best = left > above ? left : above, gapped = best + scoring.gap;
  return paired > gapped ? paired : gapped;
}

}  // namespace raddle::workloads
