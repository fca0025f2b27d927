#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <raddle/worklist.cuh>

#include "common/worklist_variant.h"
#include "worklist_dmr/device_mesh.h"

namespace raddle::workloads::dmr {

constexpr unsigned block_size = 128;

/// Storage for one cavity of any size.
struct LargeCavity {
  explicit LargeCavity(std::size_t capacity) : triangles(capacity), rims(capacity + 2) {}
  DeviceBuffer<int> triangles;
  DeviceBuffer<Rim> rims;
  int capacity() const { return static_cast<int>(triangles.size()); }
};

/// Refines until the worklist is empty; returns the number of rounds.
template <class List>
unsigned refine_on(DeviceMesh& mesh) {
  using Device = typename List::Device;
  auto list = std::make_unique<List>(static_cast<std::uint32_t>(mesh.capacity()));
  const auto scan = [&](auto kernel) {
    const unsigned triangles = mesh.progress().triangles;
    kernel<<<blocks_for(triangles, block_size), block_size>>>(list->device(), mesh.work(),
                                                              triangles);
    CHECK_CUDA(cudaGetLastError());
  };
  scan(find_bad<Device>);
  unsigned rounds = 0;
  for (; list->advance() != 0; ++rounds) {
    list->launch(claim_listed<Device>, block_size, mesh.begin_round());
    std::uint32_t bad = list->advance();
    const Progress progress = mesh.update();
    if (mesh.make_room(std::size_t{bad} + 1)) {
      list.reset();  // before the next is made: the hardware has only one
      list = std::make_unique<List>(static_cast<std::uint32_t>(mesh.capacity()));
      scan(requeue<Device>);
      bad = list->advance();
    }
    if (bad == 0) continue;
    list->launch(refine_listed<Device>, block_size, mesh.work());
    if (progress.large != 0) {
      LargeCavity storage(progress.triangles + std::size_t{2} * bad);
      refine_large_listed<<<1, 1>>>(list->device(), mesh.work(), progress.large - 1,
                                    storage.triangles.data(), storage.rims.data(),
                                    storage.capacity());
      CHECK_CUDA(cudaDeviceSynchronize());
    }
    mesh.update();
  }
  return rounds;
}

/// As refine_on, on the hardware worklist; in a source file of its own.
unsigned refine_on_hardware(const WorklistOptions& options, DeviceMesh& mesh);

}  // namespace raddle::workloads::dmr
