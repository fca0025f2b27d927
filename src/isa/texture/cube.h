// Cubemaps: from a direction to a face and a place on it, and back (CUDA C++ Programming Guide,
// "Cubemap Textures").
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

namespace raddle::isa {

struct CubePlace {
  std::uint32_t face = 0;  // +x -x +y -y +z -z
  float s = 0, t = 0;      // from 0 to 1
};

inline CubePlace cube_place(const std::array<float, 3>& at) {
  const float x = at[0], y = at[1], z = at[2];
  const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  float s = 0, t = 0, m = 0;
  std::uint32_t face = 0;
  if (az >= ax && az >= ay) {
    face = z >= 0 ? 4 : 5;
    m = az;
    s = z >= 0 ? x : -x;
    t = -y;
  } else if (ay >= ax) {
    face = y >= 0 ? 2 : 3;
    m = ay;
    s = x;
    t = y >= 0 ? z : -z;
  } else {
    face = x >= 0 ? 0 : 1;
    m = ax;
    s = x >= 0 ? -z : z;
    t = -y;
  }
  if (m == 0) return {face, 0.5F, 0.5F};  // no direction: an NVIDIA H200 uses the face's centre
  return {face, (s / m + 1) / 2, (t / m + 1) / 2};
}

/// The direction of the point (s, t) of a face; s and t go from -1 to 1.
inline std::array<float, 3> cube_direction(std::uint32_t face, float s, float t) {
  switch (face) {
    case 0:
      return {1, -t, -s};
    case 1:
      return {-1, -t, s};
    case 2:
      return {s, 1, t};
    case 3:
      return {s, -1, -t};
    case 4:
      return {s, -t, 1};
    default:
      return {-s, -t, -1};
  }
}

}  // namespace raddle::isa
