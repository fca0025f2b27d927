// Pages of a program's own memory that kernels are to reach, which another process runs: they are moved to a
// file that both have, and stay where they are.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "corun/messages.h"

namespace raddle::corun {

class HostPages {
 public:
  /// Of the file, which memfd_create() made.
  static constexpr const char* kFileName = "raddle pages of a program";

  /// The file is taken over; its size is how much can be moved in all.
  HostPages(int file, std::uint64_t bytes) : file_(file), bytes_(bytes) {}
  ~HostPages();
  HostPages(const HostPages&) = delete;
  HostPages& operator=(const HostPages&) = delete;

  /// Moves the pages of [from, from + bytes) that have not been moved, and says where in the file all of
  /// them are. Throws Error, which says why, for memory that is not the process's alone (mapped files,
  /// memory shared with other processes), and for stacks. Other threads must not write to it meanwhile.
  std::vector<FilePart> share(Address from, std::uint64_t bytes);
  /// It is not needed any more: what comes to lie there is moved anew.
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
