#pragma once

#include <cuda_runtime.h>

#include "common/device_graph.h"

namespace raddle::workloads {

/// Boruvka's algorithm: in every round each component chooses the lightest edge that leaves it, and
/// components joined by chosen edges become one. Edges of equal weight are ordered by their number,
/// so that the forest is unique and components that choose form trees, each with one pair that has
/// chosen the same edge.
///
/// A round is two kernels: choose(), over the vertices that have an edge out of their component,
/// reads the components; join(), over the components, changes them. What is anywhere in memory is
/// loaded past a small L1 cache, 32 bytes in place of a line of 128 (__ldcg).
struct Boruvka {
  using Key = unsigned long long;  // an edge's weight and, below it, its number
  static constexpr Key kNone = ~Key{0};
  static constexpr unsigned kEnd = ~0u;

  GraphView graph;
  const unsigned* edges;     // of each arc: the edge's number, the same for both arcs
  const uint2* ends;         // of each edge: its vertices
  unsigned* parents;         // of each vertex: towards its component's root, its own parent
  unsigned* components;      // of each vertex: its root when it last chose
  Key* lightest[2];          // of each root, in even and odd rounds; kNone at first
  unsigned char* in_forest;  // of each edge
  unsigned* heads;           // by components: of each root, the first of its component's vertices
  unsigned* next;            // ... of each vertex, the next; kEnd: none. The root is the last
  unsigned round;

  __device__ Key key(unsigned arc) const {
    return Key{__ldcg(&graph.weights[arc])} << 32 | __ldcg(&edges[arc]);
  }

  /// The root of the vertex's component. Others on the way get nearer to it: every second one. The
  /// tree changes shape, but not its root, while vertices choose.
  __device__ unsigned root_of(unsigned vertex) const {
    volatile unsigned* const tree = parents;
    unsigned parent = tree[vertex];
    while (parent != vertex) {
      const unsigned next = tree[parent];
      if (next != parent) tree[vertex] = next;
      vertex = parent;
      parent = next;
    }
    return vertex;
  }

  /// False when all arcs stay within the component, now and for good.
  __device__ bool choose(unsigned vertex) const {
    const unsigned root = root_of(vertex);
    Key best = kNone;
    const unsigned end = __ldcg(&graph.row_offsets[vertex + 1]);
    for (unsigned arc = __ldcg(&graph.row_offsets[vertex]); arc < end; ++arc) {
      if (root_of(__ldcg(&graph.targets[arc])) == root) continue;
      const Key candidate = key(arc);
      if (candidate < best) best = candidate;
    }
    components[vertex] = root;
    if (best == kNone) return false;
    Key* const lightest_of_root = &lightest[round % 2][root];
    if (best < *static_cast<volatile Key*>(lightest_of_root)) atomicMin(lightest_of_root, best);
    return true;
  }

  /// The component of which the vertex is the root joins the one at the other end of its lightest
  /// edge, unless that one has chosen the same edge and is to join this one.
  __device__ void join(unsigned vertex) const {
    if (parents[vertex] != vertex) return;
    lightest[(round + 1) % 2][vertex] = kNone;
    const Key own = lightest[round % 2][vertex];
    if (own == kNone) return;
    const auto edge = static_cast<unsigned>(own);
    // Both ends have an edge out of their components, this one: so they have looked for theirs.
    const uint2 end = ends[edge];
    const unsigned one = components[end.x], other = one == vertex ? components[end.y] : one;
    if (lightest[round % 2][other] == own && vertex < other) return;
    parents[vertex] = other;
    in_forest[edge] = 1;
  }

  /// choose() for all vertices of the component of which the vertex is the root; false if it is not, or
  /// no arc leaves the component.
  __device__ bool choose_component(unsigned root) const {
    if (__ldcg(&parents[root]) != root) return false;
    bool any = false;
    for (unsigned vertex = __ldcg(&heads[root]); vertex != kEnd; vertex = __ldcg(&next[vertex])) {
      any |= choose(vertex);
    }
    return any;
  }

  /// After join(): the vertices of a component that has joined another go before that one's.
  __device__ void absorb(unsigned vertex) const {
    if (components[vertex] != vertex || parents[vertex] == vertex) return;  // no root of this round
    next[vertex] = atomicExch(&heads[root_of(vertex)], heads[vertex]);
  }
};

/// Data-driven: vertices with edges out of their components are on the worklist.
template <class List>
__global__ void choose_listed(List list, Boruvka boruvka) {
  list.for_each([&](unsigned vertex, auto& out) {
    if (boruvka.choose(vertex)) out.push(vertex);
  });
}

/// Components that still have an edge out are on the worklist, each as its root: a thread works on a
/// whole component. Those that have joined others are still on it, and passed over.
template <class List>
__global__ void choose_components(List list, Boruvka boruvka) {
  list.for_each([&](unsigned root, auto& out) {
    if (boruvka.choose_component(root)) out.push(root);
  });
}

}  // namespace raddle::workloads
