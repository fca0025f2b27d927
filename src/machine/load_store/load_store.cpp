#include "machine/load_store/load_store.h"

#include <algorithm>
#include <utility>

#include "isa/block_context.h"
#include "isa/form.h"
#include "isa/global_port.h"
#include "machine/coalescer/config.h"
#include "machine/l1/config.h"
#include "machine/load_store/config.h"
#include "machine/load_store/shared_banks.h"
#include "memory/address_space.h"

namespace raddle::machine {
namespace {

using Space = isa::MemoryAccess::Space;

/// Addresses of local memory in the caches. Word w of the 32 threads of a warp is contiguous, so a
/// warp that accesses one offset touches one line (CUDA C Programming Guide, "Local Memory"). Each
/// warp slot has an address range of its own, which moves with its warp. The ranges start in
/// different cache sets.
constexpr Address kLocalStretch = (Address{1} << 24) + 37 * 128;
constexpr unsigned kWordBytes = 4;

Address local_stretch(std::uint32_t number) {
  return memory::kLocalWindow + Address{number} * kLocalStretch;
}

}  // namespace

LoadStore::LoadStore(const GpuConfig& config, unsigned sm, StatGroup& sm_statistics,
                     WarpEvents& events, HostClock& host_clock)
    : mode_bytes_(config.shared.mode_bytes),
      bank_bytes_(config.shared.bank_bytes),
      shared_latency_(config.shared.latency),
      conflict_interval_(config.shared.conflict_interval),
      conflict_latency_(config.shared.conflict_latency),
      atomic_latency_(config.shared.atomic_latency),
      atomic_conflict_latency_(config.shared.atomic_conflict_latency),
      atomic_passes_(config.shared.atomic_passes),
      swap_delay_(config.shared.swap_delay),
      paired_lanes_(config.shared.paired_lanes),
      l1_in_banks_(config.l1.shared_banks),
      read_only_global_(config.read_only.cache_global_nc),
      queue_(config.load_store.queue),
      background_(config.load_store.background_queue),
      capacity_(config.load_store.queue),
      background_patience_(config.load_store.background_patience),
      fence_latency_(config.load_store.fence_latency),
      fences_invalidate_(config.load_store.fences_invalidate),
      events_(events),
      host_clock_(host_clock),
      stats_(sm_statistics.unit<LoadStoreStats>("load_store")),
      coalescer_(config.coalescer, sm_statistics),
      constant_(config.constant, sm_statistics),
      port_(config.l1.request_queue, config.l1.reply_queue),
      l1_(config.l1, sm, port_, sm_statistics),
      constant_l15_(config.constant_l15, CacheId::constant, sm, port_, sm_statistics),
      carve_outs_(carve_outs(config.l1)),
      l1_way_bytes_(config.l1.sets * kLineBytes),
      l1_ways_(config.l1.ways) {
  for (unsigned warp = 0; warp < kMaxWarps; ++warp) stretches_[warp] = first_stretch(sm) + warp;
  if (config.read_only.sets != 0) {
    read_only_.emplace(config.read_only, CacheId::read_only, sm, port_, sm_statistics);
  }
}

void LoadStore::count_lookups() {
  if (watch_ != nullptr) return;
  watch_ = std::make_unique<L1Watch<std::vector<InFlight>>>(in_flight_, l1_.slots());
  l1_.watch(*watch_);
}

void LoadStore::add_listener(L1Listener& listener) {
  if (!listener.watches_l1()) return;
  count_lookups();
  watch_->add(listener);
}

void LoadStore::invalidate() {
  l1_.invalidate();
  if (read_only_) read_only_->invalidate();
  constant_l15_.invalidate();
  constant_.invalidate();
}

void LoadStore::flush() {
  invalidate();
  l1_.flush();
}

void LoadStore::reserve_shared(std::uint32_t bytes) {
  if (carve_outs_.empty()) return;
  const auto enough = std::lower_bound(carve_outs_.begin(), carve_outs_.end(), bytes);
  const unsigned taken = enough == carve_outs_.end() ? carve_outs_.back() : *enough;
  l1_.use_ways(l1_ways_ - (taken + l1_way_bytes_ - 1) / l1_way_bytes_);
}

void LoadStore::give_up_stretch(unsigned warp, std::vector<DirtyLine>& dirty) {
  const Address first = local_stretch(stretches_[warp]);
  l1_.give_up(first, first + kLocalStretch, dirty);
}

LoadStore::Queued& LoadStore::next_queued(PathId path, std::uint32_t code) {
  Queued& queued = queue_[(first_ + queued_) % capacity_];
  ++queued_;
  queued.path = path;
  queued.code = code;
  queued.own = false;
  queued.client = nullptr;
  queued.cache = CacheId::l1;
  queued.passes = queued.sent = queued.transactions = 0;
  return queued;
}

LoadStore::Cost LoadStore::issue(PathId path, std::uint32_t code, const isa::WarpContext& context) {
  Queued& queued = next_queued(path, code);
  expect(path);
  ++stats_.instructions;
  queued.space = context.access.space;
  switch (queued.space) {
    case Space::shared:
      return {queue_shared(queued, context.access), 0};
    case Space::constant:
    case Space::parameter:
      queue_constant(queued, context);
      return {};
    default:
      queue_transactions(queued, context);
      return {0, queued.transactions};
  }
}

unsigned LoadStore::queue_shared(Queued& queued, const isa::MemoryAccess& access) {
  const unsigned passes = shared_passes(access, bank_bytes_, paired_lanes_, mode_bytes_);
  ++stats_.shared_requests;
  stats_.shared_passes += passes;
  if (is_atomic(access.type)) {
    queued.passes = passes * conflict_interval_ * atomic_passes_;
    queued.latency = atomic_latency_ + (passes - 1) * atomic_conflict_latency_;
  } else {
    queued.passes = passes * conflict_interval_;
    queued.latency = shared_latency_ + (passes - 1) * conflict_latency_;
    if (access.joined) queued.latency += swap_delay_;
  }
  return passes;
}

void LoadStore::queue_constant(Queued& queued, const isa::WarpContext& context) {
  const Address parameters = context.access.space == isa::MemoryAccess::Space::parameter
                                 ? context.block->grid->parameters_at
                                 : 0;
  const ConstantCache::Cost cost =
      constant_.access(context.access, parameters, queued.transaction.data());
  queued.passes = cost.passes;
  queued.latency = cost.latency + cost.passes - 1;
  if (cost.missing == 0) return;
  queued.cache = CacheId::constant;
  queued.transactions = cost.missing;
  queued.token = start_access(queued, context.now);
  constant_.expect(queued.token);
}

void LoadStore::queue_transactions(Queued& queued, const isa::WarpContext& context) {
  if (queued.space == Space::local) {
    coalesce_local(queued, context);
  } else {
    queued.transactions = coalescer_.coalesce(context.access, queued.transaction.data());
    if (goes_to_read_only(context.access)) {
      queued.cache = CacheId::read_only;
    } else if (l1_in_banks_ && (queued.transactions > 1 || conflict_interval_ > 1) &&
               !is_atomic(context.access.type)) {
      queued.passes = conflict_interval_ *
                      shared_passes(context.access, bank_bytes_, paired_lanes_, mode_bytes_);
    }
  }
  queued.token = start_access(queued, context.now);
}

bool LoadStore::goes_to_read_only(const isa::MemoryAccess& access) const {
  return read_only_ && read_only_global_ && access.type == AccessType::load &&
         access.cache == static_cast<std::uint8_t>(isa::CacheOperator::nc);
}

LoadStore::Cost LoadStore::issue_for(AccessClient& client, PathId path, std::uint32_t code,
                                     const Transaction* transactions, unsigned count,
                                     CacheId cache) {
  Queued& queued = next_queued(path, code);
  expect(path);
  ++stats_.instructions;
  queued.space = Space::none;
  queued.client = &client;
  if (cache != CacheId::read_only || read_only_) queued.cache = cache;
  queued.transactions = count;
  std::copy_n(transactions, count, queued.transaction.data());
  queued.token = start_access(queued, now_);
  return {0, count};
}

void LoadStore::post(AccessClient& client, std::uint32_t tag, const isa::MemoryAccess& access,
                     bool background) {
  const std::size_t next = (background_first_ + background_queued_) % background_.size();
  Queued& queued = background ? background_[next] : next_queued(0, tag);
  if (background) {
    queued.due = now_ + background_patience_;
    if (background_queued_++ == 0) background_due_ = queued.due;
  }
  queued.space = access.space;
  queued.code = tag;
  queued.own = true;
  queued.client = &client;
  queued.sent = 0;
  queued.transactions = coalescer_.coalesce(access, queued.transaction.data());
  queued.token = start_access(queued, now_);
  ++posted_;
}

/// A client's access has been answered. Returns true if it was an instruction of a path that is
/// complete now.
bool LoadStore::hand_over(InFlight access, Cycle now) {
  if (access.own) {
    --posted_;
    access.client->returned(access.code, now);
    return false;
  }
  const Cycle done = access.client->data_came(access.path, access.code, now);
  if (done == now) return true;
  events_.put({WarpEvent::Kind::memory_result, access.path, access.code},
              std::min<Cycle>(done, now + WarpEvents::kSpan - 1));
  return false;
}

/// The words of one lane are a line apart, so each word of the access is coalesced separately.
void LoadStore::coalesce_local(Queued& queued, const isa::WarpContext& context) {
  isa::MemoryAccess word = context.access;
  const unsigned words = std::max(1u, word.bytes / kWordBytes);
  const Address base = local_stretch(stretches_[warp_of(queued.path)]);
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

std::uint32_t LoadStore::start_access(const Queued& queued, Cycle now) {
  std::uint32_t token = free_;
  if (token == kNone) {
    token = static_cast<std::uint32_t>(in_flight_.size());
    in_flight_.push_back({});
  } else {
    free_ = in_flight_[token].next_free;
  }
  in_flight_[token] = {queued.path, queued.cache,  queued.own, queued.code, queued.transactions,
                       kNone,       queued.client, now,        kNone};
  in_side_caches_ += queued.cache != CacheId::l1;
  if (arrivals_ != nullptr) [[unlikely]]
    track(token, queued);
  return token;
}

/// Tracks an access of a path whose data arrive lane by lane.
void LoadStore::track(std::uint32_t token, const Queued& queued) {
  const bool by_lane = !queued.own && queued.client == nullptr &&
                       queued.cache != CacheId::constant && queued.transactions != 0 &&
                       returns_data(queued.transaction[0].type);
  if (!by_lane) return;
  arrivals_->begin(token, queued.path, queued.code, queued.transaction.data(), queued.transactions);
}

bool LoadStore::leave_stores(unsigned warp, std::uint64_t grid) {
  // There are few such accesses. The search ends with the last of them, because it runs at the end
  // of each warp.
  const std::uint32_t wanted = outstanding_[warp];
  stores_found_.clear();
  for (std::uint32_t n = 0; n < in_flight_.size() && stores_found_.size() < wanted; ++n) {
    const InFlight& access = in_flight_[n];
    if (access.unanswered != 0 && access.left == kNone && !access.own && access.client == nullptr &&
        warp_of(access.path) == warp) {
      stores_found_.push_back(n);
    }
  }
  if (stores_found_.size() != wanted) return false;
  const std::uint32_t entry = stores_left_.entry(grid);
  for (const std::uint32_t token : stores_found_) {
    in_flight_[token].left = entry;
    stores_left_.add(entry);
  }
  outstanding_[warp] = 0;
  for (unsigned path = 0; path < kMostPaths; ++path) {
    outstanding_of_path_[path_id(warp, path)] = 0;
  }
  return true;
}

/// Counts one answer. Returns true when it was the last; then the token is free again.
bool LoadStore::answer(std::uint32_t token, Cycle now) {
  InFlight& access = in_flight_[token];
  if (--access.unanswered != 0) return false;
  if (access.issued != kNever) stats_.latency.add(now - access.issued);
  in_side_caches_ -= access.cache != CacheId::l1;
  if (access.cache == CacheId::constant) constant_.fill(token);
  access.next_free = free_;
  free_ = token;
  return true;
}

/// The first instruction of the queue makes its passes or sends transactions. After its last
/// transaction, the next instruction starts in the next cycle, or when the passes are over.
void LoadStore::send(Cycle now) {
  if (queued_ == 0 || now >= background_due_) [[unlikely]] {
    send_background(now);
    if (queued_ == 0) return;
  }
  Queued& first = queue_[first_];
  if (first.sent == 0 && now < passes_until_) return;
  if (first.transactions != 0) return send_transactions(first, now);
  passes_until_ = now + first.passes;
  result_at(now + first.latency - 1, first, now);
  pop();
}

void LoadStore::result_at(Cycle at, const Queued& queued, Cycle now) {
  if (at - now < WarpEvents::kSpan) {
    events_.put({WarpEvent::Kind::memory_result, queued.path, queued.code}, at);
  } else {
    late_.push_back({at, queued.path, queued.code});
    note_next_late();
  }
}

void LoadStore::note_next_late() {
  next_late_ = kNever;
  for (const Late& late : late_) next_late_ = std::min(next_late_, late.at);
}

void LoadStore::send_transactions(Queued& first, Cycle now) {
  L1& cache = this->cache(first.cache);
  if (!cache.can_accept()) {
    blocked_since_ = std::min(blocked_since_, now);
    return;
  }
  if (blocked_since_ != kNever) stats_.l1_stalls += now - std::exchange(blocked_since_, kNever);
  if (first.sent == 0) passes_until_ = now + first.passes;
  for (unsigned n = 0; n < cache.lookups() && cache.can_accept(); ++n) {
    const std::uint32_t which = arrivals_ == nullptr ? 0 : first.sent << kAccessBits;
    cache.accept(first.transaction[first.sent], first.token | which, now);
    if (++first.sent == first.transactions) return pop();
  }
}

/// Sends a transaction of a unit in a cycle that no instruction uses. The cache must be quiet, so
/// that the next instruction does not wait behind it. A transaction that is due does not wait for a
/// quiet cache.
void LoadStore::send_background(Cycle now) {
  if (background_queued_ == 0 || now < passes_until_) return;
  if (now < background_due_ ? !l1_.quiet() : !l1_.can_accept()) return;
  Queued& first = background_[background_first_];
  l1_.accept(first.transaction[first.sent], first.token, now);
  ++stats_.background;
  if (++first.sent != first.transactions) return;
  background_first_ = (background_first_ + 1) % static_cast<unsigned>(background_.size());
  --background_queued_;
  background_due_ = background_queued_ == 0 ? kNever : background_[background_first_].due;
}

Cycle LoadStore::wake() const {
  Cycle wake = std::min(l1_.wake(), next_late_);
  if (in_side_caches_ != 0) {
    if (read_only_) wake = std::min(wake, read_only_->wake());
    wake = std::min(wake, constant_l15_.wake());
  }
  if (background_queued_ != 0) {
    const Cycle from = queued_ == 0 && l1_.quiet() ? 0 : background_due_;
    wake = std::min(wake, std::max(from, passes_until_));
  }
  if (queued_ == 0) return wake;
  const Queued& first = queue_[first_];
  // A queue that has become blocked runs once more, to count its stall from then on.
  if (blocked_since_ != kNever && !cache(first.cache).can_accept()) return wake;
  return first.sent != 0 ? 0 : std::min(wake, passes_until_);
}

}  // namespace raddle::machine
