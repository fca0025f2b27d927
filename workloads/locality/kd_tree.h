// A k-d tree in the order of a depth-first walk: a node's first child follows it, and the points of
// a subtree are contiguous. So nodes with near indices read near memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/host_device.h"
#include "locality/points.h"

namespace raddle::workloads::locality {

/// The number of floats that a point occupies, since loads have 8 or 16 bytes.
constexpr unsigned padded(unsigned dimensions) {
  return dimensions <= 2 ? 2 : (dimensions + 3) / 4 * 4;
}
constexpr unsigned alignment(unsigned dimensions) { return dimensions <= 2 ? 8 : 16; }

template <unsigned D>
struct alignas(alignment(D)) Point {
  float at[padded(D)];
};

/// A node with the bounding box of its points. A leaf (count > 0) has points[link] to points[link +
/// count - 1]. The children of an inner node are the next node and nodes[link].
template <unsigned D>
struct alignas(alignment(D)) KdNode {
  float low[D], high[D];
  std::uint32_t link, count;
};

template <unsigned D>
struct KdTree {
  std::vector<KdNode<D>> nodes;        // none if there are no points
  std::vector<std::uint32_t> skip;     // of each node, the first node after its subtree
  std::vector<Point<D>> points;        // in the order of leaves
  std::vector<std::uint32_t> origins;  // of each point, its index in the set
};

template <unsigned D>
RADDLE_HOST_DEVICE float squared_distance(const Point<D>& a, const Point<D>& b) {
  float sum = 0;
  for (unsigned axis = 0; axis < D; ++axis) {
    const float difference = a.at[axis] - b.at[axis];
    sum += difference * difference;
  }
  return sum;
}

/// The squared distance from the point to the nearest place of the node's box.
template <unsigned D>
RADDLE_HOST_DEVICE float squared_distance(const KdNode<D>& node, const Point<D>& point) {
  float sum = 0;
  for (unsigned axis = 0; axis < D; ++axis) {
    const float below = node.low[axis] - point.at[axis], above = point.at[axis] - node.high[axis];
    const float outside = below > above ? below : above;
    if (outside > 0) sum += outside * outside;
  }
  return sum;
}

template <unsigned D>
class KdBuilder {
 public:
  /// Splits at the median of the widest side until a node has at most `leaf` points.
  static KdTree<D> build(const PointSet& set, unsigned leaf) {
    KdBuilder builder(leaf);
    for (std::size_t i = 0; i < set.size(); ++i) {
      Point<D> point{};
      std::copy(set.at(i), set.at(i) + D, point.at);
      builder.items_.push_back({point, static_cast<std::uint32_t>(i)});
    }
    if (!builder.items_.empty()) builder.add(0, builder.items_.size());
    for (const Item& item : builder.items_) {
      builder.tree_.points.push_back(item.point);
      builder.tree_.origins.push_back(item.origin);
    }
    return std::move(builder.tree_);
  }

 private:
  struct Item {
    Point<D> point;
    std::uint32_t origin;
  };

  explicit KdBuilder(unsigned leaf) : leaf_(leaf) {}

  void add(std::size_t first, std::size_t last) {
    const std::size_t index = tree_.nodes.size();
    KdNode<D> node = box(first, last);
    tree_.nodes.push_back(node);
    tree_.skip.push_back(0);
    if (last - first <= leaf_) {
      node.link = static_cast<std::uint32_t>(first);
      node.count = static_cast<std::uint32_t>(last - first);
    } else {
      unsigned widest = 0;
      for (unsigned axis = 1; axis < D; ++axis) {
        if (node.high[axis] - node.low[axis] > node.high[widest] - node.low[widest]) widest = axis;
      }
      const std::size_t middle = first + (last - first) / 2;
      const auto begin = items_.begin();
      std::nth_element(
          begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(middle),
          begin + static_cast<std::ptrdiff_t>(last), [&](const Item& a, const Item& b) {
            const float x = a.point.at[widest], y = b.point.at[widest];
            return x != y ? x < y : a.origin < b.origin;
          });
      add(first, middle);
      node.link = static_cast<std::uint32_t>(tree_.nodes.size());
      node.count = 0;
      add(middle, last);
    }
    tree_.nodes[index] = node;
    tree_.skip[index] = static_cast<std::uint32_t>(tree_.nodes.size());
  }
  KdNode<D> box(std::size_t first, std::size_t last) const {
    KdNode<D> node{};
    for (unsigned axis = 0; axis < D; ++axis) {
      node.low[axis] = node.high[axis] = items_[first].point.at[axis];
      for (std::size_t i = first + 1; i < last; ++i) {
        node.low[axis] = std::min(node.low[axis], items_[i].point.at[axis]);
        node.high[axis] = std::max(node.high[axis], items_[i].point.at[axis]);
      }
    }
    return node;
  }

  const std::size_t leaf_;
  std::vector<Item> items_;
  KdTree<D> tree_;
};

}  // namespace raddle::workloads::locality
