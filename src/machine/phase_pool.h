// Host threads that carry out one phase of a cycle together.
#pragma once

#include <atomic>
#include <thread>
#include <vector>

namespace raddle::machine {

/// run(work) calls work(part) for each part in [0, parts), one thread a part, and returns when all
/// have returned. Between phases the threads spin for a while and then sleep, since a phase comes
/// every few microseconds while the GPU is busy.
class PhasePool {
 public:
  explicit PhasePool(unsigned parts);
  ~PhasePool();

  unsigned parts() const { return static_cast<unsigned>(threads_.size()) + 1; }

  template <class Work>
  void run(Work& work) {
    call_ = [](void* what, unsigned part) { (*static_cast<Work*>(what))(part); };
    work_ = &work;
    start_phase();
    work(0u);
    await_others();
  }

 private:
  void start_phase();
  void await_others();
  void serve(unsigned part);

  void (*call_)(void*, unsigned) = nullptr;
  void* work_ = nullptr;
  std::atomic<std::uint32_t> phase_{0};       // counts phases; the threads wait for its change
  std::atomic<std::uint32_t> unfinished_{0};  // threads that have not ended the phase
  std::atomic<bool> stop_{false};
  std::vector<std::thread> threads_;
};

}  // namespace raddle::machine
