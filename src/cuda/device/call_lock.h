// Who of the program's threads is in a call: one at a time, in the order in which they came. The
// one that simulates lets others in between two cycles, so that no call waits for a kernel that it
// does not ask for.
#pragma once

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <vector>

namespace raddle::cuda {

/// A mutex that the thread which holds it may take again. It goes to whoever has waited longest.
class CallLock {
 public:
  void lock();
  /// False when another thread holds it, or waits for it.
  bool try_lock();
  /// False when it was not this thread's turn within `time`: it waits no longer.
  bool try_lock_for(std::chrono::milliseconds time);
  void unlock();

  /// Whether the calling thread holds it. Signal handlers may ask.
  bool held() const;
  /// How many threads wait for it.
  const std::atomic<unsigned>& wanted() const { return wanted_; }

  /// From now on every thread that has waited for its turn for so long calls `tell`, and again after as
  /// long. It is not taken then.
  void at_long_waits(std::chrono::milliseconds time, void (*tell)());

  // By the thread that holds it, which has it again when they return.
  /// All threads that wait now have it before.
  void let_in();
  /// Waits until another thread calls wake_all(), and for its turn.
  void sleep();
  /// Threads that sleep have their turns, as if they came now.
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
  std::atomic<pthread_t> holder_{};  // 0: nobody
  unsigned depth_ = 0;               // of the holder
  std::chrono::milliseconds long_wait_{0};
  void (*tell_long_wait_)() = nullptr;
};

}  // namespace raddle::cuda
