#pragma once

#include <cuda_runtime.h>

#include "nw/scores.h"

namespace raddle::workloads {

constexpr unsigned tile = 16;

/// Both sequences, and a matrix of (rows + 1) x (columns + 1) scores, row by row. The score at
/// (row, column) is for the first `row` letters of one sequence and the first `column` letters of
/// the other. The first row and the first column are given.
struct Alignment {
  const unsigned char* down;
  const unsigned char* across;
  int* scores;
  unsigned rows, columns;
};

/// Computes the tiles on one diagonal, from the lower left to the upper right. Block b computes the
/// tile in row `first_row` - b and column `first_column` + b. It computes one diagonal of the tile
/// after the other; each thread has a row. Blocks have `tile` threads.
__global__ void align_tiles(Alignment alignment, unsigned first_row, unsigned first_column,
                            Scoring scoring) {
  __shared__ int scores[tile + 1][tile + 1];
  __shared__ unsigned char letters[tile];
  const unsigned thread = threadIdx.x, pitch = alignment.columns + 1;
  const unsigned row = (first_row - blockIdx.x) * tile, column = (first_column + blockIdx.x) * tile;
  const unsigned height = min(tile, alignment.rows - row);
  const unsigned width = min(tile, alignment.columns - column);
  int* const corner = alignment.scores + row * pitch + column;  // above the tile, and left of it

  if (thread == 0) scores[0][0] = corner[0];
  if (thread < width) {
    scores[0][thread + 1] = corner[thread + 1];
    letters[thread] = alignment.across[column + thread];
  }
  unsigned char letter = 0;
  if (thread < height) {
    scores[thread + 1][0] = corner[(thread + 1) * pitch];
    letter = alignment.down[row + thread];
  }
  __syncthreads();
  for (unsigned diagonal = 0; diagonal < 2 * tile - 1; ++diagonal) {
    const unsigned x = diagonal - thread;  // wraps around before its turn comes
    if (thread < height && x < width) {
      scores[thread + 1][x + 1] = best_score(scores[thread][x] + scoring.of(letter, letters[x]),
                                             scores[thread + 1][x], scores[thread][x + 1], scoring);
    }
    __syncthreads();
  }
  if (thread < width) {
    for (unsigned r = 0; r < height; ++r) {
      corner[(r + 1) * pitch + thread + 1] = scores[r + 1][thread + 1];
    }
  }
}

}  // namespace raddle::workloads
