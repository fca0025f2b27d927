// Memory of launches by kernels: buffers into which kernels write parameters for their children,
// with room behind them for the record of the launch.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "base/stats.h"
#include "isa/services.h"
#include "memory/address_space.h"

namespace raddle::mechanisms::cdp {

/// Hands out buffers of global memory. What it takes from there it keeps for the next ones.
/// `footprint` is what buffers, and records of launches that have not started, take together.
class ParameterPool : public isa::ParameterBuffers {
 public:
  ParameterPool(memory::AddressSpace& space, std::uint64_t record_bytes, Peak& footprint)
      : space_(space), record_bytes_(record_bytes), footprint_(footprint) {}

  /// Records may be as large as that, too. Before the first buffer.
  void make_room_for_record(std::uint64_t bytes) { record_bytes_ = std::max(record_bytes_, bytes); }
  /// Zero-filled only when new; 0 when device memory does not hold as much. Aligned to kAlignment.
  Address allocate(std::uint64_t bytes, Cycle now);
  void free(Address buffer);
  /// Where the record of the launch lies that has its parameters in this buffer; 0 for an address
  /// that is none.
  Address record_of(Address buffer) const {
    const auto found = out_.find(buffer);
    return found == out_.end() ? 0 : buffer + found->second.bytes;
  }
  /// It has been launched: kernels have no business there any more.
  void close(Address buffer);
  Range open(Address) const override;
  /// When the buffer was handed out; `otherwise` for an address that is none.
  Cycle since(Address buffer, Cycle otherwise) const {
    const auto found = out_.find(buffer);
    return found == out_.end() ? otherwise : found->second.since;
  }
  /// Bytes of all buffers that are out, without records.
  std::uint64_t used() const { return used_; }

  /// A launch that has not started takes memory of that many bytes.
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
