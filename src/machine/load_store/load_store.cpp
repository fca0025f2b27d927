#include "machine/load_store/load_store.h"

#include <algorithm>
#include <utility>

#include "machine/load_store/shared_banks.h"
#include "memory/address_space.h"

namespace raddle::machine {
namespace {

using Space = isa::MemoryAccess::Space;

/// Local memory as the caches see it: word w of the 32 threads of a warp lies side by side, so that
/// a warp which accesses one offset touches one line (CUDA C Programming Guide, "Local Memory").
/// Each warp slot has a stretch of its own; their starts fall into different cache sets.
constexpr Address kLocalStretch = (Address{1} << 24) + 37 * 128;
constexpr unsigned kWordBytes = 4;

Address local_stretch(unsigned sm, unsigned warp) {
  return memory::kLocalWindow + (Address{sm} * kMaxWarps + warp) * kLocalStretch;
}

}  // namespace

LoadStore::LoadStore(const GpuConfig& config, unsigned sm, StatGroup& sm_statistics,
                     WarpEvents& events)
    : sm_(sm),
      bank_bytes_(config.shared.bank_bytes),
      shared_latency_(config.shared.latency),
      conflict_interval_(config.shared.conflict_interval),
      conflict_latency_(config.shared.conflict_latency),
      queue_(config.load_store.queue),
      events_(events),
      stats_(sm_statistics, "load_store"),
      coalescer_(config.coalescer, sm_statistics),
      constant_(config.constant, sm_statistics),
      l1_(config.l1, sm, sm_statistics) {}

void LoadStore::issue(unsigned warp, std::uint32_t code, const isa::WarpContext& context) {
  Queued& queued = queue_[(first_ + queued_) % queue_.size()];
  ++queued_;
  ++outstanding_[warp];
  ++stats_.instructions;
  queued.space = context.access.space;
  queued.warp = static_cast<std::uint8_t>(warp);
  queued.code = code;
  queued.passes = queued.sent = queued.transactions = 0;
  switch (queued.space) {
    case Space::shared:
      return queue_shared(queued, context.access);
    case Space::constant:
    case Space::parameter:
      return queue_constant(queued, context.access);
    default:
      return queue_transactions(queued, context);
  }
}

void LoadStore::queue_shared(Queued& queued, const isa::MemoryAccess& access) {
  const unsigned passes = shared_passes(access, bank_bytes_);
  ++stats_.shared_requests;
  stats_.shared_passes += passes;
  queued.passes = passes * conflict_interval_;
  queued.latency = shared_latency_ + (passes - 1) * conflict_latency_;
}

void LoadStore::queue_constant(Queued& queued, const isa::MemoryAccess& access) {
  const ConstantCache::Cost cost = constant_.access(access);
  queued.passes = cost.passes;
  queued.latency = cost.latency + cost.passes - 1;
}

void LoadStore::queue_transactions(Queued& queued, const isa::WarpContext& context) {
  if (queued.space == Space::local) {
    coalesce_local(queued, context);
  } else {
    queued.transactions = coalescer_.coalesce(context.access, queued.transaction.data());
  }
  queued.token = start_access(queued);
}

/// A lane's words lie a line apart, so each word of the access is coalesced on its own.
void LoadStore::coalesce_local(Queued& queued, const isa::WarpContext& context) {
  isa::MemoryAccess word = context.access;
  const unsigned words = std::max(1u, word.bytes / kWordBytes);
  const Address base = local_stretch(sm_, queued.warp);
  word.bytes = kWordBytes;
  for (unsigned w = 0; w < words; ++w) {
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      const Address index = context.access.address[lane] / kWordBytes + w;
      word.address[lane] = base + (index * kWarpSize + lane) * kWordBytes;
    }
    queued.transactions +=
        coalescer_.coalesce(word, queued.transaction.data() + queued.transactions);
  }
}

std::uint32_t LoadStore::start_access(const Queued& queued) {
  std::uint32_t token = free_;
  if (token == kNone) {
    token = static_cast<std::uint32_t>(in_flight_.size());
    in_flight_.push_back({});
  } else {
    free_ = in_flight_[token].next_free;
  }
  in_flight_[token] = {queued.warp, queued.code, queued.transactions, kNone};
  return token;
}

/// One answer; true when it was the last, and the token is free again.
bool LoadStore::answer(std::uint32_t token) {
  InFlight& access = in_flight_[token];
  if (--access.unanswered != 0) return false;
  access.next_free = free_;
  free_ = token;
  return true;
}

/// The first instruction of the queue makes a pass or sends a transaction; when it was the last,
/// the next instruction's turn is in the next cycle.
void LoadStore::send(Cycle now) {
  if (queued_ == 0 || now < passes_until_) return;
  Queued& first = queue_[first_];
  if (first.passes != 0) {
    passes_until_ = now + first.passes;
    events_.put({WarpEvent::Kind::memory_result, first.warp, first.code},
                now + std::min<Cycle>(first.latency - 1, WarpEvents::kSpan - 1));
    return pop();
  }
  if (!l1_.can_accept()) {
    blocked_since_ = std::min(blocked_since_, now);
    return;
  }
  if (blocked_since_ != kNever) stats_.l1_stalls += now - std::exchange(blocked_since_, kNever);
  l1_.accept(first.transaction[first.sent], first.token, now);
  if (++first.sent == first.transactions) pop();
}

Cycle LoadStore::wake() const {
  // A queue that has become blocked runs once more, so that its stall counts from then on.
  const bool waits = queued_ == 0 || (blocked_since_ != kNever && !l1_.can_accept());
  return waits ? l1_.wake() : std::min(passes_until_, l1_.wake());
}

}  // namespace raddle::machine
