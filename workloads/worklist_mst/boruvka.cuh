#pragma once

#include <cuda_runtime.h>

#include "common/device_graph.h"

namespace raddle::workloads {

/// Boruvka's algorithm: in every round each component chooses the lightest edge that leaves it, and
/// components joined by chosen edges become one. Edges of equal weight are ordered by their number,
/// so that the forest is unique. The chosen edges join components into trees; in each tree exactly
/// one pair of components has chosen the same edge.
///
/// A round is two kernels. choose(), over the vertices that have an edge out of their component,
/// reads the components. join(), over the components, changes them. Scattered words are loaded past
/// the small L1 cache (__ldcg): 32 bytes instead of a line of 128.
struct Boruvka {
  using Key = unsigned long long;  // upper half: an edge's weight; lower half: its number
  static constexpr Key kNone = ~Key{0};
  static constexpr unsigned kEnd = ~0u;

  GraphView graph;
  const unsigned* edges;     // of each arc: its edge's number, the same for both arcs
  const uint2* ends;         // of each edge: its vertices
  unsigned* parents;         // of each vertex: a step towards its root; a root is its own parent
  unsigned* components;      // of each vertex: its root at its last choose()
  Key* lightest[2];          // of each root, in even and odd rounds; initially kNone
  unsigned char* in_forest;  // of each edge
  unsigned* heads;           // for components: of each root, its component's first vertex
  unsigned* next;            // ... of each vertex, the next; kEnd: none. The root is last
  unsigned round;

  __device__ Key key(unsigned arc) const {
    return Key{__ldcg(&graph.weights[arc])} << 32 | __ldcg(&edges[arc]);
  }

  /// Returns the root of the vertex's component. Moves every second vertex on the path nearer to
  /// the root. While vertices choose, a tree changes its shape, but not its root.
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

  /// Returns false when all arcs stay within the component; this never changes again.
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

  /// If the vertex is a root, its component joins the one at the other end of its lightest edge. If
  /// both have chosen the same edge, only the one with the higher root joins the other.
  __device__ void join(unsigned vertex) const {
    if (parents[vertex] != vertex) return;
    lightest[(round + 1) % 2][vertex] = kNone;
    const Key own = lightest[round % 2][vertex];
    if (own == kNone) return;
    const auto edge = static_cast<unsigned>(own);
    // This edge leaves the components of both ends, so both have called choose().
    const uint2 end = ends[edge];
    const unsigned one = components[end.x], other = one == vertex ? components[end.y] : one;
    if (lightest[round % 2][other] == own && vertex < other) return;
    parents[vertex] = other;
    in_forest[edge] = 1;
  }

  /// Calls choose() for all vertices of the root's component. Returns false if the vertex is not a
  /// root, or no arc leaves the component.
  __device__ bool choose_component(unsigned root) const {
    if (__ldcg(&parents[root]) != root) return false;
    bool any = false;
    for (unsigned vertex = __ldcg(&heads[root]); vertex != kEnd; vertex = __ldcg(&next[vertex])) {
      any |= choose(vertex);
    }
    return any;
  }

  /// After join(): if a component has joined another, inserts its vertices before that one's in the
  /// list.
  __device__ void absorb(unsigned vertex) const {
    // Only roots of this round that have joined another component.
    if (components[vertex] != vertex || parents[vertex] == vertex) return;
    next[vertex] = atomicExch(&heads[root_of(vertex)], heads[vertex]);
  }
};

/// Data-driven: the worklist holds the vertices with edges out of their components.
template <class List>
__global__ void choose_listed(List list, Boruvka boruvka) {
  list.for_each([&](unsigned vertex, auto& out) {
    if (boruvka.choose(vertex)) out.push(vertex);
  });
}

/// The worklist holds the roots of components that have an edge to another one. A thread works on a
/// whole component. Components that have joined others are still on the list, and skipped.
template <class List>
__global__ void choose_components(List list, Boruvka boruvka) {
  list.for_each([&](unsigned root, auto& out) {
    if (boruvka.choose_component(root)) out.push(root);
  });
}

}  // namespace raddle::workloads
