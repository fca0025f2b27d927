// The data of edges (surveys and literals), with a layout for each form of the program.
#pragma once

#include "worklist_sp/factor_graph.cuh"

namespace raddle::workloads::sp {

/// Edges of a clause that are loaded together: one access gets their surveys, another their terms.
struct EdgeGroup {
  float survey[kTogether];
  Term term[kTogether];
  bool last;  // the clause's last group

  __device__ bool open(unsigned n) const { return survey[n] >= 0; }
};

/// In order (topology-driven): neighbouring threads have neighbouring clauses, so an access of a
/// warp touches few lines of an array. Otherwise the clauses of a warp are scattered. Then the data
/// of a group lies together, in 32 bytes, and loads bypass the L1 cache.
template <bool kInOrder>
struct Edges {
  static constexpr unsigned kStride = kInOrder ? 1 : 2;
  float4* surveys;  // group g is at [g * kStride]
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
  /// Closes the edge and returns its survey. If several threads close it, only one gets the open
  /// survey.
  __device__ float close(unsigned edge) const { return atomicExch(place(edge), kClosed); }

 private:
  __device__ float* place(unsigned edge) const {
    return reinterpret_cast<float*>(&surveys[edge / kPlaces * kStride]) + edge % kPlaces;
  }
};

}  // namespace raddle::workloads::sp
