// Host threads that carry out one phase of a cycle together.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <thread>
#include <vector>

namespace raddle::machine {

/// A phase is a set of items. Each item belongs to the share of one thread, so that a thread
/// usually gets the same items again and has their state in its cache. A thread that has finished
/// its share takes items of other shares. Thus a phase never waits for a thread that the host has
/// not scheduled, and a phase with little work costs the caller little. Any thread may carry out
/// any item: the items of a phase touch no common data.
///
/// Between phases the threads spin for a while and then sleep, since a phase comes every few
/// microseconds while the GPU is busy.
class PhasePool {
 public:
  explicit PhasePool(unsigned threads);
  ~PhasePool();

  unsigned shares() const { return static_cast<unsigned>(threads_.size()) + 1; }
  /// The share of `item`, out of `items` items; neighbours are in the same share.
  unsigned share_of(unsigned item, unsigned items) const { return item * shares() / items; }

  /// Empties the phase; then add() fills it, then run() or run_alone() carries it out.
  void clear();
  void add(unsigned share, unsigned item) {
    shares_[share].items.push_back(item);
    ++size_;
  }
  std::size_t size() const { return size_; }

  /// Calls work(item) once for each item, and returns when all calls have returned. If a call
  /// throws, run() throws that exception afterwards.
  template <class Work>
  void run(Work& work) {
    call_ = [](void* what, unsigned item) { (*static_cast<Work*>(what))(item); };
    work_ = &work;
    start_phase();
    const std::size_t mine = carry_out(0, phase_);
    await_others(size_ - mine);
    if (failed_.load(std::memory_order_relaxed)) rethrow();
  }
  /// The same on this thread only, in the order of the shares.
  template <class Work>
  void run_alone(Work& work) {
    for_each(work);
  }
  /// Calls visit(item) for each item, in the order of the shares.
  template <class Visit>
  void for_each(Visit&& visit) {
    for (const Share& share : shares_) {
      for (const unsigned item : share.items) visit(item);
    }
  }

 private:
  /// A share's items, and its ticket. The ticket has the phase, the end of the share and the next
  /// item to be taken in one word, so that a late thread cannot take an item from the following
  /// phase.
  struct alignas(64) Share {
    std::atomic<std::uint64_t> ticket{0};
    std::vector<unsigned> items;
  };
  static constexpr unsigned kEndShift = 16, kPhaseShift = 32;
  static constexpr std::uint64_t kIndexMask = 0xffff;

  void start_phase();
  std::size_t carry_out(unsigned first_share, std::uint32_t phase);
  std::size_t empty_share(Share& share, std::uint32_t phase);
  void call(unsigned item) noexcept;
  void await_others(std::size_t theirs);
  [[noreturn]] void rethrow();
  std::uint32_t await_phase(std::uint32_t seen);
  void serve(unsigned share);

  std::vector<Share> shares_;
  std::size_t size_ = 0;
  void (*call_)(void*, unsigned) = nullptr;
  void* work_ = nullptr;
  std::uint32_t phase_ = 0;
  alignas(64) std::atomic<std::uint32_t> announced_{0};  // the phase; threads wait for a change
  std::atomic<std::uint32_t> sleepers_{0};
  std::atomic<bool> stop_{false};
  alignas(64) std::atomic<std::size_t> done_{0};  // items that other threads have carried out
  std::atomic<bool> failed_{false};
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

}  // namespace raddle::machine
