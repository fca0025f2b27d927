#pragma once

#include <cuda_runtime.h>

#include "worklist_sp/surveys.h"

namespace raddle::workloads::sp {

/// The product of 1 - survey over edges, as the sum of logarithms in fixed point, so that a survey
/// can be taken out and another put in by one atomic addition, in any order and without an error
/// that grows. Factors that are 0 are counted in the bits from kZero on; there is room below for the
/// other factors of 30,000 edges, however small.
using Sum = unsigned long long;
constexpr Sum kZero = Sum{1} << 40;
constexpr float kUnit = 1.0F / (1 << 21);

/// What a survey adds.
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

/// Of a variable: over the edges where it is plain, and where it is negated.
struct alignas(16) Sums {
  Sum plain, negated;

  __device__ static Sums load(const Sums* sums) {
    const ulonglong2 both = __ldcg(reinterpret_cast<const ulonglong2*>(sums));
    return {both.x, both.y};
  }
  /// The probability that the variable cannot satisfy a clause in which it has the sign, and from
  /// which it has received the survey.
  __device__ float unable(bool is_negated, float received) const {
    const float same = product_of((is_negated ? negated : plain) - term_of(received));
    return sp::unable(same, is_negated ? product_of(plain) : product_of(negated));
  }
  /// The variable receives a survey in place of another.
  __device__ void exchange(bool is_negated, float before, float survey) {
    atomicAdd(is_negated ? &negated : &plain, term_of(survey) - term_of(before));
  }
};

}  // namespace raddle::workloads::sp
