#pragma once

#include <cuda_runtime.h>

#include "common/seven_points.h"
#include "common/sides.cuh"

namespace raddle::workloads {

/// Laplace's equation: a point is the mean of its neighbours.
RADDLE_HOST_DEVICE inline float mean_of(float neighbours) { return neighbours * (1.0f / 6.0f); }

/// One Jacobi iteration. A block of Width x Height threads covers as many columns of points, and
/// walks along z. The current plane is in shared memory, with a halo of one point around it. The
/// points before and after it are in registers. The first row of threads loads the halo's rows, the
/// second its columns. Coordinates outside the box are clamped; the values there are not used.
template <unsigned Width, unsigned Height, Sides sides>
__global__ void jacobi(const float* from, float* to, Box box) {
  static_assert(Width >= Height, "a row of threads loads the columns of the halo");
  __shared__ float plane[Height + 2][Width + 2];
  const unsigned tx = threadIdx.x, ty = threadIdx.y;
  const unsigned first_x = blockIdx.x * Width, first_y = blockIdx.y * Height;
  const unsigned last_x = box.x - 1, last_y = box.y - 1;
  const unsigned x = first_x + tx, y = first_y + ty;
  const unsigned at_x = min(x, last_x), at_y = min(y, last_y);
  const bool in_halo = ty == 0 || (ty == 1 && tx < Height);

  float before = 0, here = from[box.at(at_x, at_y, 0)];
  for (unsigned z = 0; z < box.z; ++z) {
    const float behind = from[box.at(at_x, at_y, min(z + 1, box.z - 1))];
    __syncthreads();  // all threads have used the previous plane
    plane[ty + 1][tx + 1] = here;
    if (in_halo) {
      if (ty == 0) {
        plane[0][tx + 1] = from[box.at(at_x, max(first_y, 1u) - 1, z)];
        plane[Height + 1][tx + 1] = from[box.at(at_x, min(first_y + Height, last_y), z)];
        end_first_side<sides>();
      } else {
        const unsigned row = min(first_y + tx, last_y);
        plane[tx + 1][0] = from[box.at(max(first_x, 1u) - 1, row, z)];
        plane[tx + 1][Width + 1] = from[box.at(min(first_x + Width, last_x), row, z)];
        end_second_side<sides>();
      }
    }
    __syncthreads();
    if (x <= last_x && y <= last_y) {
      if (box.is_surface(x, y, z)) {
        to[box.at(x, y, z)] = plane[ty + 1][tx + 1];
        end_first_side<sides>();
      } else {
        to[box.at(x, y, z)] =
            mean_of(neighbour_sum(plane[ty + 1][tx], plane[ty + 1][tx + 2], plane[ty][tx + 1],
                                  plane[ty + 2][tx + 1], before, behind));
        end_second_side<sides>();
      }
    }
    before = here;
    here = behind;
  }
}

}  // namespace raddle::workloads
