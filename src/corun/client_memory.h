// The memory of a program that shares the GPU, in the process that runs its kernels. It has the
// same addresses and values, because the same changes are applied in the same order.
#pragma once

#include <memory>
#include <vector>

#include "corun/messages.h"
#include "memory/address_space.h"

namespace raddle::corun {

/// The memory that the GPU has for each program.
struct DeviceMemory {
  std::uint64_t bytes = 0;
  memory::Protection protection;
};

class ClientMemory {
 public:
  /// `client`: from 1 on. Throws an Error when the system gives no memory.
  ClientMemory(unsigned client, const DeviceMemory& memory);
  ~ClientMemory();
  ClientMemory(const ClientMemory&) = delete;
  ClientMemory& operator=(const ClientMemory&) = delete;

  /// The descriptors for the program: of its device memory, of the memory that it shares with the
  /// device, and of its own pages.
  std::vector<int> descriptors() const { return {device_, host_, pages_}; }
  memory::AddressSpace& space() { return *space_; }

  /// Applies a change. Throws an Error when the result differs from the result in the program.
  void apply(const Change& change);
  void apply(const std::vector<Change>& changes) {
    for (const Change& one : changes) apply(one);
  }
  /// Tells where the values of a range of the program's own memory are. Call it before the range is
  /// registered.
  void find(Address from, std::uint64_t bytes, const std::vector<FilePart>& pages);
  /// Frees the memory that the program's kernels have allocated.
  void free_heap();

 private:
  struct View {
    std::byte* begin = nullptr;
    std::uint64_t bytes = 0;
  };
  std::byte* view(Address from, const std::vector<FilePart>& pages);
  std::byte* host_values(Address from, std::uint64_t bytes) const;

  int device_ = -1, host_ = -1, pages_ = -1;
  struct Own {
    Address from = 0;
    std::uint64_t bytes = 0;
    std::byte* values = nullptr;
  };
  std::vector<Own> own_;     // the program's own memory, the latest last
  std::vector<View> views_;  // of the file with the program's own pages
  std::unique_ptr<memory::AddressSpace> space_;
};

}  // namespace raddle::corun
