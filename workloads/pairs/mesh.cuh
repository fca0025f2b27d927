// Delaunay mesh refinement: two kernels in turn. One finds bad triangles and claims their cavities,
// the other refines.
#pragma once

#include <cmath>
#include <cstdio>
#include <memory>
#include <utility>

#include "common/application.h"
#include "worklist_dmr/check.h"
#include "worklist_dmr/delaunay.h"
#include "worklist_dmr/device_mesh.h"
#include "worklist_dmr/topology.cuh"

namespace raddle::workloads::pairs {

class MeshRefinement : public Application {
 public:
  MeshRefinement(std::size_t points, std::uint64_t seed)
      : start_(dmr::triangulate("random", dmr::random_points(points, seed))) {}

  void begin(cudaStream_t stream) override {
    const double cosine = std::cos(kDegrees / 180 * 3.14159265358979323846);
    mesh_ = std::make_unique<dmr::DeviceMesh>(start_, cosine * cosine);
    // Room for the triangles that refinement adds, so that nothing is allocated while others run.
    mesh_->make_room(8 * start_.triangles.size());
    claim(stream);
  }
  bool go_on(cudaStream_t stream) override {
    const dmr::Progress progress = mesh_->update();
    if (refining_) {
      claim(stream);
      return true;
    }
    if (progress.active == 0) return false;
    mesh_->make_room(progress.triangles);
    dmr::refine_all<<<blocks_for(progress.triangles, kBlock), kBlock, 0, stream>>>(
        mesh_->work(), progress.triangles);
    if (progress.large != 0) {
      large_ = std::make_unique<Large>(progress.triangles * std::size_t{3});
      dmr::refine_large<<<1, 1, 0, stream>>>(mesh_->work(), progress.large - 1,
                                             large_->triangles.data(), large_->rims.data(),
                                             static_cast<int>(large_->triangles.size()));
    }
    CHECK_CUDA(cudaGetLastError());
    refining_ = true;
    return true;
  }
  bool check() override {
    dmr::Mesh refined = mesh_->download(start_);
    dmr::Mesh start = start_;
    if (!dmr::check_refined(refined, start, kDegrees)) return false;
    std::printf("dmr: right (a Delaunay mesh of the same domain, no angle too small)\n");
    return true;
  }

 private:
  static constexpr double kDegrees = 30;
  static constexpr unsigned kBlock = 512;  // thread-block-management, Table I
  struct Large {
    explicit Large(std::size_t capacity) : triangles(capacity), rims(capacity + 2) {}
    DeviceBuffer<int> triangles;
    DeviceBuffer<dmr::Rim> rims;
  };

  void claim(cudaStream_t stream) {
    const dmr::Refinement work = mesh_->begin_round();
    const unsigned triangles = mesh_->progress().triangles;
    dmr::claim_all<<<blocks_for(triangles, kBlock), kBlock, 0, stream>>>(work, triangles);
    CHECK_CUDA(cudaGetLastError());
    refining_ = false;
  }

  dmr::Mesh start_;
  std::unique_ptr<dmr::DeviceMesh> mesh_;
  std::unique_ptr<Large> large_;
  bool refining_ = false;
};

}  // namespace raddle::workloads::pairs
