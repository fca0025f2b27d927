// Delaunay mesh refinement over all triangles, or over a worklist of bad ones. See README.md.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <string>

#include "common/data_path.h"
#include "common/options.h"
#include "common/text_scanner.h"
#include "nbody/star_catalogue.h"
#include "worklist_dmr/check.h"
#include "worklist_dmr/delaunay.h"
#include "worklist_dmr/rounds.cuh"
#include "worklist_dmr/topology.cuh"
#include "worklist_dmr/triangle_files.h"

using namespace raddle::workloads;
using namespace raddle::workloads::dmr;

namespace {

/// Refines until no bad triangle is left; returns the number of rounds.
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

/// The stars of the catalogue as points, in Lambert's cylindrical equal-area projection of the sky.
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
  WorklistOptions worklist;
  std::string input = "random";
  std::int64_t size = 400;
  std::int64_t seed = 1;
  std::int64_t degrees = 30;
  Options options("worklist_dmr", "refinement of a Delaunay mesh");
  worklist.add_to(options, "chunk", false);
  options.add("--input", &input, "random, stars (of the sky), or a .node or .poly file");
  options.add("--size", &size, 1, 1 << 21, "random or brightest points");
  options.add("--seed", &seed, 0, INT64_MAX, "of random points");
  options.add("--angle", &degrees, 1, 33, "the smallest angle, in degrees, that is good");
  return run_workload(options, argc, argv, [&] {
    Mesh start = triangulate(
        input, load(input, static_cast<std::size_t>(size), static_cast<std::uint64_t>(seed)));
    const double cosine = std::cos(static_cast<double>(degrees) / 180 * 3.14159265358979323846);
    DeviceMesh mesh(start, cosine * cosine);
    const unsigned rounds = worklist.topology() ? refine_topology(mesh)
                            : worklist.hardware()
                                ? refine_on_hardware(worklist, mesh)
                                : worklist.with_double([&](auto type) {
                                    return refine_on<typename decltype(type)::Type>(mesh);
                                  });
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
