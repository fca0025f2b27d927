// Whether a warp repeats itself, for SpinWatch.
#include <cstring>

#include "machine/warp/warp.h"

namespace raddle::machine {
namespace {

std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15;
  return hash ^ (hash >> 29);
}

std::uint64_t mix(std::uint64_t hash, const std::byte* bytes, std::size_t count) {
  for (; count >= sizeof(std::uint64_t); count -= sizeof(std::uint64_t)) {
    std::uint64_t word;
    std::memcpy(&word, bytes, sizeof word);
    hash = mix(hash, word);
    bytes += sizeof word;
  }
  std::uint64_t rest = 0;
  std::memcpy(&rest, bytes, count);
  return mix(hash, rest);
}

}  // namespace

std::uint64_t WarpValues::state_hash() const {
  std::uint64_t hash = mix(0, storage_.rows(), std::size_t{rows_used_} * isa::kRowBytes);
  hash = mix(hash, reinterpret_cast<const std::byte*>(storage_.predicates()),
             std::size_t{predicates_used_} * sizeof(LaneMask));
  for (const Frame& frame : frames_) {
    hash = mix(hash, std::uint64_t{frame.function} << 32 | frame.caller);
    hash = mix(hash, std::uint64_t{frame.return_pc} << 32 | frame.users);
  }
  return hash;
}

std::uint64_t Warp::state_hash() const {
  const isa::WarpContext& w = values_.context();
  std::uint64_t hash = values_.state_hash();
  hash = mix(hash, std::uint64_t{w.live} << 32 | w.carry);
  for (const std::uint32_t top : w.alloca_top) hash = mix(hash, top);
  const std::size_t local = std::size_t{w.block->local_bytes_per_thread} * kWarpSize;
  if (local != 0) hash = mix(hash, w.block->local + w.warp_in_block * local, local);
  std::vector<SplitReport> splits;
  control_->report(splits);
  for (const SplitReport& split : splits) {
    hash = mix(hash, std::uint64_t{split.pc} << 32 | split.lanes);
    hash = mix(hash, split.waits_for);
  }
  return mix(hash, waiting_);
}

bool Warp::waits_for_ever(LaneMask repeating) const {
  std::vector<SplitReport> splits;
  control_->report(splits);
  for (const SplitReport& split : splits) {
    if ((waiting_ >> split.split & 1) != 0) {
      if (waits_[split.split].what == Wait::For::parked) return false;
      continue;
    }
    // Other splits may continue, even splits that wait where they meet the running lanes.
    const bool kept_back = scheme_->one_way_at_a_time && !split.running;
    if (!kept_back && (split.lanes & ~repeating) != 0) return false;
  }
  return true;
}

}  // namespace raddle::machine
