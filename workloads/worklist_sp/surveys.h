// The equations of survey propagation, for host and device (A. Braunstein, M. Mezard, R. Zecchina,
// "Survey Propagation: An Algorithm for Satisfiability", Random Struct. Algorithms 27, 2005,
// equations 26 to 31). The survey of an edge from clause a to variable i is the probability that a
// warns i to satisfy a, because a's other variables cannot.
#pragma once

#include <type_traits>

#include "common/host_device.h"

namespace raddle::workloads::sp {

/// The product of 1 - survey over edges. Factors that are 0 are counted separately, so that any
/// factor can be removed again.
template <class Real>
struct Product {
  Real others = 1;
  unsigned zeros = 0;

  RADDLE_HOST_DEVICE void multiply(Real survey) {
    const Real factor = 1 - survey;
    if (factor > 0) {
      others *= factor;
    } else {
      ++zeros;
    }
  }
  RADDLE_HOST_DEVICE Real value() const { return zeros == 0 ? others : 0; }
  RADDLE_HOST_DEVICE Real without(Real survey) const {
    const Real factor = 1 - survey;
    if (factor > 0) return zeros == 0 ? others / factor : 0;
    return zeros == 1 ? others : 0;
  }
};

/// The products of a variable: [0] over the edges where it is plain, [1] where it is negated.
template <class Real>
struct alignas(4 * sizeof(Real)) Products {
  Product<Real> sign[2];
};

/// The probability that a variable cannot satisfy a clause, because other clauses warn it to do the
/// opposite. `same`: the product over the other edges where the variable has the same sign as in
/// the clause; `opposite`: over the edges where it has the other sign.
template <class Real>
RADDLE_HOST_DEVICE inline Real unable(Real same, Real opposite) {
  const Real cannot = (1 - opposite) * same;
  const Real all = cannot + opposite;  // cannot + (1 - same) opposite + same opposite
  if (!(all > 0)) return 0;
#ifdef __CUDA_ARCH__
  // Exact to 2 units in the last place, which suffices, and much faster.
  if constexpr (std::is_same_v<Real, float>) return __fdividef(cannot, all);
#endif
  return cannot / all;
}

/// The same for variable j, which has `sign` in clause a. `survey` is the one from a to j.
template <class Real>
RADDLE_HOST_DEVICE inline Real unable(const Products<Real>& j, unsigned sign, Real survey) {
  return unable(j.sign[sign].without(survey), j.sign[1 - sign].value());
}

/// The probabilities that a variable is warned to be true, and to be false.
template <class Real>
struct Warned {
  Real is_true, is_false;

  RADDLE_HOST_DEVICE explicit Warned(const Products<Real>& i) {
    const Real plain = i.sign[0].value(), negated = i.sign[1].value();
    is_true = (1 - plain) * negated;
    is_false = (1 - negated) * plain;
    const Real all = is_true + is_false + plain * negated;
    is_true = all > 0 ? is_true / all : 0;
    is_false = all > 0 ? is_false / all : 0;
  }
  RADDLE_HOST_DEVICE Real bias() const { return is_true - is_false; }
};

}  // namespace raddle::workloads::sp
