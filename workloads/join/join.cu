// Inner join of a relation with a sorted one. See README.md.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "common/comparison.h"
#include "common/device_buffer.h"
#include "common/options.h"
#include "common/scan.cuh"
#include "join/kernels.cuh"
#include "join/relation.h"

using namespace raddle::workloads;

namespace {

constexpr unsigned block_size = parent_block;

/// `write` launches the kernel that writes the result.
template <class Write>
std::vector<JoinedRow> join(const Relation& left, const Relation& right, Write write) {
  const auto left_rows = static_cast<unsigned>(left.size());
  const auto right_rows = static_cast<unsigned>(right.size());
  const DeviceBuffer<unsigned> left_keys(left);
  const DeviceBuffer<unsigned> right_keys(right);
  DeviceBuffer<unsigned> first(left_rows);
  DeviceBuffer<unsigned> matches(left_rows);
  DeviceBuffer<unsigned> offsets(left_rows + 1);
  const unsigned blocks = blocks_for(left_rows, block_size);
  join_count<<<blocks, block_size>>>(left_keys.data(), left_rows, right_keys.data(), right_rows,
                                     first.data(), matches.data());
  CHECK_CUDA(cudaGetLastError());
  exclusive_scan<<<1, scan_block>>>(matches.data(), left_rows, offsets.data());
  CHECK_CUDA(cudaGetLastError());
  DeviceBuffer<JoinedRow> rows(offsets.get(left_rows));
  const JoinOutput output{left_keys.data(), first.data(), matches.data(), offsets.data(),
                          rows.data()};
  write(output, left_rows, blocks);
  CHECK_CUDA(cudaGetLastError());
  return rows.download();
}

std::vector<JoinedRow> join_on_gpu(const Relation& left, const Relation& right,
                                   const std::string& variant, const DynamicOptions& dynamic) {
  if (!is_dynamic(variant)) {
    return join(left, right, [](const JoinOutput& output, unsigned rows, unsigned blocks) {
      join_flat<<<blocks, block_size>>>(output, rows);
    });
  }
  const DynamicLaunch launch = dynamic.prepare_device(variant);
  return join(left, right, [launch](const JoinOutput& output, unsigned rows, unsigned blocks) {
    join_dynamic<<<blocks, block_size>>>(output, rows, launch);
  });
}

/// Rows as plain numbers, which check_equal can compare and print.
std::vector<std::uint32_t> numbers(const std::vector<JoinedRow>& rows) {
  std::vector<std::uint32_t> list;
  list.reserve(3 * rows.size());
  for (const JoinedRow& row : rows) list.insert(list.end(), {row.key, row.left, row.right});
  return list;
}

}  // namespace

int main(int argc, char** argv) {
  std::string variant = "flat";
  std::string keys = "uniform";
  std::int64_t scale = 13;
  std::int64_t matches = 64;
  std::int64_t seed = 1;
  DynamicOptions dynamic;
  Options options("join", "every pair of rows of two relations that have the same key");
  options.add_choice("--variant", &variant, {"flat", "cdp", "dtbl"}, "who writes the pairs");
  options.add_choice("--keys", &keys, {"uniform", "gaussian"}, "how keys are distributed");
  options.add("--scale", &scale, 0, 22, "each relation has 2^N rows");
  options.add("--matches", &matches, 1, 1 << 16, "rows for each key, on average");
  options.add("--seed", &seed, 0, INT64_MAX, "of the keys");
  dynamic.add_to(options);
  return run_workload(options, argc, argv, [&] {
    const std::size_t rows = std::size_t{1} << scale;
    const auto num_keys = static_cast<std::uint32_t>(
        std::max<std::size_t>(1, rows / static_cast<std::size_t>(matches)));
    const auto make = keys == "uniform" ? uniform_relation : gaussian_relation;
    const Relation left = make(rows, num_keys, static_cast<std::uint64_t>(seed));
    Relation right = make(rows, num_keys, static_cast<std::uint64_t>(seed) + 1);
    std::sort(right.begin(), right.end());
    if (count_pairs(left, right) > UINT32_MAX) {
      throw UsageError("--matches: more than 2^32 pairs, whose places are 32-bit numbers");
    }
    const std::vector<JoinedRow> found = join_on_gpu(left, right, variant, dynamic);
    std::printf("join: %zu rows each, %u %s keys, %zu pairs\n", rows, num_keys, keys.c_str(),
                found.size());
    return check_equal("join", numbers(join_reference(left, right)), numbers(found));
  });
}
