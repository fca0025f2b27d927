// Global alignment of two sequences by Needleman and Wunsch. See README.md.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "common/comparison.h"
#include "common/device_buffer.h"
#include "common/options.h"
#include "nw/kernels.cuh"
#include "nw/reference.h"

using namespace raddle::workloads;

namespace {

std::vector<int> align(const Sequence& down, const Sequence& across, Scoring scoring) {
  DeviceBuffer<unsigned char> rows(down), columns(across);
  DeviceBuffer<int> scores(initial_scores(down.size(), across.size(), scoring));
  const Alignment alignment{rows.data(), columns.data(), scores.data(),
                            static_cast<unsigned>(down.size()),
                            static_cast<unsigned>(across.size())};
  const unsigned height = blocks_for(down.size(), tile), width = blocks_for(across.size(), tile);
  for (unsigned diagonal = 0; diagonal < height + width - 1; ++diagonal) {
    const unsigned first_row = std::min(diagonal, height - 1);
    const unsigned first_column = diagonal - first_row;
    const unsigned tiles = std::min(first_row + 1, width - first_column);
    align_tiles<<<tiles, tile>>>(alignment, first_row, first_column, scoring);
    CHECK_CUDA(cudaGetLastError());
  }
  return scores.download();
}

}  // namespace

int main(int argc, char** argv) {
  std::int64_t rows = 500, columns = 480, seed = 1;
  Options options("nw", "global alignment of two sequences");
  options.add("--rows", &rows, 1, 16384, "letters of one sequence");
  options.add("--columns", &columns, 1, 16384, "letters of the other");
  options.add("--seed", &seed, 0, INT64_MAX, "of the sequences");
  return run_workload(options, argc, argv, [&] {
    Random random(static_cast<std::uint64_t>(seed));
    const Sequence down = random_sequence(static_cast<std::size_t>(rows), random);
    const Sequence across = mutated(down, static_cast<std::size_t>(columns), random);
    const Scoring scoring;
    const std::vector<int> scores = align(down, across, scoring);
    std::printf("nw: %zu letters with %zu, score %d\n", down.size(), across.size(), scores.back());
    return check_equal("nw", align_reference(down, across, scoring), scores);
  });
}
