// What the host says of a task, and how it fills the task's entry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "table.cuh"

namespace raddle::tasks::detail {

/// A task to be spawned: the number of its kernel and the bytes of its arguments.
struct Request {
  unsigned kernel;
  const Launch& how;
  const Moves* moves;  // or null
  const void* arguments;
  std::size_t bytes;

  bool is_valid() const {
    if (moves == nullptr) return detail::is_valid(how);
    return detail::is_valid(how) && !moves->too_many() &&
           bytes + moves->size() * sizeof(Transfer) <= kMaxArgumentBytes;
  }
  /// Returns how many bytes of the entry are filled.
  std::size_t fill(Entry& entry) const {
    entry.kernel = static_cast<std::uint16_t>(kernel);
    entry.sync = how.sync ? 1 : 0;
    entry.threads = how.threads;
    entry.blocks = how.blocks;
    entry.shared = how.shared;
    entry.ins = entry.outs = 0;
    if (bytes != 0) std::memcpy(entry.arguments, arguments, bytes);
    if (moves == nullptr || moves->size() == 0) return offsetof(Entry, arguments) + bytes;
    entry.ins = static_cast<std::uint16_t>(moves->ins());
    entry.outs = static_cast<std::uint16_t>(moves->outs());
    unsigned char* to = entry.arguments + kMaxArgumentBytes;
    for (unsigned i = 0; i < moves->size(); ++i) {
      to -= sizeof(Transfer);
      std::memcpy(to, &(*moves)[i], sizeof(Transfer));
    }
    return sizeof entry;
  }
};

}  // namespace raddle::tasks::detail
