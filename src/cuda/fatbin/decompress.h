// The compressions of fat binary entries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace raddle::cuda {

/// Both throw Error when `packed` does not decompress to exactly `size` bytes.
std::string decompress_lz4(std::span<const std::byte> packed, std::uint64_t size);
std::string decompress_zstd(std::span<const std::byte> packed, std::uint64_t size);

}  // namespace raddle::cuda
