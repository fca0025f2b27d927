// The fast multipole method: the field of charges in the plane. See README.md.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <raddle/locality.cuh>
#include <string>
#include <vector>

#include "common/device_buffer.h"
#include "locality/setting.h"
#include "locality_fmm/gather.cuh"

using namespace raddle::workloads;
namespace fmm = raddle::workloads::fmm;
namespace library = raddle::locality;
using raddle::workloads::locality::HostTime;
using raddle::workloads::locality::make_points;
using raddle::workloads::locality::PointSet;
using raddle::workloads::locality::Setting;

namespace {

constexpr unsigned kRootsLevel = 2;
constexpr unsigned kBlock = 128;
/// Charges of a leaf: one thread adds up those of two leaves.
constexpr std::uint32_t kMostInLeaf = 4096;
/// Charges that are compared with direct sums at most: pairs of charges, unless all are to be.
constexpr std::size_t kMostChecked = std::size_t{1} << 27;

/// What is computed, on one side.
struct OnHost {
  explicit OnHost(const fmm::Tree& tree)
      : locals(std::size_t{tree.cells()} * fmm::kTerms), fields(tree.charges.size()) {}
  void clear() {
    std::fill(locals.begin(), locals.end(), fmm::Sum{0, 0});
    std::fill(fields.begin(), fields.end(), fmm::Sum{0, 0});
  }
  std::vector<fmm::Sum> locals, fields;
};

struct OnGpu {
  explicit OnGpu(const fmm::Tree& tree)
      : charges(tree.charges),
        starts(tree.starts),
        multipoles(tree.multipoles),
        locals(std::size_t{tree.cells()} * fmm::kTerms),
        fields(tree.charges.size()),
        results(tree.charges.size()) {}
  fmm::Interaction function(const fmm::Tree& tree) {
    return {charges.data(), starts.data(), multipoles.data(), locals.data(),
            fields.data(),  tree.levels,   kRootsLevel};
  }
  void clear() {
    const std::size_t bytes = sizeof(fmm::Sum);
    CHECK_CUDA(cudaMemsetAsync(locals.data(), 0, locals.size() * bytes));
    CHECK_CUDA(cudaMemsetAsync(fields.data(), 0, fields.size() * bytes));
  }
  /// What the host has computed; `whole`: not only the local expansions of the first `cells`.
  void add(const OnHost& host, std::size_t cells, bool whole) {
    const std::size_t bytes = sizeof(fmm::Sum);
    const std::size_t terms = whole ? host.locals.size() : cells * fmm::kTerms;
    CHECK_CUDA(
        cudaMemcpyAsync(locals.data(), host.locals.data(), terms * bytes, cudaMemcpyHostToDevice));
    if (!whole) return;
    CHECK_CUDA(cudaMemcpyAsync(fields.data(), host.fields.data(), fields.size() * bytes,
                               cudaMemcpyHostToDevice));
  }

