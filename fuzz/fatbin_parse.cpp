// Parses any bytes as a fat binary. The result must be entries or an Error, nothing else.
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/error.h"
#include "cuda/fatbin/image.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    raddle::cuda::parse_fat_binary(std::as_bytes(std::span(data, size)), "input");
  } catch (const raddle::Error&) {
    // Refused with a message, as required.
  }
  return 0;
}
