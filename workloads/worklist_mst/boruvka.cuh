#pragma once

#include <cuda_runtime.h>

#include "common/device_graph.h"

namespace raddle::workloads {

/// Boruvka's algorithm: in every round each component chooses the lightest edge that leaves it, and
/// components joined by chosen edges become one. Edges of equal weight are ordered by their number,
/// so that the forest is unique and components that choose form trees, each with one pair that has
/// chosen the same edge.
///
/// A round is two kernels over the vertices that have an edge out of their component: choose(),
/// which reads the components, and join(), which changes them.
struct Boruvka {
  using Key = unsigned long long;  // an edge's weight and, below it, its number
  static constexpr Key kNone = ~Key{0};

  GraphView graph;
  const unsigned* edges;     // of each arc: the edge's number, the same for both arcs
  unsigned* parents;         // of each vertex: towards its component's root, its own parent
  unsigned* components;      // of each vertex: its root when it last chose
  unsigned* chosen;          // of each vertex: its lightest arc out of the component
  Key* lightest[2];          // of each root, in even and odd rounds; kNone at first
  unsigned char* in_forest;  // of each edge
  unsigned round;

  __device__ Key key(unsigned arc) const { return Key{graph.weights[arc]} << 32 | edges[arc]; }

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
    unsigned best_arc = 0;
    Key best = kNone;
    const unsigned end = graph.row_offsets[vertex + 1];
    for (unsigned arc = graph.row_offsets[vertex]; arc < end; ++arc) {
      if (root_of(graph.targets[arc]) == root) continue;
      const Key candidate = key(arc);
      if (candidate >= best) continue;
      best = candidate;
      best_arc = arc;
    }
    components[vertex] = root;
    chosen[vertex] = best_arc;
    if (best == kNone) return false;
    Key* const lightest_of_root = &lightest[round % 2][root];
    if (best < *static_cast<volatile Key*>(lightest_of_root)) atomicMin(lightest_of_root, best);
    return true;
  }

  /// The vertex whose arc its component has chosen joins the component to the one at the other end,
  /// unless that one has chosen the same edge and is to join this one. `vertex` has chosen.
  __device__ void join(unsigned vertex) const {
    const unsigned root = components[vertex], arc = chosen[vertex];
    const Key own = key(arc);
    if (own != lightest[round % 2][root]) return;
    lightest[(round + 1) % 2][root] = kNone;
    // The other end has an arc out of its component, too, this one: so it has chosen.
    const unsigned other = components[graph.targets[arc]];
    if (lightest[round % 2][other] == own && root < other) return;
    parents[root] = other;
    in_forest[edges[arc]] = 1;
  }
};

/// Data-driven: those vertices are on the worklist.
template <class List>
__global__ void choose_listed(List list, Boruvka boruvka) {
  list.for_each([&](unsigned vertex, auto& out) {
    if (boruvka.choose(vertex)) out.push(vertex);
  });
}
template <class List>
__global__ void join_listed(List list, Boruvka boruvka) {
  list.for_each([&](unsigned vertex, auto& out) {
    boruvka.join(vertex);
    out.push(vertex);
  });
}

}  // namespace raddle::workloads
