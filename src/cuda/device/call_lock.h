// The lock of API calls: one thread of the program is in a call at a time, in the order of arrival.
// The thread that simulates lets others in between two cycles, so that no call waits for a kernel
// that it does not ask for.
#pragma once

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <vector>

namespace raddle::cuda {

/// A mutex that its holder may take again. The thread that has waited longest gets it next.
class CallLock {
 public:
  void lock();
  /// False when another thread holds it, or waits for it.
  bool try_lock();
  /// False when it was not this thread's turn within `time`; the thread then stops waiting.
  bool try_lock_for(std::chrono::milliseconds time);
  void unlock();

  /// Whether the calling thread holds it. Signal handlers may ask.
  bool held() const;
  /// How many threads wait for it.
  const std::atomic<unsigned>& wanted() const { return wanted_; }

  /// From this call on, every thread that has waited `time` for its turn calls `tell`, and again
  /// after each further `time`. The thread does not hold the lock then.
  void at_long_waits(std::chrono::milliseconds time, void (*tell)());

  // Called by the thread that holds the lock. It holds the lock again when they return.
  /// Lets all threads that wait now have the lock first.
  void let_in();
  /// Waits until another thread calls wake_all(), and for its turn.
  void sleep();
  /// Threads that sleep get their turns, as if they arrived now.
  void wake_all();

 private:
  struct Waiter {
    bool turn = false;
  };
  void wait_for_turn(std::unique_lock<std::mutex>& inner, Waiter& mine);
  void take(unsigned depth);
  void pass_on();

  std::mutex inner_;
  std::condition_variable turn_;
  std::deque<Waiter*> queue_;
  std::vector<Waiter*> sleepers_;
  std::atomic<unsigned> wanted_{0};  // the size of queue_
  bool taken_ = false;
  std::atomic<pthread_t> holder_{};  // 0: no thread
  unsigned depth_ = 0;               // of the holder
  std::chrono::milliseconds long_wait_{0};
  void (*tell_long_wait_)() = nullptr;
};

}  // namespace raddle::cuda
