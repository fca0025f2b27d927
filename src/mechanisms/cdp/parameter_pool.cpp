#include "mechanisms/cdp/parameter_pool.h"

#include <algorithm>

namespace raddle::mechanisms::cdp {
namespace {

constexpr std::uint64_t kChunkBytes = 1 << 20;

std::uint64_t aligned(std::uint64_t bytes) {
  constexpr std::uint64_t alignment = ParameterPool::kAlignment;
  return (bytes + alignment - 1) / alignment * alignment;
}

}  // namespace

Address ParameterPool::allocate(std::uint64_t bytes, Cycle now) {
  bytes = aligned(bytes);
  const std::uint64_t whole = std::max(bytes + aligned(record_bytes_), kAlignment);
  std::vector<Address>& spare = free_[bytes];
  Address made = 0;
  if (!spare.empty()) {
    made = spare.back();
    spare.pop_back();
  } else {
    if (left_ < whole) {
      const std::uint64_t take = std::max(whole, kChunkBytes);
      chunk_ = space_.allocate(take, memory::Kind::runtime, "parameters of device launches");
      if (chunk_ == 0) {
        left_ = 0;
        return 0;
      }
      left_ = take;
    }
    made = chunk_;
    chunk_ += whole;
    left_ -= whole;
  }
  out_[made] = {bytes, now};
  used_ += bytes;
  return made;
}

void ParameterPool::free(Address buffer) {
  const auto found = out_.find(buffer);
  if (found == out_.end()) return;
  used_ -= found->second.bytes;
  free_[found->second.bytes].push_back(buffer);
  out_.erase(found);
}

}  // namespace raddle::mechanisms::cdp
