#pragma once

#include <cuda_runtime.h>

#include "common/seven_points.h"
#include "common/sides.cuh"

namespace raddle::workloads {

constexpr unsigned tile_width = 16, tile_height = 8;

/// A plane of a tile, two points a thread.
using Plane = float[tile_height][2 * tile_width];

/// Computes a point of the current plane after a step of diffusion. Arguments are its coordinates
/// in the box and in the tile; `z_sides` are both neighbours along z. Neighbours in the plane come
/// from shared memory, but beyond the tile's edges from global memory.
template <Sides sides>
__device__ void diffuse_point(const float* from, float* to, const Box& box, const Plane& plane,
                              uint3 at, uint2 in_tile, float2 z_sides) {
  const unsigned tx = in_tile.x, ty = in_tile.y;
  if (at.x >= box.x || at.y >= box.y || box.is_surface(at.x, at.y, at.z)) return;
  if (tx == 0 || tx == 2 * tile_width - 1 || ty == 0 || ty == tile_height - 1) {
    const float sum =
        neighbour_sum(from[box.at(at.x - 1, at.y, at.z)], from[box.at(at.x + 1, at.y, at.z)],
                      from[box.at(at.x, at.y - 1, at.z)], from[box.at(at.x, at.y + 1, at.z)],
                      z_sides.x, z_sides.y);
    to[box.at(at.x, at.y, at.z)] = diffused(sum, plane[ty][tx]);
    end_first_side<sides>();
  } else {
    const float sum = neighbour_sum(plane[ty][tx - 1], plane[ty][tx + 1], plane[ty - 1][tx],
                                    plane[ty + 1][tx], z_sides.x, z_sides.y);
    to[box.at(at.x, at.y, at.z)] = diffused(sum, plane[ty][tx]);
    end_second_side<sides>();
  }
}

/// One iteration over the inner points; `to` has the points of the surface already. A block of
/// tile_width x tile_height threads covers twice as many columns of points, two a thread, and walks
/// along z. The current plane is in shared memory, without a halo. The points before and after it
/// are in registers.
template <Sides sides>
__global__ void diffuse(const float* from, float* to, Box box) {
  __shared__ Plane plane;
  const unsigned tx = threadIdx.x, ty = threadIdx.y, tx2 = tx + tile_width;
  const unsigned x = blockIdx.x * 2 * tile_width + tx, x2 = x + tile_width;
  const unsigned y = blockIdx.y * tile_height + ty;
  // Threads outside the box load values that are not used.
  const unsigned at_x = min(x, box.x - 1), at_x2 = min(x2, box.x - 1), at_y = min(y, box.y - 1);

  float before = 0, before2 = 0;
  float here = from[box.at(at_x, at_y, 0)], here2 = from[box.at(at_x2, at_y, 0)];
  for (unsigned z = 0; z < box.z; ++z) {
    const unsigned next = min(z + 1, box.z - 1);
    const float behind = from[box.at(at_x, at_y, next)], behind2 = from[box.at(at_x2, at_y, next)];
    plane[ty][tx] = here;
    plane[ty][tx2] = here2;
    __syncthreads();
    diffuse_point<sides>(from, to, box, plane, {x, y, z}, {tx, ty}, {before, behind});
    diffuse_point<sides>(from, to, box, plane, {x2, y, z}, {tx2, ty}, {before2, behind2});
    __syncthreads();  // all threads have used the plane
    before = here;
    before2 = here2;
    here = behind;
    here2 = behind2;
  }
}

}  // namespace raddle::workloads
