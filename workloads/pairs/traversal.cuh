// Breadth-first search and shortest paths in one launch that runs to the end. Each block has a
// worklist, and each vertex belongs to a block. A thread that finds a shorter way to a vertex puts
// it on the worklist of its block (thread-block-management, section II.B: distributed worklists).
#pragma once

#include <cstring>
#include <utility>
#include <vector>

#include "bfs/reference.h"
#include "common/application.h"
#include "common/comparison.h"
#include "common/device_graph.h"
#include "sssp/reference.h"

namespace raddle::workloads::pairs {

/// The worklist of block b is a ring with a place for each vertex of the block. A vertex is on it
/// at most once.
struct BlockLists {
  static constexpr unsigned kEmpty = ~0u;
  GraphView graph;
  unsigned blocks;
  unsigned ring;        // places of each list
  unsigned* places;     // [block][ring]: vertices, kEmpty
  unsigned* tails;      // [block]: how many vertices were put there in total
  unsigned* listed;     // [vertex]: whether it is on its list
  unsigned* added;      // [block]: vertices that it has put, or may still put, on lists
  unsigned* done;       // [block]: vertices that it has processed, or has not put on a list
  unsigned* distances;  // [vertex]: with weights, the bits of a float (same order)

  __device__ unsigned block_of(unsigned vertex) const { return vertex / ring; }

  __device__ void put(unsigned vertex) const {
    const unsigned block = block_of(vertex);
    const unsigned place = atomicAdd(&tails[block], 1u) % ring;
    // The previous vertex of this place was taken or soon is: there are no more vertices than
    // places.
    while (atomicCAS(&places[block * ring + place], kEmpty, vertex) != kEmpty) {
    }
  }
  __device__ unsigned take(unsigned block, unsigned number) const {
    unsigned* const place = &places[block * ring + number % ring];
    unsigned vertex;
    while ((vertex = atomicExch(place, kEmpty)) == kEmpty) {
    }
    return vertex;
  }

  __device__ unsigned further(unsigned distance, unsigned arc) const {
    if (graph.weights == nullptr) return distance + 1;
    return __float_as_uint(__uint_as_float(distance) + __uint_as_float(graph.weights[arc]));
  }

  /// Updates the distances of the vertex's neighbours. Puts neighbours with a smaller distance on
  /// lists.
  __device__ void relax(unsigned vertex) const {
    // From here on a smaller distance puts the vertex on its list again.
    atomicExch(&listed[vertex], 0u);
    const unsigned distance = atomicAdd(&distances[vertex], 0u);
    const unsigned begin = graph.row_offsets[vertex], end = graph.row_offsets[vertex + 1];
    atomicAdd(&added[blockIdx.x], end - begin);
    __threadfence();
    unsigned unlisted = 1;  // the vertex itself
    for (unsigned arc = begin; arc < end; ++arc) {
      const unsigned target = graph.targets[arc];
      const unsigned candidate = further(distance, arc);
      const bool nearer = candidate < __ldcg(&distances[target]) &&
                          candidate < atomicMin(&distances[target], candidate);
      if (nearer && atomicExch(&listed[target], 1u) == 0) {
        put(target);
      } else {
        ++unlisted;
      }
    }
    __threadfence();
    atomicAdd(&done[blockIdx.x], unlisted);
  }

