#include "mechanisms/cdp/parameter_pool.h"

#include <algorithm>
#include <iterator>

namespace raddle::mechanisms::cdp {
namespace {

constexpr std::uint64_t kChunkBytes = 1 << 20;
constexpr std::uint64_t kMostBytes = std::uint64_t{1}
                                     << 32;  // no memory holds more, so sums do not overflow

std::uint64_t aligned(std::uint64_t bytes) {
  constexpr std::uint64_t alignment = ParameterPool::kAlignment;
  return (bytes + alignment - 1) / alignment * alignment;
}

}  // namespace

Address ParameterPool::allocate(std::uint64_t bytes, Cycle now) {
  const Address made = take(bytes, now);
  footprint_.set(used_ + records_);
  return made;
}

void ParameterPool::add_record(std::uint64_t bytes) {
  records_ += bytes;
  footprint_.set(used_ + records_);
}

Address ParameterPool::take(std::uint64_t bytes, Cycle now) {
  if (bytes > kMostBytes) return 0;
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
      chunk_ = space_.allocate(take, memory::Kind::parameters, "parameters of device launches");
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

void ParameterPool::close(Address buffer) {
  const auto found = out_.find(buffer);
  if (found != out_.end()) found->second.open = false;
}

isa::ParameterBuffers::Range ParameterPool::open(Address address) const {
  const auto next = out_.upper_bound(address);
  if (next == out_.begin()) return {};
  const auto& [base, buffer] = *std::prev(next);
  if (!buffer.open || address - base >= buffer.bytes) return {};
  return {base, base + buffer.bytes};
}

void ParameterPool::free(Address buffer) {
  const auto found = out_.find(buffer);
  if (found == out_.end()) return;
  used_ -= found->second.bytes;
  free_[found->second.bytes].push_back(buffer);
  out_.erase(found);
}

}  // namespace raddle::mechanisms::cdp
