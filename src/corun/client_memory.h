// The memory of a program that shares the GPU, as the process has it that runs its kernels: the same addresses
// and values, by the same changes in the same order.
#pragma once

#include <memory>
#include <vector>

#include "corun/messages.h"
#include "memory/address_space.h"

namespace raddle::corun {

/// What a GPU has for each program.
struct DeviceMemory {
  std::uint64_t bytes = 0;
  memory::Protection protection;
};

class ClientMemory {
 public:
  /// `client`: from 1 on. Throws Error when the system gives no memory.
  ClientMemory(unsigned client, const DeviceMemory& memory);
  ~ClientMemory();
  ClientMemory(const ClientMemory&) = delete;
  ClientMemory& operator=(const ClientMemory&) = delete;

  /// What the program gets: of its device memory, the memory it shares with the device, and its own pages.
  std::vector<int> descriptors() const { return {device_, host_, pages_}; }
  memory::AddressSpace& space() { return *space_; }

  /// Throws Error when something else comes of it than in the program.
  void apply(const Change& change);
  void apply(const std::vector<Change>& changes) {
    for (const Change& one : changes) apply(one);
  }
  /// Where the values of a program's own memory are that is registered from now on.
  void find(Address from, std::uint64_t bytes, const std::vector<FilePart>& pages);
  /// What its kernels have allocated is gone.
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
  std::vector<Own> own_;     // of its own memory, the latest last
  std::vector<View> views_;  // of the file with its pages
  std::unique_ptr<memory::AddressSpace> space_;
};

}  // namespace raddle::corun
