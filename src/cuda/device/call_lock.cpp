#include "cuda/device/call_lock.h"

#include <utility>

#include "base/own_threads.h"

namespace raddle::cuda {

bool CallLock::held() const {
  const pthread_t holder = holder_.load();
  return holder != pthread_t{} && pthread_equal(holder, pthread_self()) != 0;
}

void CallLock::lock() {
  if (held()) {
    ++depth_;
    return;
  }
  std::unique_lock inner(inner_);
  if (taken_) {
    Waiter mine;
    queue_.push_back(&mine);
    ++wanted_;
    wait_for_turn(inner, mine);
  }
  take(1);
}

bool CallLock::try_lock() {
  if (held()) {
    ++depth_;
    return true;
  }
  const std::lock_guard inner(inner_);
  if (taken_) return false;
  take(1);
  return true;
}

bool CallLock::try_lock_for(std::chrono::milliseconds time) {
  if (try_lock()) return true;
  std::unique_lock inner(inner_);
  if (taken_) {
    Waiter mine;
    queue_.push_back(&mine);
    ++wanted_;
    if (!turn_.wait_for(inner, time, [&] { return mine.turn; })) {
      std::erase(queue_, &mine);
      --wanted_;
      return false;
    }
  }
  take(1);
  return true;
}

void CallLock::unlock() {
  if (--depth_ != 0) return;
  const std::lock_guard inner(inner_);
  pass_on();
}

void CallLock::let_in() {
  std::unique_lock inner(inner_);
  if (queue_.empty()) return;
  const unsigned depth = depth_;
  Waiter mine;
  queue_.push_back(&mine);
  ++wanted_;
  pass_on();
  wait_for_turn(inner, mine);
  take(depth);
}

void CallLock::sleep() {
  std::unique_lock inner(inner_);
  const unsigned depth = depth_;
  Waiter mine;
  sleepers_.push_back(&mine);
  note_waiting_threads(1);
  pass_on();
  wait_for_turn(inner, mine);
  take(depth);
}

void CallLock::wake_all() {
  const std::lock_guard inner(inner_);
  if (sleepers_.empty()) return;
  note_waiting_threads(-static_cast<int>(sleepers_.size()));
  queue_.insert(queue_.end(), sleepers_.begin(), sleepers_.end());
  wanted_ += static_cast<unsigned>(sleepers_.size());
  sleepers_.clear();
}

void CallLock::at_long_waits(std::chrono::milliseconds time, void (*tell)()) {
  const std::lock_guard inner(inner_);
  long_wait_ = time;
  tell_long_wait_ = tell;
}

void CallLock::wait_for_turn(std::unique_lock<std::mutex>& inner, Waiter& mine) {
  const auto is_mine = [&] { return mine.turn; };
  while (tell_long_wait_ != nullptr && !turn_.wait_for(inner, long_wait_, is_mine)) {
    inner.unlock();
    tell_long_wait_();
    inner.lock();
  }
  turn_.wait(inner, is_mine);
}

void CallLock::take(unsigned depth) {
  taken_ = true;
  holder_ = pthread_self();
  depth_ = depth;
}

/// The lock stays taken while there is a next thread, whose turn it then is.
void CallLock::pass_on() {
  holder_ = pthread_t{};
  depth_ = 0;
  taken_ = !queue_.empty();
  if (!taken_) return;
  queue_.front()->turn = true;
  queue_.pop_front();
  --wanted_;
  turn_.notify_all();
}

}  // namespace raddle::cuda
