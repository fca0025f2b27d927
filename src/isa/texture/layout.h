// The addresses at which caches see the texels of a CUDA array.
//
// The layout is block-linear, as Linux's drm_fourcc.h (DRM_FORMAT_MOD_NVIDIA_BLOCK_LINEAR_2D) and
// the Tegra X1 Technical Reference Manual, "Block Linear", describe it for Fermi and later. A GOB
// is 64 bytes by 8 rows. A sector of 32 bytes in it is 16 bytes by 2 rows, a line of 128 bytes is
// 32 bytes by 4 rows. 1 to 16 GOBs are stacked in a block, and blocks run row by row. Slices and
// layers follow each other. One-dimensional arrays are linear.
//
// Programs cannot see the order of bytes in an array. So the simulated memory holds its values row
// by row, and only the addresses that caches and DRAM see have this layout.
#pragma once

#include <cstdint>

namespace raddle::isa {

/// Bytes from the start of a slice to byte `x` of row `y`. Rows have `row_bytes` bytes, the slice
/// has `rows` rows.
std::uint64_t block_linear_offset(std::uint64_t x, std::uint32_t y, std::uint64_t row_bytes,
                                  std::uint32_t rows);

/// Bytes of a slice, including the padding of its last blocks.
std::uint64_t block_linear_bytes(std::uint64_t row_bytes, std::uint32_t rows);

}  // namespace raddle::isa
