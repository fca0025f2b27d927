#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "common/device_buffer.h"
#include "worklist_dmr/kernels.cuh"

namespace raddle::workloads::dmr {

/// A mesh in the GPU's memory, with room for the triangles that refinement adds.
class DeviceMesh {
 public:
  /// The number of a triangle has 24 bits in work ids and in claims.
  static constexpr std::size_t kMost = 1 << 24;

  DeviceMesh(const Mesh& mesh, double square_cosine)
      : points_(std::max<std::size_t>(1024, 4 * mesh.points.size())),
        origins_(points_.size()),
        triangles_(2 * points_.size()),
        claims_(triangles_.size()),
        segments_(mesh.segments),
        progress_(1) {
    require_at_most(mesh.triangles.size());
    points_.upload(mesh.points);
    origins_.upload(mesh.origins);
    triangles_.fill_bytes(0);
    triangles_.upload(mesh.triangles);
    claims_.fill_bytes(0);
    now_ = {static_cast<unsigned>(mesh.points.size()), static_cast<unsigned>(mesh.triangles.size()),
            0, 0, 0};
    progress_.set(0, now_);
    work_.square_cosine = square_cosine;
  }

  /// Begins a round. Returns the argument of kernels.
  Refinement begin_round() {
    if (++work_.round == 256) {
      claims_.fill_bytes(0);
      work_.round = 1;
    }
    now_.active = now_.large = 0;
    progress_.set(0, now_);
    return work();
  }
  Refinement work() {
    work_.mesh = {points_.data(), origins_.data(), triangles_.data(), segments_.data()};
    work_.claims = claims_.data();
    work_.progress = progress_.data();
    return work_;
  }
  /// Waits for kernels.
  const Progress& update() { return now_ = progress_.get(0); }
  const Progress& progress() const { return now_; }
  std::size_t capacity() const { return triangles_.size(); }

  /// Makes room for `insertions` points. Returns true if storage grew.
  bool make_room(std::size_t insertions) {
    const bool enough = now_.points + insertions <= points_.size() &&
                        now_.triangles + 2 * insertions <= triangles_.size();
    if (enough) return false;
    require_at_most(now_.triangles);
    const std::size_t points = 2 * points_.size() + insertions;
    grow(points_, now_.points, points);
    grow(origins_, now_.points, points);
    grow(triangles_, now_.triangles, 2 * points);
    grow(claims_, now_.triangles, 2 * points);
    return true;
  }

  Mesh download(const Mesh& start) const {
    Mesh mesh;
    mesh.points = points_.download();
    mesh.points.resize(now_.points);
    mesh.origins = origins_.download();
    mesh.origins.resize(now_.points);
    mesh.triangles = triangles_.download();
    mesh.triangles.resize(now_.triangles);
    mesh.segments = start.segments;
    return mesh;
  }

 private:
  static void require_at_most(std::size_t triangles) {
    if (triangles <= kMost) return;
    throw std::runtime_error("the mesh has more than " + std::to_string(kMost) +
                             " triangles: the input is too large, or an angle is asked for with "
                             "which refinement does not end");
  }
  template <class T>
  static void grow(DeviceBuffer<T>& buffer, std::size_t used, std::size_t size) {
    DeviceBuffer<T> larger(size);
    larger.fill_bytes(0);
    CHECK_CUDA(
        cudaMemcpy(larger.data(), buffer.data(), used * sizeof(T), cudaMemcpyDeviceToDevice));
    buffer.swap(larger);
  }

  DeviceBuffer<Point> points_;
  DeviceBuffer<int> origins_;
  DeviceBuffer<Triangle> triangles_;
  DeviceBuffer<unsigned> claims_;
  DeviceBuffer<Segment> segments_;
  DeviceBuffer<Progress> progress_;
  Progress now_{};
  Refinement work_{};
};

}  // namespace raddle::workloads::dmr
