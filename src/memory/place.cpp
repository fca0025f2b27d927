#include "memory/place.h"

#include <fmt/core.h>

namespace raddle::memory {

std::string allocation_text(const Allocation& allocation) {
  return fmt::format("'{}' ({}{}, {} bytes at {:#x})", allocation.name,
                     allocation.freed ? "freed, " : "", name(allocation.kind), allocation.size,
                     allocation.base);
}

std::string place_text(const AddressSpace& space, Address address, std::uint64_t bytes) {
  const Allocation* near = space.find(address);
  if (near == nullptr) {
    if (const auto host = space.host_program_at(address)) {
      return fmt::format(
          "this is an address of the host program ({}), which kernels cannot reach: only memory of "
          "cudaMallocManaged, cudaMallocHost or cudaHostRegister is common to both",
          *host);
    }
  }
  if (near == nullptr || near->kind == Kind::parameters) near = space.nearest(address);
  // An allocation that is far away explains nothing.
  constexpr std::uint64_t kFar = std::uint64_t{1} << 32;
  const bool far = near == nullptr || (address < near->base ? near->base - address > kFar
                                                            : address - near->base > near->size &&
                                                                  address - near->end() > kFar);
  if (far && address < 4096) {
    return address == 0 ? "a null pointer" : fmt::format("{} bytes from a null pointer", address);
  }
  if (far) return "there is no memory at this address, on the GPU or in the host program";
  const std::string what = allocation_text(*near);
  if (address < near->base) {
    return fmt::format("{} bytes before the start of {}", near->base - address, what);
  }
  const std::uint64_t offset = address - near->base;
  if (offset >= near->size) {
    return fmt::format("{} bytes past the end of {}", offset - near->size, what);
  }
  const std::uint64_t left = near->size - offset;
  if (bytes > left) {
    return fmt::format("from byte {} to {} bytes past the end of {}", offset, bytes - left, what);
  }
  return fmt::format("byte {} of {}", offset, what);
}

}  // namespace raddle::memory
