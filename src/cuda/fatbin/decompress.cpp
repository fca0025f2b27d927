#include "cuda/fatbin/decompress.h"

#include <lz4.h>
#include <zstd.h>

#include "base/error.h"

namespace raddle::cuda {

namespace {
// Far above any real PTX; keeps a damaged size field from exhausting memory.
constexpr std::uint64_t kLargest = std::uint64_t{1} << 30;

std::string buffer(std::uint64_t size) {
  if (size == 0 || size > kLargest) fail("fat binary: an entry claims {} bytes of PTX", size);
  return std::string(size, '\0');
}
}  // namespace

std::string decompress_lz4(std::span<const std::byte> packed, std::uint64_t size) {
  if (packed.size() > kLargest) fail("fat binary: an entry has {} packed bytes", packed.size());
  // A byte of an LZ4 block stands for at most 255 bytes.
  if (size / 255 > packed.size()) fail("fat binary: an LZ4 entry claims {} bytes of PTX", size);
  std::string text = buffer(size);
  const int got =
      LZ4_decompress_safe(reinterpret_cast<const char*>(packed.data()), text.data(),
                          static_cast<int>(packed.size()), static_cast<int>(text.size()));
  if (got < 0 || static_cast<std::uint64_t>(got) != size) {
    fail("fat binary: an LZ4 entry is damaged");
  }
  return text;
}

std::string decompress_zstd(std::span<const std::byte> packed, std::uint64_t size) {
  const unsigned long long told = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (told != size && told != ZSTD_CONTENTSIZE_UNKNOWN) fail("fat binary: a zstd entry is damaged");
  std::string text = buffer(size);
  const std::size_t got = ZSTD_decompress(text.data(), text.size(), packed.data(), packed.size());
  if (ZSTD_isError(got)) fail("fat binary: a zstd entry is damaged: {}", ZSTD_getErrorName(got));
  if (got != size) fail("fat binary: a zstd entry has {} bytes, not {}", got, size);
  return text;
}

}  // namespace raddle::cuda
