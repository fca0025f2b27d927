// Addresses for blocks that leave their multiprocessor: places for their saved state, and stretches
// of local memory that their warps keep. They lie outside the memory that programs allocate.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "base/types.h"

namespace raddle::machine {

class ContextMemory {
 public:
  /// Stretches of local memory (LoadStore) with lower numbers belong to the warp slots.
  explicit ContextMemory(std::uint32_t first_stretch) : next_stretch_(first_stretch) {}

  /// A place for the state of a block, until the end of its life.
  class Place {
   public:
    Place() = default;
    Place(ContextMemory& memory, std::uint64_t bytes)
        : memory_(&memory), bytes_(rounded(bytes)), address_(memory.take(bytes_)) {}
    Place(Place&& other) noexcept { *this = std::move(other); }
    Place& operator=(Place&& other) noexcept {
      std::swap(memory_, other.memory_);
      std::swap(bytes_, other.bytes_);
      std::swap(address_, other.address_);
      return *this;
    }
    ~Place() {
      if (memory_ != nullptr) memory_->free_[bytes_].push_back(address_);
    }
    Address address() const { return address_; }
    bool holds(std::uint64_t bytes) const { return bytes <= bytes_; }

   private:
    ContextMemory* memory_ = nullptr;
    std::uint64_t bytes_ = 0;
    Address address_ = 0;
  };

  /// Takes a stretch that no warp has.
  std::uint32_t take_stretch() {
    if (free_stretches_.empty()) return next_stretch_++;
    const std::uint32_t stretch = free_stretches_.back();
    free_stretches_.pop_back();
    return stretch;
  }
  void give_stretch(std::uint32_t stretch) { free_stretches_.push_back(stretch); }

 private:
  /// Above all windows of address_space.h, and the stretches of local memory.
  static constexpr Address kSaveArea = 0x0000'c000'0000'0000;
  /// Places begin at lines. Rounding leaves few different sizes, so that places are reused.
  static std::uint64_t rounded(std::uint64_t bytes) {
    constexpr std::uint64_t kUnit = 1024;
    return (bytes + kUnit - 1) / kUnit * kUnit;
  }
  Address take(std::uint64_t bytes) {
    std::vector<Address>& free = free_[bytes];
    if (free.empty()) return std::exchange(next_, next_ + bytes);
    const Address address = free.back();
    free.pop_back();
    return address;
  }

  Address next_ = kSaveArea;
  std::map<std::uint64_t, std::vector<Address>> free_;  // by size in bytes
  std::uint32_t next_stretch_;
  std::vector<std::uint32_t> free_stretches_;
};

}  // namespace raddle::machine
