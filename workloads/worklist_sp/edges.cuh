// What edges carry, in the layout that is best for each form.
#pragma once

#include "worklist_sp/factor_graph.cuh"

namespace raddle::workloads::sp {

/// Edges of a clause that are looked at together: one access gets their surveys, one their terms.
struct EdgeGroup {
  float survey[kTogether];
  Term term[kTogether];
  bool last;  // of the clause

  __device__ bool open(unsigned n) const { return survey[n] >= 0; }
};

/// In order: neighbouring threads have neighbouring clauses (topology-driven), so that an access of a
/// warp is to few lines of an array. Else the next clause is anywhere, and what belongs to it lies
/// together: 32 bytes, which come past the L1 cache.
template <bool kInOrder>
struct Edges {
  static constexpr unsigned kStride = kInOrder ? 1 : 2;
  float4* surveys;  // of group g: [g * kStride]
  const uint4* terms;

  __device__ EdgeGroup load(unsigned group) const {
    const float4* from = &surveys[group * kStride];
    const uint4* terms_from = &terms[group * kStride];
    const float4 survey = kInOrder ? *from : __ldcg(from);
    const uint4 term = kInOrder ? *terms_from : __ldcg(terms_from);
    return {{survey.x, survey.y, survey.z}, {{term.x}, {term.y}, {term.z}}, term.w != 0};
  }
  __device__ void store(unsigned group, const EdgeGroup& edges) const {
    surveys[group * kStride] = {edges.survey[0], edges.survey[1], edges.survey[2], kClosed};
  }
  __device__ float survey(unsigned edge) const { return __ldcg(place(edge)); }
  /// The survey before: of several threads, only one sees that the edge was open.
  __device__ float close(unsigned edge) const { return atomicExch(place(edge), kClosed); }

 private:
  __device__ float* place(unsigned edge) const {
    return reinterpret_cast<float*>(&surveys[edge / kPlaces * kStride]) + edge % kPlaces;
  }
};

}  // namespace raddle::workloads::sp
