// From a multipole to a local expansion.
#pragma once

#include "locality_fmm/cells.h"

namespace raddle::workloads::fmm {

/// Terms of the local expansion that a multipole has in a cell of its size, `x` and `y` cells further on
/// than the source (Greengard and Rokhlin's lemma 2.4, of the derivative): with d = x + iy,
/// b_l = (-1)^l sum over k of a_k C(k+l, l) / d^(k+l+1).
RADDLE_HOST_DEVICE inline void shift_to_local(const Expansion& from, int x, int y, Complex* local) {
  const Complex inverse = reciprocal({static_cast<float>(x), static_cast<float>(y)});
  Complex powers[2 * kTerms];
  powers[0] = inverse;
  for (unsigned i = 1; i < 2 * kTerms - 1; ++i) powers[i] = powers[i - 1] * inverse;
  for (unsigned l = 0; l < kTerms; ++l) {
    Complex sum = {0, 0};
    float binomial = 1;  // C(k+l, l)
    for (unsigned k = 0; k < kTerms; ++k) {
      const Complex term = from.terms[k] * powers[k + l];
      sum.re += binomial * term.re;
      sum.im += binomial * term.im;
      binomial = binomial * static_cast<float>(k + 1 + l) / static_cast<float>(k + 1);
    }
    local[l] = l % 2 == 0 ? sum : Complex{-sum.re, -sum.im};
  }
}

}  // namespace raddle::workloads::fmm
