#include "machine/phase_pool.h"
#include "base/own_threads.h"

#include <utility>

namespace raddle::machine {
namespace {

/// About a tenth of a millisecond.
constexpr unsigned kSpins = 3000;

/// Tells the host's core that this is a spinning loop.
void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

PhasePool::PhasePool(unsigned threads) : shares_(threads) {
  for (unsigned share = 1; share < threads; ++share) {
    threads_.emplace_back([this, share] {
      mark_own_thread();
      serve(share);
    });
  }
}

PhasePool::~PhasePool() {
  stop_ = true;
  announced_.fetch_add(1);
  announced_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void PhasePool::clear() {
  for (Share& share : shares_) share.items.clear();
  size_ = 0;
}

void PhasePool::start_phase() {
  ++phase_;
  done_.store(0, std::memory_order_relaxed);
  for (Share& share : shares_) {
    share.ticket.store(std::uint64_t{phase_} << kPhaseShift | share.items.size() << kEndShift,
                       std::memory_order_release);
  }
  announced_.store(phase_);
  if (sleepers_.load() != 0) announced_.notify_all();
}

/// Takes items of this phase until none is left, first from the given share. Returns their number.
std::size_t PhasePool::carry_out(unsigned first_share, std::uint32_t phase) {
  std::size_t taken = 0;
  for (unsigned n = 0; n < shares(); ++n) {
    taken += empty_share(shares_[(first_share + n) % shares()], phase);
  }
  return taken;
}

std::size_t PhasePool::empty_share(Share& share, std::uint32_t phase) {
  std::size_t taken = 0;
  std::uint64_t ticket = share.ticket.load(std::memory_order_acquire);
  while (ticket >> kPhaseShift == phase &&
         (ticket & kIndexMask) < (ticket >> kEndShift & kIndexMask)) {
    if (!share.ticket.compare_exchange_weak(ticket, ticket + 1, std::memory_order_acq_rel)) {
      continue;
    }
    // The phase cannot end before this item, so its work and its list do not change.
    call(share.items[ticket & kIndexMask]);
    ++taken;
    ticket = share.ticket.load(std::memory_order_acquire);
  }
  return taken;
}

/// Keeps the first exception for the caller: it must not leave a thread, or the phase before the
/// other items have ended.
void PhasePool::call(unsigned item) noexcept {
  try {
    call_(work_, item);
  } catch (...) {
    if (!failed_.exchange(true)) failure_ = std::current_exception();
  }
}

void PhasePool::rethrow() {
  failed_ = false;
  std::rethrow_exception(std::exchange(failure_, nullptr));
}

void PhasePool::await_others(std::size_t theirs) {
  for (unsigned spin = 0; done_.load(std::memory_order_acquire) != theirs; ++spin) {
    spin < kSpins ? relax() : std::this_thread::yield();
  }
}

/// Waits for the phase after `seen` and returns it.
std::uint32_t PhasePool::await_phase(std::uint32_t seen) {
  std::uint32_t phase = announced_.load(std::memory_order_acquire);
  for (unsigned spin = 0; phase == seen; ++spin) {
    if (spin < kSpins) {
      relax();
    } else {
      sleepers_.fetch_add(1);
      announced_.wait(seen);
      sleepers_.fetch_sub(1);
    }
    phase = announced_.load(std::memory_order_acquire);
  }
  return phase;
}

void PhasePool::serve(unsigned share) {
  for (std::uint32_t phase = 0;;) {
    phase = await_phase(phase);
    if (stop_) return;
    const std::size_t taken = carry_out(share, phase);
    if (taken != 0) done_.fetch_add(taken, std::memory_order_release);
  }
}

}  // namespace raddle::machine
