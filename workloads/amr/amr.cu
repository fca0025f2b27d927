// Adaptive mesh refinement of a combustion field. See README.md.
#include <cuda_runtime.h>

#include <cstdio>
#include <string>
#include <vector>

#include "amr/field.h"
#include "amr/kernels.cuh"
#include "amr/mesh.h"
#include "amr/reference.h"
#include "common/comparison.h"
#include "common/data_path.h"
#include "common/device_buffer.h"
#include "common/options.h"
#include "common/text_scanner.h"

using namespace raddle::workloads;

namespace {

constexpr unsigned block_size = parent_block;

struct CoarseMesh {
  unsigned roots_per_edge;
  unsigned root_size;

  unsigned roots() const { return roots_per_edge * roots_per_edge * roots_per_edge; }
};

std::vector<RootResult> refine_on_gpu(Mesh mesh, const FieldData& field, const CoarseMesh& coarse,
                                      const std::string& variant, const DynamicOptions& dynamic) {
  const DeviceBuffer<unsigned char> values(field.values);
  DeviceBuffer<RootResult> results(coarse.roots());
  results.fill_bytes(0);
  mesh.values = values.data();
  const Refinement refinement{mesh, coarse.roots_per_edge, coarse.root_size, results.data()};
  const unsigned blocks = blocks_for(coarse.roots(), block_size);
  if (is_dynamic(variant)) {
    amr_dynamic<<<blocks, block_size>>>(refinement, coarse.roots(),
                                        dynamic.prepare_device(variant));
  } else {
    amr_flat<<<blocks, block_size>>>(refinement, coarse.roots());
  }
  CHECK_CUDA(cudaGetLastError());
  return results.download();
}

std::vector<unsigned> numbers(const std::vector<RootResult>& results) {
  std::vector<unsigned> list;
  for (const RootResult& result : results) {
    list.insert(list.end(), {result.integral, result.cells});
  }
  return list;
}

}  // namespace

int main(int argc, char** argv) {
  std::string variant = "flat";
  std::string input = "fields/fuel.vol";
  std::int64_t cell = 4;
  std::int64_t per_point = 1;
  std::int64_t levels = 2;
  std::int64_t tolerance = 24;
  DynamicOptions dynamic;
  Options options("amr", "refines a mesh where a field varies");
  options.add_choice("--variant", &variant, {"flat", "cdp", "dtbl"}, "who refines a cell");
  options.add("--input", &input, "field: a volume of the volvis collection (.vol)");
  options.add("--cell", &cell, 1, 64, "edge of a coarse cell, in points of the field");
  options.add("--per-point", &per_point, 1, 16, "or that many coarse cells along such an edge");
  options.add("--levels", &levels, 0, 3, "how often a cell may be refined, 4 x 4 x 4 each time");
  options.add("--tolerance", &tolerance, 0, 255, "cells in which the field varies by more are");
  dynamic.add_to(options);
  return run_workload(options, argc, argv, [&] {
    const std::string file = find_input(input);
    const FieldData field = parse_field(file, read_file(file));
    const auto points = static_cast<unsigned>(cell);
    const auto finer = static_cast<unsigned>(per_point);
    const unsigned root_size = points * unit / finer;
    if (root_size * finer != points * unit) {
      throw UsageError("--per-point: " + std::to_string(points * unit) +
                       " should be a multiple of it");
    }
    const CoarseMesh coarse{(field.side + points - 1) / points * finer, root_size};
    unsigned least_size = coarse.root_size;
    for (std::int64_t level = 0; level < levels; ++level) least_size /= split;
    if (least_size == 0) throw UsageError("--levels: cells become too small; try a larger --cell");
    const Mesh mesh{field.values.data(), field.side, static_cast<unsigned>(tolerance) * 256,
                    least_size};
    const std::vector<RootResult> found = refine_on_gpu(mesh, field, coarse, variant, dynamic);
    std::size_t cells = 0;
    for (const RootResult& result : found) cells += result.cells;
    std::printf("amr: %u coarse cells became %zu\n", coarse.roots(), cells);
    return check_equal("amr", numbers(amr_reference(mesh, coarse.roots_per_edge, coarse.root_size)),
                       numbers(found));
  });
}
