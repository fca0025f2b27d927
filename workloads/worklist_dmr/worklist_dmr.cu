// Delaunay mesh refinement over all triangles, or over a worklist of bad ones. See README.md.
#include <cuda_runtime.h>

#include <raddle/worklist.cuh>

#include <cmath>
#include <cstdio>
#include <memory>
#include <string>

#include "common/data_path.h"
#include "common/options.h"
#include "common/text_scanner.h"
#include "nbody/star_catalogue.h"
#include "worklist_dmr/check.h"
#include "worklist_dmr/delaunay.h"
#include "worklist_dmr/device_mesh.h"
#include "worklist_dmr/triangle_files.h"

using namespace raddle::workloads;
using namespace raddle::workloads::dmr;

namespace {

constexpr unsigned block_size = 128;

/// Storage for one cavity of any size.
struct LargeCavity {
  explicit LargeCavity(std::size_t capacity) : triangles(capacity), rims(capacity + 2) {}
  DeviceBuffer<int> triangles;
  DeviceBuffer<Rim> rims;
  int capacity() const { return static_cast<int>(triangles.size()); }
};

/// Returns the number of rounds.
unsigned refine_topology(DeviceMesh& mesh) {
  for (unsigned rounds = 0;; ++rounds) {
    const Refinement claiming = mesh.begin_round();
    const unsigned triangles = mesh.progress().triangles;
    const unsigned blocks = blocks_for(triangles, block_size);
    claim_all<<<blocks, block_size>>>(claiming, triangles);
    CHECK_CUDA(cudaGetLastError());
    const Progress progress = mesh.update();
    if (progress.active == 0) return rounds;
    mesh.make_room(triangles);
    refine_all<<<blocks, block_size>>>(mesh.work(), triangles);
    if (progress.large != 0) {
      LargeCavity storage(triangles * std::size_t{3});
      refine_large<<<1, 1>>>(mesh.work(), progress.large - 1, storage.triangles.data(),
                             storage.rims.data(), storage.capacity());
      CHECK_CUDA(cudaDeviceSynchronize());
    }
    CHECK_CUDA(cudaGetLastError());
    mesh.update();
  }
}

template <class List>
unsigned refine_listed_rounds(DeviceMesh& mesh) {
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
      list.reset();  // before the next: the hardware has one
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

unsigned refine_mesh(DeviceMesh& mesh, const std::string& implementation) {
  namespace wl = raddle::worklist;
  constexpr auto doubled = wl::Buffering::double_buffered;
  if (implementation == "topology") return refine_topology(mesh);
  if (implementation == "hardware") {
    return refine_listed_rounds<wl::Worklist<wl::Hardware<doubled>>>(mesh);
  }
  return refine_listed_rounds<
      wl::Worklist<wl::Software<doubled, wl::Push::chunk, wl::Blocks::variable>>>(mesh);
}

/// The sky of the catalogue's stars, in Lambert's cylindrical equal-area projection.
Drawing stars_in_the_sky(std::size_t count) {
  const std::string path = find_input("points/bsc5.dat");
  Drawing drawing;
  for (const auto& star : read_stars(path, read_file(path), count)) {
    const double x = star.x, y = star.y, z = star.z;
    drawing.points.push_back({std::atan2(y, x), z / std::sqrt(x * x + y * y + z * z)});
  }
  return drawing;
}

Drawing load(const std::string& input, std::size_t count, std::uint64_t seed) {
  if (input == "random") return random_points(count, seed);
  if (input == "stars") return stars_in_the_sky(count);
  return read_drawing(find_input(input));
}

}  // namespace

int main(int argc, char** argv) {
  std::string implementation = "software";
  std::string input = "random";
  std::int64_t size = 1000;
  std::int64_t seed = 1;
  std::int64_t degrees = 30;
  Options options("worklist_dmr", "refinement of a Delaunay mesh");
  options.add_choice("--implementation", &implementation, {"topology", "software", "hardware"},
                     "over all triangles, or over a worklist of bad ones");
  options.add("--input", &input, "random, stars (of the sky), or a .node or .poly file");
  options.add("--size", &size, 1, 1 << 21, "random or brightest points");
  options.add("--seed", &seed, 0, INT64_MAX, "of random points");
  options.add("--angle", &degrees, 1, 33, "the smallest angle, in degrees, that is good");
  return run_workload(options, argc, argv, [&] {
    Mesh start = triangulate(
        input, load(input, static_cast<std::size_t>(size), static_cast<std::uint64_t>(seed)));
    const double cosine = std::cos(static_cast<double>(degrees) / 180 * 3.14159265358979323846);
    DeviceMesh mesh(start, cosine * cosine);
    const unsigned rounds = refine_mesh(mesh, implementation);
    const Progress done = mesh.progress();
    std::printf("worklist_dmr: %zu triangles became %u in %u rounds\n", start.triangles.size(),
                done.triangles, rounds);
    if (done.failed != 0) {
      std::printf("worklist_dmr: rounding errors prevented %u insertions\n", done.failed);
    }
    Mesh refined = mesh.download(start);
    if (!check_refined(refined, start, static_cast<double>(degrees))) return false;
    std::printf("worklist_dmr: right (a Delaunay mesh of the same domain, no angle too small)\n");
    return true;
  });
}