  /// Whether all added vertices are done. Reads `done` of all blocks first, and then `added`. Both
  /// only grow, and `added` is ahead, so they are equal only if no vertex was left in between.
  __device__ bool over() const {
    unsigned all = 0;
    for (unsigned b = 0; b < blocks; ++b) all += *(volatile unsigned*)&done[b];
    __threadfence();
    for (unsigned b = 0; b < blocks; ++b) all -= *(volatile unsigned*)&added[b];
    return all == 0;
  }
};

__device__ inline void traverse(const BlockLists& lists) {
  __shared__ unsigned head, tail;
  __shared__ bool is_over;
  if (threadIdx.x == 0) head = 0;
  for (;;) {
    __syncthreads();
    if (threadIdx.x == 0) {
      tail = *(volatile unsigned*)&lists.tails[blockIdx.x];
      is_over = tail == head && lists.over();
    }
    __syncthreads();
    if (is_over) return;
    const unsigned number = head + threadIdx.x;
    // Numbers wrap, so only the distance between tail and head is compared.
    if (threadIdx.x < tail - head) {
      lists.relax(lists.take(blockIdx.x, number));
    } else if (tail == head) {
      __nanosleep(500);
    }
    __syncthreads();
    if (threadIdx.x == 0) head += min(tail - head, blockDim.x);
  }
}

__global__ void __launch_bounds__(128) bfs_by_block(BlockLists lists) { traverse(lists); }
__global__ void __launch_bounds__(256) sssp_by_block(BlockLists lists) { traverse(lists); }

class Traversal : public Application {
 public:
  /// Weights, if there are any, must be whole numbers, with sums that are exact in a float.
  Traversal(CsrGraph graph, Vertex source, unsigned blocks)
      : host_(std::move(graph)),
        source_(source),
        blocks_(blocks),
        row_offsets_(host_.row_offsets),
        targets_(host_.targets),
        weights_(std::vector<float>(host_.weights.begin(), host_.weights.end())),
        ring_((host_.num_vertices() + blocks - 1) / blocks),
        places_(std::size_t{ring_} * blocks),
        tails_(blocks),
        listed_(host_.num_vertices()),
        added_(blocks),
        done_(blocks),
        distances_(host_.num_vertices()),
        first_(std::vector<unsigned>{source, 0u, 1u}) {}

  void begin(cudaStream_t stream) override {
    fill_bytes(places_, 0xff, stream);
    fill_bytes(tails_, 0, stream);
    fill_bytes(listed_, 0, stream);
    fill_bytes(added_, 0, stream);
    fill_bytes(done_, 0, stream);
    fill_bytes(distances_, 0xff, stream);
    const unsigned block = source_ / ring_;
    set(distances_.data() + source_, 1, stream);
    set(places_.data() + std::size_t{block} * ring_, 0, stream);
    set(tails_.data() + block, 2, stream);
    set(listed_.data() + source_, 2, stream);
    set(added_.data() + block, 2, stream);
    const GraphView view{host_.num_vertices(), row_offsets_.data(), targets_.data(),
                         host_.weighted() ? reinterpret_cast<unsigned*>(weights_.data()) : nullptr};
    const BlockLists lists{view,           blocks_,       ring_,
                           places_.data(), tails_.data(), listed_.data(),
                           added_.data(),  done_.data(),  distances_.data()};
    if (host_.weighted()) {
      sssp_by_block<<<blocks_, 256, 0, stream>>>(lists);
    } else {
      bfs_by_block<<<blocks_, 128, 0, stream>>>(lists);
    }
    CHECK_CUDA(cudaGetLastError());
  }
  bool go_on(cudaStream_t) override { return false; }
  bool check() override {
    std::vector<unsigned> found = distances_.download();
    if (!host_.weighted()) return check_equal("bfs", bfs_reference(host_, source_), found);
    for (unsigned& distance : found) {
      float value;
      std::memcpy(&value, &distance, sizeof value);
      if (distance != ~0u) distance = static_cast<unsigned>(value);
    }
    return check_equal("sssp", sssp_reference(host_, source_), found);
  }

 private:
  void set(unsigned* to, unsigned which, cudaStream_t stream) {
    CHECK_CUDA(cudaMemcpyAsync(to, first_.data() + which, sizeof(unsigned),
                               cudaMemcpyDeviceToDevice, stream));
  }

  CsrGraph host_;
  Vertex source_;
  unsigned blocks_;
  DeviceBuffer<unsigned> row_offsets_, targets_;
  DeviceBuffer<float> weights_;
  unsigned ring_;
  DeviceBuffer<unsigned> places_, tails_, listed_, added_, done_, distances_;
  DeviceBuffer<unsigned> first_;  // the source, 0 and 1: values to copy from
};

}  // namespace raddle::workloads::pairs
