// What edges carry, in the layout that is best for each form.
#pragma once

#include "worklist_sp/factor_graph.cuh"

namespace raddle::workloads::sp {

/// Edges of a clause, one after the other, that are looked at together. There is room for as many
/// after the last edge, which are not open.
constexpr unsigned kTogether = 3;

struct EdgeGroup {
  unsigned count;  // of them
  bool last;       // there is none after them
  float survey[kTogether];
  float low[kTogether], high[kTogether];  // what it has been since its variable was pushed
  Term term[kTogether];

  __device__ void find_end() {
    count = kTogether;
    last = term[kTogether - 1].last();
#pragma unroll
    for (unsigned n = kTogether - 1; n-- > 0;) {
      if (term[n].last()) count = n + 1, last = true;
    }
  }
  __device__ bool open(unsigned n) const { return n < count && survey[n] >= 0; }
};

/// Topology-driven: neighbouring threads have neighbouring clauses, so that an access of a warp is to
/// few lines of an array.
struct EdgeArrays {
  float* surveys;
  const Term* terms;

  __device__ float survey(unsigned edge) const { return __ldcg(&surveys[edge]); }
  __device__ EdgeGroup load(unsigned first) const {
    EdgeGroup group;
#pragma unroll
    for (unsigned n = 0; n < kTogether; ++n) {
      group.survey[n] = group.low[n] = group.high[n] = surveys[first + n];
      group.term[n] = terms[first + n];
    }
    group.find_end();
    return group;
  }
  /// The survey before: of several threads, only one sees that the edge was open.
  __device__ float close(unsigned edge) const { return atomicExch(&surveys[edge], kClosed); }
};

/// Data-driven: the next clause on the list is anywhere. All of an edge is one access.
struct alignas(16) EdgeRecord {
  float survey, low, high;
  Term term;
};

struct EdgeRecords {
  EdgeRecord* records;

  __device__ float survey(unsigned edge) const { return __ldcg(&records[edge].survey); }
  __device__ EdgeGroup load(unsigned first) const {
    EdgeGroup group;
#pragma unroll
    for (unsigned n = 0; n < kTogether; ++n) {
      const uint4 words = __ldcg(reinterpret_cast<const uint4*>(&records[first + n]));
      group.survey[n] = __uint_as_float(words.x);
      group.low[n] = __uint_as_float(words.y);
      group.high[n] = __uint_as_float(words.z);
      group.term[n] = {words.w};
    }
    group.find_end();
    return group;
  }
  __device__ void store(unsigned edge, const EdgeRecord& record) const {
    const uint4 words = {__float_as_uint(record.survey), __float_as_uint(record.low),
                         __float_as_uint(record.high), record.term.bits};
    *reinterpret_cast<uint4*>(&records[edge]) = words;
  }
  __device__ float close(unsigned edge) const { return atomicExch(&records[edge].survey, kClosed); }
};

}  // namespace raddle::workloads::sp