  DeviceBuffer<fmm::Charge> charges;
  DeviceBuffer<std::uint32_t> starts;
  DeviceBuffer<fmm::Expansion> multipoles;
  DeviceBuffer<fmm::Sum> locals, fields;
  DeviceBuffer<float2> results;
};

/// All that follows the interactions. The results, in pinned memory.
void put_together(OnGpu& gpu, const fmm::Interaction& function, float2* results) {
  const auto count = static_cast<std::uint32_t>(gpu.results.size());
  fmm::put_together<<<blocks_for(count, kBlock), kBlock>>>(function, count, gpu.results.data());
  CHECK_CUDA(cudaGetLastError());
  CHECK_CUDA(
      cudaMemcpyAsync(results, gpu.results.data(), count * sizeof(float2), cudaMemcpyDeviceToHost));
}

void run_tasks(const Setting& setting, const fmm::Tree& tree, OnGpu& gpu, float2* results) {
  OnHost host(tree);
  const fmm::Interaction on_host{tree.charges.data(),
                                 tree.starts.data(),
                                 tree.multipoles.data(),
                                 host.locals.data(),
                                 host.fields.data(),
                                 tree.levels,
                                 kRootsLevel,
                                 setting.variant == "scattered",
                                 setting.variant == "by_target"};
  const fmm::Interaction on_gpu = gpu.function(tree);
  library::Forest<fmm::Interaction> forest(setting.forest());
  library::Times times;
  times.expand_us = HostTime(setting).us([&] { host.clear(); },
                                         [&] { forest.expand(1u << 2 * kRootsLevel, on_host); });
  const auto depth = static_cast<std::uint64_t>(setting.limit);
  const bool whole = setting.threshold != "depth" || depth > tree.levels;
  library::detail::Stopwatch watch;
  watch.mark(0);
  gpu.clear();
  gpu.add(host, whole ? 0 : fmm::first_of_level(static_cast<unsigned>(depth)), whole);
  forest.execute(on_gpu);
  watch.mark(1);
  put_together(gpu, on_gpu, results);
  watch.mark(2);
  CHECK_CUDA(cudaDeviceSynchronize());
  times.gpu_us = watch.us(0, 2);
  times.kernel_us = forest.times().kernel_us;
  raddle::workloads::locality::tell(setting, times, forest.counts());
}

void gather(const Setting& setting, const fmm::Tree& tree, OnGpu& gpu, float2* results) {
  const fmm::Interaction on_gpu = gpu.function(tree);
  library::detail::Stopwatch watch;
  watch.mark(0);
  gpu.clear();
  watch.mark(1);
  for (unsigned level = kRootsLevel; level <= tree.levels; ++level) {
    fmm::gather_far<<<blocks_for(std::size_t{1} << 2 * level, kBlock), kBlock>>>(on_gpu, level);
  }
  fmm::gather_near<<<blocks_for(std::size_t{1} << 2 * tree.levels, kBlock), kBlock>>>(on_gpu);
  CHECK_CUDA(cudaGetLastError());
  watch.mark(2);
  put_together(gpu, on_gpu, results);
  watch.mark(3);
  CHECK_CUDA(cudaDeviceSynchronize());
  library::Times times;
  times.gpu_us = watch.us(0, 3);
  times.kernel_us = watch.us(1, 2);
  raddle::workloads::locality::tell(setting, times, {});
}

/// Errors of an expansion fall by 0.55 with each term (neighbours lie at least two cells apart), beside
/// rounding; a field's is compared with the sum of its terms' magnitudes, and that of all in the mean
/// with a tenth of it.
bool check(const Setting& setting, const fmm::Tree& tree, const float2* found) {
  const std::size_t count = tree.charges.size();
  const std::size_t checked = setting.checked(count, count, kMostChecked);
  const double allowed = std::pow(0.55, fmm::kTerms);
  double errors = 0, magnitudes = 0;
  for (std::size_t i = 0; i < checked; ++i) {
    const std::size_t charge = i * count / checked;
    const fmm::DirectField expected = fmm::direct_field(tree.charges, charge);
    const double error = std::hypot(found[charge].x - expected.re, found[charge].y - expected.im);
    errors += error;
    magnitudes += expected.magnitude;
    if (error <= allowed * expected.magnitude) continue;
    std::printf("locality_fmm: WRONG, charge %zu: expected %g %g, found %g %g\n", charge,
                expected.re, expected.im, static_cast<double>(found[charge].x),
                static_cast<double>(found[charge].y));
    return false;
  }
  const double mean = magnitudes > 0 ? errors / magnitudes : 0;
  if (mean > allowed / 10) {
    std::printf("locality_fmm: WRONG, errors of %g of the terms in the mean, at most %g allowed\n",
                mean, allowed / 10);
    return false;
  }
  std::printf(
      "locality_fmm: right (%zu of %zu fields compared with direct sums%s; errors %.2g of the "
      "terms)\n",
      checked, count, Setting::how_to_check_all(checked, count), mean);
  return true;
}

/// The same for every order of tasks, bit for bit; the host rounds otherwise than the GPU, so that
/// thresholds differ.
std::uint32_t fingerprint(const float2* found, std::size_t count) {
  std::uint32_t hash = 0x811c9dc5u;
  const auto* const bytes = reinterpret_cast<const unsigned char*>(found);
  for (std::size_t i = 0; i < count * sizeof(float2); ++i) hash = (hash ^ bytes[i]) * 0x01000193u;
  return hash;
}

void refuse_full_leaves(const fmm::Tree& tree) {
  std::uint32_t most = 0;
  for (std::size_t leaf = 0; leaf + 1 < tree.starts.size(); ++leaf) {
    most = std::max(most, tree.starts[leaf + 1] - tree.starts[leaf]);
  }
  if (most <= kMostInLeaf) return;
  throw UsageError(std::to_string(most) +
                   " charges lie in one of the tree's leaves, whose fields one thread adds up "
                   "directly; at most " +
                   std::to_string(kMostInLeaf) + " may; raise --levels (at most " +
                   std::to_string(fmm::kMostLevels) +
                   "), or lower --size where all are at one place");
}

/// Fields are added up in fixed point, which must hold them.
void refuse_strong_fields(const fmm::Tree& tree, const PointSet& points) {
  const fmm::Strongest strongest = fmm::find_strongest(tree);
  if (strongest.field < fmm::kMostField) return;
  const auto said = [&](std::uint32_t charge) {
    const std::uint32_t origin = tree.origins[charge];
    char text[80];
    std::snprintf(text, sizeof text, "%u (%.9g %.9g)", origin + 1,
                  static_cast<double>(points.at(origin)[0]),
                  static_cast<double>(points.at(origin)[1]));
    return std::string(text);
  };
  throw UsageError("points " + said(strongest.charge) + " and " + said(strongest.nearest) +
                   " are so near that the field at the first, " + std::to_string(strongest.field) +
                   ", is beyond the fixed-point range of " + std::to_string(fmm::kMostField) +
                   "; remove one of them, or give both the same place");
}

}  // namespace

