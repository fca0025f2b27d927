// Runs a PTX text of a test, without timing or on the timed machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/types.h"
#include "isa/program.h"
#include "isa/texture/descriptor.h"
#include "machine/config.h"
#include "machine/gpu.h"
#include "memory/address_space.h"

namespace raddle::tests {

class PtxMachine {
 public:
  explicit PtxMachine(bool timed, const std::string& gpu = "v100");
  ~PtxMachine();

  /// Global memory of exactly so many bytes, filled with `fill`.
  Address allocate(std::size_t bytes, std::byte fill = std::byte{0});
  /// A texture, sampler or surface handle, as the runtime makes them.
  Address handle(const isa::TextureDescriptor& descriptor);
  /// The values of `count` elements at `address`.
  template <class T>
  T* values(Address address, std::size_t count = 1) {
    return reinterpret_cast<T*>(space_->values(address, count * sizeof(T)));
  }

  /// Loads the text and launches one block of its kernel `test`, whose parameters are 64-bit
  /// numbers. Returns the text of the first fault, "" when there was none. Throws Error when the
  /// text cannot be loaded.
  std::string run(const std::string& text, const std::vector<std::uint64_t>& parameters,
                  std::uint32_t threads = kWarpSize);

 private:
  std::unique_ptr<machine::GpuConfig> config_;
  std::unique_ptr<memory::AddressSpace> space_;
  std::vector<std::shared_ptr<const isa::Program>> programs_;
  std::unique_ptr<machine::Gpu> gpu_;
};

}  // namespace raddle::tests
