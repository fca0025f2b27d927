#pragma once

#include "worklist_sp/edges.cuh"

namespace raddle::workloads::sp {

/// Computes the surveys that a clause sends. The survey of an edge is the product, over the
/// clause's other open edges, of the probabilities that their variables cannot satisfy the clause.
/// Other clauses may change the sums of these variables at the same time.
template <bool kInOrder>
class ClauseUpdate {
 public:
  __device__ ClauseUpdate(const FactorGraph& graph, const Edges<kInOrder>& edges, unsigned clause)
      : graph_(graph), edges_(edges), clause_(clause) {}

  /// Calls `send(at, group, surveys)` for each group. Only surveys of open edges have a meaning.
  template <class Send>
  __device__ __forceinline__ void operator()(Send send) {
    // One pass over all edges computes the product, a second one sends; clauses of one group send
    // without a second load. Both passes share a loop, so that its code is compiled once.
    bool all_taken = false;
    for (unsigned at = clause_;;) {
      load(at);
      if (!all_taken) {
        take();
        all_taken = group_.last;
        const bool first_is_loaded = at == clause_;
        at = all_taken ? clause_ : at + 1;
        if (!all_taken || !first_is_loaded) continue;
      }
      float surveys[kTogether];
#pragma unroll
      for (unsigned n = 0; n < kTogether; ++n) {
        // A probability may have changed since take(). Then the quotient may have any value.
        const float sent = fminf(without(unable_[n]), 1);
        surveys[n] = graph_.damping * group_.survey[n] + (1 - graph_.damping) * sent;
      }
      send(at, group_, surveys);
      if (group_.last) break;
      ++at;
    }
  }

 private:
  /// A smaller probability counts as 0, so that a product can be divided by any probability in it.
  static constexpr float kLeast = 1e-20F;

  __device__ void load(unsigned at) {
    group_ = edges_.load(at);
    Sums sums[kTogether];
#pragma unroll
    for (unsigned n = 0; n < kTogether; ++n) {
      if (group_.open(n)) sums[n] = Sums::load(&graph_.sums[group_.term[n].variable()]);
    }
#pragma unroll
    for (unsigned n = 0; n < kTogether; ++n) {
      if (!group_.open(n)) continue;
      unable_[n] = sums[n].unable(group_.term[n].negated(), group_.survey[n]);
    }
  }
  __device__ void take() {
#pragma unroll
    for (unsigned n = 0; n < kTogether; ++n) {
      if (!group_.open(n)) continue;
      all_ *= unable_[n] < kLeast ? 1 : unable_[n];
      zeros_ += unable_[n] < kLeast;
    }
  }
  __device__ float without(float unable) const {
    if (unable < kLeast) return zeros_ == 1 ? all_ : 0;
    return zeros_ == 0 ? __fdividef(all_, unable) : 0;
  }

  const FactorGraph& graph_;
  const Edges<kInOrder>& edges_;
  const unsigned clause_;
  EdgeGroup group_;
  float unable_[kTogether];
  float all_ = 1;
  unsigned zeros_ = 0;
};

/// Replaces the survey `before` that the term's variable has received by `survey`.
__device__ inline void exchange(const FactorGraph& graph, Term term, float before, float survey) {
  graph.sums[term.variable()].exchange(term.negated(), before, survey);
}
/// Stores the surveys that a clause sends along the edges of a group.
template <bool kInOrder>
__device__ __forceinline__ void send(const FactorGraph& graph, const Edges<kInOrder>& edges,
                                     unsigned at, EdgeGroup group,
                                     const float (&surveys)[kTogether]) {
#pragma unroll
  for (unsigned n = 0; n < kTogether; ++n) {
    if (!group.open(n)) continue;
    exchange(graph, group.term[n], group.survey[n], surveys[n]);
    group.survey[n] = surveys[n];
  }
  edges.store(at, group);
}
/// Adds the initial surveys to the variables' sums.
template <bool kInOrder>
__device__ void add_surveys(const FactorGraph& graph, const Edges<kInOrder>& edges) {
  if (thread_number() >= graph.num_groups) return;
  const EdgeGroup group = edges.load(thread_number());
  for (unsigned n = 0; n < kTogether; ++n) {
    if (group.open(n)) exchange(graph, group.term[n], 0, group.survey[n]);
  }
}

/// Computes biases from the surveys, not from the sums, in double precision. If most surveys are
/// nearly 1, both products are smaller than any float, but their ratio matters.
template <bool kInOrder>
__device__ void compute_bias(const FactorGraph& graph, const Edges<kInOrder>& edges,
                             float* biases) {
  const unsigned variable = thread_number();
  if (variable >= graph.num_variables) return;
  Products<double> products;
  const uint2 quads = graph.variable_quads[variable];
  for (unsigned quad = quads.x; quad < quads.y; ++quad) {
    const Quad of_quad(&graph.quad_edges[quad]);
    float surveys[kQuad];
#pragma unroll
    for (unsigned n = 0; n < kQuad; ++n) surveys[n] = edges.survey(of_quad.at[n] / 2);
#pragma unroll
    for (unsigned n = 0; n < kQuad; ++n) {
      const double survey = fmaxf(surveys[n], 0);
      products.sign[0].multiply(of_quad.at[n] % 2 == 0 ? survey : 0);
      products.sign[1].multiply(of_quad.at[n] % 2 == 0 ? 0 : survey);
    }
  }
  biases[variable] = graph.values[variable] < 0 ? static_cast<float>(Warned(products).bias()) : 0;
}

}  // namespace raddle::workloads::sp
