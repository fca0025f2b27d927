// The record that evaluate.cu writes and judge.cpp reads: one call of a function of functions.inc.
#pragma once

#include <cstdint>

struct Record {
  std::uint32_t row;  // in the order of functions.inc
  std::uint32_t padding;
  double arguments[4];  // x, y, z, w
  double result;
};

// Arguments that are whole numbers to the functions that take such.
#ifdef __CUDACC__
__host__ __device__
#endif
    inline int
    whole(double y) {
  return !(y == y) ? 0 : y > 3000 ? 3000 : y < -3000 ? -3000 : (int)y;
}
#ifdef __CUDACC__
__host__ __device__
#endif
    inline int
    order(double y) {
  return !(y == y) || y < 0 ? 0 : y > 140 ? 140 : (int)y;
}
