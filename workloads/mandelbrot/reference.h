#pragma once

#include <cmath>
#include <cstdint>

namespace raddle::workloads {

/// Steps of z <- z^2 + c from z = 0 until |z| > 2, at most `limit`; single precision, rounded once
/// after each multiply-add.
inline std::uint32_t escape_time_reference(float c_real, float c_imaginary, std::uint32_t limit) {
  float real = 0;
  float imaginary = 0;
  for (std::uint32_t count = 0; count < limit; ++count) {
    const float imaginary_squared = imaginary * imaginary;
    if (std::fma(real, real, imaginary_squared) > 4.0f) return count;
    const float next_real = std::fma(real, real, std::fma(-imaginary, imaginary, c_real));
    imaginary = std::fma(2.0f * real, imaginary, c_imaginary);
    real = next_real;
  }
  return limit;
}

}  // namespace raddle::workloads
