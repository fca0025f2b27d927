// Points-to analysis, topology-driven: a pipeline of short kernels, repeated until nothing changes.
// Bits represent sets of nodes, and the edges of the growing graph of copies. A block has the same
// nodes and constraints in every iteration.
#pragma once

#include <utility>
#include <vector>

#include "common/application.h"
#include "common/comparison.h"
#include "pta/constraints.h"

namespace raddle::workloads::pta {

struct Uses {
  const Constraint* constraints;
  unsigned count;
};

struct Analysis {
  unsigned nodes, words;
  const unsigned* fields;  // Program::fields
  unsigned* sets;          // [node][word]: objects
  unsigned* sources;       // [node][word]: nodes whose sets flow into this one's
  unsigned* changed;

  __device__ void add(unsigned* bits, unsigned row, unsigned bit) const {
    unsigned* const word = &bits[row * words + bit / 32];
    const unsigned mask = 1u << bit % 32;
    if ((__ldcg(word) & mask) != 0 || (atomicOr(word, mask) & mask) != 0) return;
    *changed = 1;
  }
  /// Calls f(object + offset) for each object in the pointer's set that has such a field. A warp
  /// calls it together.
  template <class F>
  __device__ void for_each_field(unsigned pointer, unsigned offset, F f) const {
    for (unsigned word = threadIdx.x % 32; word < words; word += 32) {
      for (unsigned bits = __ldcg(&sets[pointer * words + word]); bits != 0; bits &= bits - 1) {
        const unsigned object = word * 32 + __ffs(bits) - 1;
        if (fields[object] > offset) f(object + offset);
      }
    }
  }
};

/// The part of `count` items that this block has; `first` is the item with which this warp begins.
struct Share {
  unsigned first, end;
  __device__ explicit Share(unsigned count)
      : first(static_cast<unsigned>(std::uint64_t{count} * blockIdx.x / gridDim.x) +
              threadIdx.x / 32),
        end(static_cast<unsigned>(std::uint64_t{count} * (blockIdx.x + 1) / gridDim.x)) {}
};

/// Propagates sets along copies, a warp for each node.
__global__ void propagate(Analysis work) {
  const Share share(work.nodes);
  for (unsigned node = share.first; node < share.end; node += blockDim.x / 32) {
    for (unsigned row = 0; row < work.words; ++row) {
      for (unsigned bits = __ldcg(&work.sources[node * work.words + row]); bits != 0;
           bits &= bits - 1) {
        const unsigned source = row * 32 + __ffs(bits) - 1;
        for (unsigned word = threadIdx.x % 32; word < work.words; word += 32) {
          unsigned* const own = &work.sets[node * work.words + word];
          const unsigned before = __ldcg(own);
          const unsigned all = before | __ldcg(&work.sets[source * work.words + word]);
          if (all == before) continue;
          __stcg(own, all);
          *work.changed = 1;
        }
      }
    }
  }
}

__global__ void apply_loads(Analysis work, Uses uses) {
  const Share share(uses.count);
  for (unsigned n = share.first; n < share.end; n += blockDim.x / 32) {
    const Constraint use = uses.constraints[n];
    work.for_each_field(use.source, use.offset,
                        [&](unsigned field) { work.add(work.sources, use.destination, field); });
  }
}

__global__ void apply_stores(Analysis work, Uses uses) {
  const Share share(uses.count);
  for (unsigned n = share.first; n < share.end; n += blockDim.x / 32) {
    const Constraint use = uses.constraints[n];
    work.for_each_field(use.destination, use.offset,
                        [&](unsigned field) { work.add(work.sources, field, use.source); });
  }
}

__global__ void apply_offsets(Analysis work, Uses uses) {
  const Share share(uses.count);
  for (unsigned n = share.first; n < share.end; n += blockDim.x / 32) {
    const Constraint use = uses.constraints[n];
    work.for_each_field(use.source, use.offset,
                        [&](unsigned field) { work.add(work.sets, use.destination, field); });
  }
}

class PointsTo : public Application {
 public:
  PointsTo(Program program, unsigned blocks, unsigned threads)
      : program_(std::move(program)),
        blocks_(blocks),
        threads_(threads),
        fields_(program_.fields),
        loads_(uses_of(Constraint::Kind::load)),
        stores_(uses_of(Constraint::Kind::store)),
        offsets_(uses_of(Constraint::Kind::offset)),
        first_sets_(first_bits(Constraint::Kind::address)),
        first_sources_(first_bits(Constraint::Kind::copy)),
        sets_(first_sets_.size()),
        sources_(first_sets_.size()) {}

  void begin(cudaStream_t stream) override {
    copy(sets_, first_sets_, stream);
    copy(sources_, first_sources_, stream);
    round(stream);
  }
  bool go_on(cudaStream_t stream) override {
    if (!changed_.is_set()) return false;
    round(stream);
    return true;
  }
  bool check() override { return check_equal("pta", solve(program_), sets_.download()); }

 private:
  /// Iterations of the pipeline between two reads by the host. The last iteration tells whether
  /// anything still changes.
  static constexpr unsigned kIterations = 4;

  void round(cudaStream_t stream) {
    const Analysis work{program_.nodes, program_.words(), fields_.data(),
                        sets_.data(),   sources_.data(),  changed_.device()};
    const auto uses = [](DeviceBuffer<Constraint>& of) {
      return Uses{of.data(), static_cast<unsigned>(of.size())};
    };
    for (unsigned n = 0; n < kIterations; ++n) {
      changed_.clear(stream);
      propagate<<<blocks_, threads_, 0, stream>>>(work);
      apply_loads<<<blocks_, threads_, 0, stream>>>(work, uses(loads_));
      apply_stores<<<blocks_, threads_, 0, stream>>>(work, uses(stores_));
      apply_offsets<<<blocks_, threads_, 0, stream>>>(work, uses(offsets_));
    }
    CHECK_CUDA(cudaGetLastError());
    changed_.read_back(stream);
  }
  std::vector<Constraint> uses_of(Constraint::Kind kind) const {
    std::vector<Constraint> uses;
    for (const Constraint& one : program_.constraints) {
      if (one.kind == kind) uses.push_back(one);
    }
    return uses;
  }
  /// Bits of the constraints of one kind, with a row for each destination.
  std::vector<unsigned> first_bits(Constraint::Kind kind) const {
    std::vector<unsigned> bits(std::size_t{program_.nodes} * program_.words());
    for (const Constraint& one : uses_of(kind)) {
      bits[std::size_t{one.destination} * program_.words() + one.source / 32] |= 1u
                                                                                 << one.source % 32;
    }
    return bits;
  }

  Program program_;
  unsigned blocks_, threads_;
  DeviceBuffer<unsigned> fields_;
  DeviceBuffer<Constraint> loads_, stores_, offsets_;
  DeviceBuffer<unsigned> first_sets_, first_sources_, sets_, sources_;
  Flag changed_;
};

}  // namespace raddle::workloads::pta
