// Data-driven relaxation of arcs: breadth-first search and shortest paths on a worklist.
#pragma once

#include <cuda_runtime.h>

#include <string>
#include <vector>

#include "common/device_buffer.h"
#include "common/device_graph.h"
#include "common/options.h"
#include "common/row_sharing.cuh"
#include "common/worklist_variant.h"

namespace raddle::workloads {

/// A vertex's arcs and its distance from the start.
struct DistantRow : ArcRange {
  unsigned distance;

  __device__ DistantRow of_lane(int lane) const {
    return {ArcRange::of_lane(lane), __shfl_sync(0xffffffff, distance, lane)};
  }
};

/// The option --rows: a vertex a thread, or long rows distributed over the warp and the block.
struct RowsOption {
  std::string choice = "default";

  void add_to(Options& options) {
    options.add_choice("--rows", &choice, {"default", "thread", "shared"},
                       "worklists: a vertex a thread, or long rows shared by block and warp; by "
                       "default shared if the graph has a row of 32 arcs or more");
  }
  bool shared(const CsrGraph& graph) const {
    constexpr unsigned warp = 32;
    if (choice != "default") return choice == "shared";
    return graph.degree(highest_degree_vertex(graph)) >= warp;
  }
};

/// How a vertex whose distance falls is kept from entering the worklist more than once.
enum class Queueing {
  levels,  // all weights are 1 and each kernel does a level: every vertex is pushed once
  rounds,  // queued[v] is the last round for which it was pushed
  flags    // queued[v] is 1 while it is on the worklist
};

/// Lowers distances until no arc lowers one. Distances are read past the L1 caches, since they fall
/// while the kernel runs. Rows are, too (__ldcg), since vertices come in no order: a small cache
/// would evict a line of 128 bytes before a second word of it is used. Past the cache only 32 bytes
/// are fetched.
struct Relaxation {
  GraphView graph;
  unsigned* distances;  // 2^32 - 1: none
  unsigned* queued;
  Queueing queueing;
  unsigned round;  // from 1

  /// Returns the arcs of a pulled vertex.
  __device__ DistantRow take(unsigned vertex) const {
    if (queueing == Queueing::flags) {
      atomicExch(&queued[vertex], 0u);
      __threadfence();  // a thread that lowers the distance later pushes the vertex again
    }
    const unsigned* const row = &graph.row_offsets[vertex];
    return {{__ldcg(row), __ldcg(row + 1)}, current(vertex)};
  }
  template <class Out>
  __device__ void relax(unsigned arc, unsigned distance, Out& out) const {
    const unsigned weight = graph.weights != nullptr ? __ldcg(&graph.weights[arc]) : 1;
    const unsigned candidate = sum(distance, weight);
    const unsigned target = __ldcg(&graph.targets[arc]);
    if (candidate >= current(target)) return;
    if (candidate >= atomicMin(&distances[target], candidate)) return;
    if (queueing == Queueing::rounds && atomicExch(&queued[target], round) == round) return;
    if (queueing == Queueing::flags) {
      __threadfence();
      if (atomicExch(&queued[target], 1u) != 0) return;
    }
    out.push(target);
  }

 private:
  __device__ unsigned current(unsigned vertex) const {
    return static_cast<const volatile unsigned*>(distances)[vertex];
  }
  /// Returns 2^32 - 1, no distance, when the sum is too large.
  __device__ static unsigned sum(unsigned distance, unsigned weight) {
    const unsigned result = distance + weight;
    return result < distance ? 0xffffffff : result;
  }
};

/// A vertex a thread.
template <class List>
__global__ void relax_by_thread(List list, Relaxation relaxation) {
  list.for_each([&](std::uint32_t vertex, auto& out) {
    const DistantRow row = relaxation.take(vertex);
    for (unsigned arc = row.first; arc < row.end; ++arc) {
      relaxation.relax(arc, row.distance, out);
    }
  });
}

/// Long rows are distributed over the warp and the block.
template <class List>
__global__ void relax_by_block(List list, Relaxation relaxation) {
  list.for_each_in_blocks([&](std::uint32_t vertex, auto& out) {
    const DistantRow none{{0, 0}, 0};
    expand_shared(
        vertex < worklist::kWait ? relaxation.take(vertex) : none,
        [&](unsigned arc, const DistantRow& row) { relaxation.relax(arc, row.distance, out); });
  });
}

/// The distance of each vertex from the start, 2^32 - 1 if there is no path; and the number of
/// kernels.
struct Distances {
  std::vector<unsigned> values;
  unsigned steps = 0;
};

inline DeviceBuffer<unsigned> initial_distances(GraphView graph, Vertex source) {
  DeviceBuffer<unsigned> distances(graph.num_vertices);
  distances.fill_bytes(0xff);
  distances.set(source, 0);
  return distances;
}

/// `weighted`: uses the graph's weights; otherwise each is 1. `shared_rows`: uses relax_by_block.
template <class List>
Distances relax_on(GraphView graph, Vertex source, bool weighted, bool shared_rows) {
  constexpr unsigned block_size = 256;
  const Queueing queueing = List::kBuffering == worklist::Buffering::single_buffered
                                ? Queueing::flags
                            : weighted ? Queueing::rounds
                                       : Queueing::levels;
  DeviceBuffer<unsigned> distances = initial_distances(graph, source);
  DeviceBuffer<unsigned> queued(queueing == Queueing::levels ? 0 : graph.num_vertices);
  queued.fill_bytes(0);
  Relaxation relaxation{graph, distances.data(), queued.data(), queueing, 1};
  if (!weighted) relaxation.graph.weights = nullptr;
  const auto kernel = shared_rows ? &relax_by_block<typename List::Device>
                                  : &relax_by_thread<typename List::Device>;
  List list(graph.num_vertices);
  list.push({source});
  for (; list.advance() != 0; ++relaxation.round) list.launch(kernel, block_size, relaxation);
  return {distances.download(), relaxation.round - 1};
}

/// As relax_on, on the hardware worklist; in a source file of its own.
Distances relax_on_hardware(const WorklistOptions& options, GraphView graph, Vertex source,
                            bool weighted, bool shared_rows);

}  // namespace raddle::workloads
