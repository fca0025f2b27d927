// Tasks on threads of the CPU: the way of programs that use no GPU (Pagoda's baseline of PThreads,
// section 6.2).
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace raddle::tasks::detail {

/// Runs tasks on `threads` threads, each as soon as those have ended that it waits for. `left[t]`:
/// how many those are; `next[t]`: the tasks that wait for t. Returns when all have ended.
class CpuPool {
 public:
  CpuPool(std::vector<unsigned> left, const std::vector<const std::vector<unsigned>*>& next,
          std::function<void(unsigned)> run)
      : left_(std::move(left)), next_(next), run_(std::move(run)), unfinished_(left_.size()) {
    for (unsigned task = 0; task < left_.size(); ++task) {
      if (left_[task] == 0) ready_.push_back(task);
    }
  }
  void run(unsigned threads) {
    std::vector<std::thread> workers;
    for (unsigned n = 0; n < threads; ++n) workers.emplace_back([this] { work(); });
    for (std::thread& worker : workers) worker.join();
  }

 private:
  void work() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return taken_ != ready_.size() || unfinished_ == 0; });
      if (unfinished_ == 0) return;
      const unsigned task = ready_[taken_++];
      lock.unlock();
      run_(task);
      lock.lock();
      --unfinished_;
      for (unsigned after : *next_[task]) {
        if (--left_[after] == 0) ready_.push_back(after);
      }
      changed_.notify_all();
    }
  }

  std::vector<unsigned> left_;
  std::vector<const std::vector<unsigned>*> next_;
  std::function<void(unsigned)> run_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<unsigned> ready_;  // in the order in which they became so
  std::size_t taken_ = 0, unfinished_;
};

}  // namespace raddle::tasks::detail
