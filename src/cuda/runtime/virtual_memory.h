// Physical memory, ranges of addresses, and their mappings (CUDA driver API, "Virtual Memory
// Management"). Physical memory is a file in memory, so that one piece can be mapped at several
// addresses. A range has host pages of its own, in which the mapped memory is contiguous.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "cuda/refusal.h"
#include "memory/address_space.h"

namespace raddle::cuda {

/// A piece of physical memory (CUmemGenericAllocationHandle). It lives as long as a handle or a
/// mapping refers to it.
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
  /// All sizes and addresses are multiples of it: the granularity of the GPUs described here.
  static constexpr std::uint64_t kGranularity = 2u << 20;
  enum class Access : std::uint8_t { none, read, read_write };

  /// `client`: the number of this program on a shared GPU, from 1 on (memory::SharedWindows); each
  /// client has its own part of these addresses. 0: all addresses belong to this program.
  explicit VirtualMemory(memory::AddressSpace& space, unsigned client = 0);
  ~VirtualMemory();

  // Each refuses unsuitable arguments with cudaErrorInvalidValue.
  /// `wanted`: the result if this address is free, else only a hint. cudaErrorMemoryAllocation if
  /// no address is left.
  Address reserve(std::uint64_t bytes, std::uint64_t alignment, Address wanted);
  void free(Address base, std::uint64_t bytes);

  std::shared_ptr<Physical> create(std::uint64_t bytes);
  void map(Address at, std::uint64_t bytes, std::uint64_t offset, std::shared_ptr<Physical> what);
  /// Unmaps any number of whole mappings.
  void unmap(Address at, std::uint64_t bytes);
  void set_access(Address at, std::uint64_t bytes, Access access);
  Access access(Address at) const;
  std::shared_ptr<Physical> physical_at(Address at) const;

  /// Removes all ranges and mappings.
  void clear();
  /// Bytes of all physical memory that lives.
  std::uint64_t physical_bytes() const;

 private:
  struct Range {
    std::uint64_t bytes = 0;
    std::byte* host = nullptr;
    bool reserved = true;        // all host pages are reserved, else only the mapped ones
    std::vector<Address> known;  // base addresses of its parts in the address space
  };
  struct Mapping {
    std::uint64_t bytes = 0;
    std::shared_ptr<Physical> physical;
    Access access = Access::none;
  };
  using Ranges = std::map<Address, Range>;
  using Mappings = std::map<Address, Mapping>;

  Range* range_of(Address at, std::uint64_t bytes, Address* base = nullptr);
  /// The mappings that together are exactly [at, at + bytes).
  std::pair<Mappings::iterator, Mappings::iterator> whole(Address at, std::uint64_t bytes);
  Mappings::const_iterator mapping_at(Address at) const;
  void tell_space(Address base, Range& range);

  memory::AddressSpace& space_;
  Address begin_, end_;
  Ranges ranges_;
  Mappings mappings_;
  Address last_end_ = 0;  // end of the range that was reserved last
  std::vector<std::weak_ptr<Physical>> physical_;
};

}  // namespace raddle::cuda
