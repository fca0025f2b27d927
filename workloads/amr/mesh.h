#pragma once

#include <cuda_runtime.h>

namespace raddle::workloads {

/// Lengths are in 1/64 of the distance between two points of the field.
constexpr unsigned unit = 64;
/// A cell is refined into 4 x 4 x 4 cells.
constexpr unsigned split = 4;
constexpr unsigned num_parts = split * split * split;

/// A cube of the mesh.
struct Cell {
  unsigned x, y, z;  // its lowest corner
  unsigned size;     // of an edge
  unsigned root;     // the coarse cell that it lies in

  __host__ __device__ Cell part(unsigned i) const {
    const unsigned step = size / split;
    return {x + i % split * step, y + i / split % split * step, z + i / (split * split) * step,
            step, root};
  }
};

/// The field, and how finely it is refined. All numbers are whole, so that every machine refines
/// the same cells.
struct Mesh {
  const unsigned char* values;  // side^3 points, x fastest
  unsigned side;
  unsigned tolerance;   // a cell in which the field varies by more is refined
  unsigned least_size;  // cells of this size are not refined

  __host__ __device__ unsigned point(unsigned x, unsigned y, unsigned z) const {
    return values[(z * side + y) * side + x];
  }

  /// The field at (x, y, z), in 1/256 of its unit, interpolated between the eight points around.
  __host__ __device__ unsigned at(unsigned x, unsigned y, unsigned z) const {
    const unsigned last = (side - 1) * unit - 1;  // lies in the interval before the last point
    x = x < last ? x : last;
    y = y < last ? y : last;
    z = z < last ? z : last;
    const unsigned i = x / unit, j = y / unit, k = z / unit;
    const unsigned fx = x % unit, fy = y % unit, fz = z % unit;
    const unsigned low = along(point(i, j, k), point(i + 1, j, k), fx) * (unit - fy) +
                         along(point(i, j + 1, k), point(i + 1, j + 1, k), fx) * fy;
    const unsigned high = along(point(i, j, k + 1), point(i + 1, j, k + 1), fx) * (unit - fy) +
                          along(point(i, j + 1, k + 1), point(i + 1, j + 1, k + 1), fx) * fy;
    return (low * (unit - fz) + high * fz) / (unit * unit * unit / 256);
  }

  /// The mean of the field at a cell's corners, and the difference of the largest and smallest
  /// value.
  struct Sample {
    unsigned mean;
    unsigned range;
  };
  __host__ __device__ Sample sample(const Cell& cell) const {
    unsigned sum = 0, least = 0xffffffff, most = 0;
    for (unsigned corner = 0; corner < 8; ++corner) {
      const unsigned value =
          at(cell.x + corner % 2 * cell.size, cell.y + corner / 2 % 2 * cell.size,
             cell.z + corner / 4 * cell.size);
      sum += value;
      least = value < least ? value : least;
      most = value > most ? value : most;
    }
    return {sum / 8, most - least};
  }

  __host__ __device__ bool is_to_refine(const Cell& cell, const Sample& sample) const {
    return sample.range > tolerance && cell.size / split >= least_size;
  }

 private:
  __host__ __device__ static unsigned along(unsigned a, unsigned b, unsigned fraction) {
    return a * (unit - fraction) + b * fraction;
  }
};

/// The result of a coarse cell: the sum of mean x volume over its finest cells (in cubes of the
/// least size, modulo 2^32), and the number of these cells.
struct RootResult {
  unsigned integral;
  unsigned cells;

  bool operator==(const RootResult& other) const {
    return integral == other.integral && cells == other.cells;
  }
};

__host__ __device__ inline unsigned volume(const Cell& cell, unsigned least_size) {
  const unsigned edge = cell.size / least_size;
  return edge * edge * edge;
}

}  // namespace raddle::workloads
