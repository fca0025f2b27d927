#pragma once

#include <cuda_runtime.h>

#include "worklist_sp/surveys.h"

namespace raddle::workloads::sp {

/// The product of 1 - survey over edges, as a sum of logarithms in fixed point. One atomic addition
/// replaces one survey by another, in any order, and errors do not accumulate. The bits from kZero
/// up count the factors that are 0. The bits below hold the other factors of up to 30,000 edges,
/// however small they are.
using Sum = unsigned long long;
constexpr Sum kZero = Sum{1} << 40;
constexpr float kUnit = 1.0F / (1 << 21);

/// The term that a survey adds to a sum.
__device__ inline Sum term_of(float survey) {
  const float factor = 1 - survey;
  if (!(factor > 0)) return kZero;
  return __float2uint_rn(-__logf(factor) * (1 / kUnit));
}
/// A product below e^-2048 is 0.
__device__ inline float product_of(Sum sum) {
  const auto high = static_cast<unsigned>(sum >> 32), low = static_cast<unsigned>(sum);
  return high == 0 ? __expf(-kUnit * static_cast<float>(low)) : 0;
}

/// The sums of a variable: over the edges where it is plain, and over those where it is negated.
struct alignas(16) Sums {
  Sum plain, negated;

  __device__ static Sums load(const Sums* sums) {
    const ulonglong2 both = __ldcg(reinterpret_cast<const ulonglong2*>(sums));
    return {both.x, both.y};
  }
  /// The probability that the variable cannot satisfy a clause. `is_negated` is its sign in the
  /// clause, `received` the survey that the clause has sent to it.
  __device__ float unable(bool is_negated, float received) const {
    const float same = product_of((is_negated ? negated : plain) - term_of(received));
    return sp::unable(same, is_negated ? product_of(plain) : product_of(negated));
  }
  /// Replaces the survey `before` that the variable has received by `survey`.
  __device__ void exchange(bool is_negated, float before, float survey) {
    atomicAdd(is_negated ? &negated : &plain, term_of(survey) - term_of(before));
  }
};

}  // namespace raddle::workloads::sp
