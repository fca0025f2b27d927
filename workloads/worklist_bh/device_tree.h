#pragma once

#include <algorithm>
#include <climits>
#include <vector>

#include "common/device_buffer.h"
#include "worklist_bh/build.cuh"

namespace raddle::workloads::bh {

/// Storage for the tree over `count` bodies, and the launches that build it.
class DeviceTree {
 public:
  explicit DeviceTree(std::size_t count)
      : count_(count),
        bounds_(1),
        num_cells_(1),
        next_(count),
        sorted_(count),
        order_(count),
        depths_(count),
        children_(0),
        parents_(0),
        cell_depths_(0),
        cell_counts_(0),
        summaries_(0),
        nodes_(0) {
    reserve(2 * count + 64);
  }

  /// Builds the tree over `bodies`. The result is valid until the next build.
  TreeView build(const DeviceBuffer<Body>& bodies, float theta) {
    const unsigned threads = 128;
    insert(bodies, threads);
    const Octree tree = view(bodies);
    const unsigned cells = num_cells_.get(0);
    cell_counts_.fill_bytes(0);
    summarize<<<blocks_for(cells, threads), threads>>>(tree);
    write_tree<<<blocks_for(cells, threads), threads>>>(tree, written());
    CHECK_CUDA(cudaGetLastError());
    num_nodes_ = summaries_.get(0).nodes;
    return {nodes_.data(), num_nodes_, sorted_.data(), static_cast<unsigned>(count_), theta};
  }

  /// The arrays of the tree that was built last.
  Written written() { return {nodes_.data(), sorted_.data(), order_.data(), depths_.data()}; }
  std::vector<unsigned> download_order() const { return order_.download(); }

  Tree download() const {
    Tree tree{nodes_.download(), sorted_.download()};
    tree.nodes.resize(num_nodes_);
    return tree;
  }

 private:
  Octree view(const DeviceBuffer<Body>& bodies) {
    return {bodies.data(),
            static_cast<int>(count_),
            children_.data(),
            parents_.data(),
            cell_depths_.data(),
            next_.data(),
            summaries_.data(),
            cell_counts_.data(),
            bounds_.data(),
            num_cells_.data(),
            static_cast<unsigned>(parents_.size())};
  }
  /// Inserts the bodies. Grows the storage and repeats until all cells fit, because their number
  /// depends on how close bodies are.
  void insert(const DeviceBuffer<Body>& bodies, unsigned threads) {
    constexpr int most = INT_MAX, least = INT_MIN;
    for (;;) {
      bounds_.set(0, {{most, most, most}, {least, least, least}});
      num_cells_.set(0, 1);
      children_.fill_bytes(0xff);
      parents_.fill_bytes(0xff);
      cell_depths_.fill_bytes(0);
      next_.fill_bytes(0xff);
      const unsigned blocks = blocks_for(count_, threads);
      find_bounds<<<blocks, threads>>>(view(bodies));
      insert_bodies<<<blocks, threads>>>(view(bodies));
      CHECK_CUDA(cudaGetLastError());
      const std::size_t cells = num_cells_.get(0);
      if (cells <= parents_.size()) return;
      reserve(2 * cells);
    }
  }
  void reserve(std::size_t cells) {
    resize(children_, 8 * cells);
    resize(parents_, cells);
    resize(cell_depths_, cells);
    resize(cell_counts_, cells);
    resize(summaries_, cells);
    resize(nodes_, cells + count_);
  }

  template <class T>
  static void resize(DeviceBuffer<T>& buffer, std::size_t size) {
    DeviceBuffer<T> other(size);
    buffer.swap(other);
  }

  std::size_t count_;
  unsigned num_nodes_ = 0;
  DeviceBuffer<Bounds> bounds_;
  DeviceBuffer<unsigned> num_cells_;
  DeviceBuffer<int> next_;
  DeviceBuffer<Body> sorted_;
  DeviceBuffer<unsigned> order_, depths_;
  DeviceBuffer<int> children_, parents_;
  DeviceBuffer<unsigned> cell_depths_, cell_counts_;
  DeviceBuffer<Summary> summaries_;
  DeviceBuffer<TreeNode> nodes_;
};

}  // namespace raddle::workloads::bh
