// Physical memory, ranges of addresses, and what is mapped where (CUDA driver API, "Virtual Memory
// Management"). Physical memory is a file in memory, so that one piece can be mapped at several
// addresses; a range has host pages of its own, in which what is mapped is contiguous.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "cuda/refusal.h"
#include "memory/address_space.h"

namespace raddle::cuda {

/// A piece of physical memory (CUmemGenericAllocationHandle). It lives while a handle or a mapping
/// does.
class Physical {
 public:
  explicit Physical(std::uint64_t bytes);
  ~Physical();
  Physical(const Physical&) = delete;
  Physical& operator=(const Physical&) = delete;
  std::uint64_t bytes() const { return bytes_; }
  int file() const { return file_; }

 private:
  std::uint64_t bytes_;
  int file_;
};

class VirtualMemory {
 public:
  /// All sizes and addresses are multiples of it: that of the GPUs described here.
  static constexpr std::uint64_t kGranularity = 2u << 20;
  enum class Access : std::uint8_t { none, read, read_write };

  /// `client`: of a GPU that programs share, from 1 on (memory::SharedWindows): each has addresses of its own
  /// among these; 0: all of them are this program's.
  explicit VirtualMemory(memory::AddressSpace& space, unsigned client = 0);
  ~VirtualMemory();

  // Each refuses arguments that do not fit with cudaErrorInvalidValue.
  /// `wanted`: taken when it is free, else only a hint. Nothing is left: cudaErrorMemoryAllocation.
  Address reserve(std::uint64_t bytes, std::uint64_t alignment, Address wanted);
  void free(Address base, std::uint64_t bytes);

  std::shared_ptr<Physical> create(std::uint64_t bytes);
  void map(Address at, std::uint64_t bytes, std::uint64_t offset, std::shared_ptr<Physical> what);
  /// Any number of whole mappings.
  void unmap(Address at, std::uint64_t bytes);
  void set_access(Address at, std::uint64_t bytes, Access access);
  Access access(Address at) const;
  std::shared_ptr<Physical> physical_at(Address at) const;

  /// All ranges and mappings go.
  void clear();
  /// Of all physical memory that lives.
  std::uint64_t physical_bytes() const;

 private:
  struct Range {
    std::uint64_t bytes = 0;
    std::byte* host = nullptr;
    bool reserved = true;        // all of the host's pages, else those that are mapped
    std::vector<Address> known;  // bases at which the address space knows it
  };
  struct Mapping {
    std::uint64_t bytes = 0;
    std::shared_ptr<Physical> physical;
    Access access = Access::none;
  };
  using Ranges = std::map<Address, Range>;
  using Mappings = std::map<Address, Mapping>;

  Range* range_of(Address at, std::uint64_t bytes, Address* base = nullptr);
  /// The mappings that together are [at, at + bytes).
  std::pair<Mappings::iterator, Mappings::iterator> whole(Address at, std::uint64_t bytes);
  Mappings::const_iterator mapping_at(Address at) const;
  void tell_space(Address base, Range& range);

  memory::AddressSpace& space_;
  Address begin_, end_;
  Ranges ranges_;
  Mappings mappings_;
  Address last_end_ = 0;  // of the range that was reserved last
  std::vector<std::weak_ptr<Physical>> physical_;
};

}  // namespace raddle::cuda
