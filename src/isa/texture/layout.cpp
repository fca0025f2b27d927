#include "isa/texture/layout.h"

#include <algorithm>

namespace raddle::isa {
namespace {

constexpr std::uint64_t kGobWidth = 64;  // bytes
constexpr std::uint32_t kGobRows = 8;
constexpr std::uint64_t kGobBytes = kGobWidth * kGobRows;

/// GOBs on top of each other in a block: the fewest that hold all rows, 16 at most.
std::uint32_t gobs_of_block(std::uint32_t rows) {
  std::uint32_t gobs = 1;
  while (gobs < 16 && gobs * kGobRows < rows) gobs *= 2;
  return gobs;
}

std::uint64_t gobs_across(std::uint64_t row_bytes) {
  return (row_bytes + kGobWidth - 1) / kGobWidth;
}

}  // namespace

std::uint64_t block_linear_offset(std::uint64_t x, std::uint32_t y, std::uint64_t row_bytes,
                                  std::uint32_t rows) {
  if (rows == 1) return x;
  const std::uint32_t gobs = gobs_of_block(rows), block_rows = gobs * kGobRows;
  const std::uint64_t block = y / block_rows * gobs_across(row_bytes) + x / kGobWidth;
  const std::uint64_t gob = block * gobs + y % block_rows / kGobRows;
  const std::uint64_t inside =
      (x & 32) << 3 | (y & 6) << 5 | (x & 16) << 1 | (y & 1) << 4 | (x & 15);
  return gob * kGobBytes + inside;
}

std::uint64_t block_linear_bytes(std::uint64_t row_bytes, std::uint32_t rows) {
  if (rows == 1) return row_bytes;
  const std::uint32_t gobs = gobs_of_block(rows), block_rows = gobs * kGobRows;
  const std::uint64_t blocks = (rows + block_rows - 1) / block_rows * gobs_across(row_bytes);
  return blocks * gobs * kGobBytes;
}

}  // namespace raddle::isa
