// Memory of launches by kernels: buffers into which kernels write parameters for their children.
// The record of the launch follows the parameters in the buffer.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "base/stats.h"
#include "isa/services.h"
#include "memory/address_space.h"

namespace raddle::mechanisms::cdp {

/// Hands out buffers of global memory. The pool keeps a freed buffer and hands it out again.
/// `footprint` counts the bytes of buffers, and of records of launches that have not started.
class ParameterPool : public isa::ParameterBuffers {
 public:
  ParameterPool(memory::AddressSpace& space, std::uint64_t record_bytes, Peak& footprint)
      : space_(space), record_bytes_(record_bytes), footprint_(footprint) {}

  /// Makes room for records of this size, too. Call it before the first allocate().
  void make_room_for_record(std::uint64_t bytes) { record_bytes_ = std::max(record_bytes_, bytes); }
  /// Returns 0 when device memory has not enough room. Aligned to kAlignment. Only a new buffer is
  /// zero-filled.
  Address allocate(std::uint64_t bytes, Cycle now);
  void free(Address buffer);
  /// The address of the launch record in this buffer; 0 if the address is not a buffer.
  Address record_of(Address buffer) const {
    const auto found = out_.find(buffer);
    return found == out_.end() ? 0 : buffer + found->second.bytes;
  }
  /// The buffer has been launched: kernels may not access it.
  void close(Address buffer);
  Range open(Address) const override;
  /// The cycle in which the buffer was handed out; `otherwise` if the address is not a buffer.
  Cycle since(Address buffer, Cycle otherwise) const {
    const auto found = out_.find(buffer);
    return found == out_.end() ? otherwise : found->second.since;
  }
  /// Bytes of all buffers that are handed out, without records.
  std::uint64_t used() const { return used_; }

  /// Counts the record of a launch that has not started.
  void add_record(std::uint64_t bytes);
  void remove_record(std::uint64_t bytes) { records_ -= bytes; }

  static constexpr std::uint64_t kAlignment = 64;

 private:
  struct Buffer {
    std::uint64_t bytes = 0;
    Cycle since = 0;
    bool open = true;
  };

  Address take(std::uint64_t bytes, Cycle now);

  memory::AddressSpace& space_;
  std::uint64_t record_bytes_;
  Peak& footprint_;
  std::map<std::uint64_t, std::vector<Address>> free_;  // by size
  std::map<Address, Buffer> out_;
  Address chunk_ = 0;
  std::uint64_t left_ = 0, used_ = 0, records_ = 0;
};

}  // namespace raddle::mechanisms::cdp
