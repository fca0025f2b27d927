// Pages of a program's own memory that its kernels access in another process. The pages are moved
// to a file that both processes map, and keep their addresses.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "corun/messages.h"

namespace raddle::corun {

class HostPages {
 public:
  /// Name of the file, which memfd_create() makes.
  static constexpr const char* kFileName = "raddle pages of a program";

  /// Takes ownership of the file. `bytes`: its size, which limits how much can be moved in all.
  HostPages(int file, std::uint64_t bytes) : file_(file), bytes_(bytes) {}
  ~HostPages();
  HostPages(const HostPages&) = delete;
  HostPages& operator=(const HostPages&) = delete;

  /// Moves the pages of [from, from + bytes) that have not been moved. Returns the places of all
  /// these pages in the file. Throws an Error, which gives the reason, for stacks and for memory
  /// that is not private to the process (mapped files, memory shared with other processes). Other
  /// threads must not write to the memory during the call.
  std::vector<FilePart> share(Address from, std::uint64_t bytes);
  /// The pages are not needed any more. New memory at their addresses is moved again.
  void release(Address from, std::uint64_t bytes);

 private:
  struct Page {
    std::uint64_t offset = 0;
    unsigned uses = 0;
  };
  void move(Address from, Address to);

  int file_;
  std::uint64_t bytes_, used_ = 0;
  std::map<Address, Page> pages_;
};

}  // namespace raddle::corun