int main(int argc, char** argv) {
  Setting setting;
  setting.size = 65536;
  setting.limit = 6;
  std::int64_t levels = 0;
  Options options("locality_fmm", "fast multipole method: a task tree of interactions of cells");
  setting.add_to(options, {"agnostic", "aware", "by_target", "scattered", "gather"});
  options.add("--levels", &levels, 0, fmm::kMostLevels,
              "of the quad-tree; 0: 4 charges a leaf on average");
  return run_workload(options, argc, argv, [&] {
    if (levels == 1) throw UsageError("--levels: expected 0, or 2 and more");
    const PointSet points = make_points(setting.input, static_cast<std::size_t>(setting.size), 2,
                                        static_cast<std::uint64_t>(setting.seed));
    if (points.size() != 0 && points.dimensions < 2)
      throw UsageError("points of a plane are needed");
    const fmm::Tree tree = fmm::build_tree(points, static_cast<unsigned>(levels));
    refuse_full_leaves(tree);
    refuse_strong_fields(tree, points);
    std::printf("locality_fmm: %zu charges, %u levels\n", tree.charges.size(), tree.levels);
    library::detail::Room<float2, library::detail::Place::host> results;
    results.reserve(std::max<std::size_t>(1, tree.charges.size()));
    if (!tree.charges.empty()) {
      OnGpu gpu(tree);
      if (setting.has_tasks()) {
        run_tasks(setting, tree, gpu, results.data());
      } else {
        gather(setting, tree, gpu, results.data());
      }
    }
    std::printf("fields %08x\n", fingerprint(results.data(), tree.charges.size()));
    return check(setting, tree, results.data());
  });
}
