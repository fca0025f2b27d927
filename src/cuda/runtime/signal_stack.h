// A separate stack for a thread's signal handlers: the stack of the thread may have overflowed.
#pragma once

#include <sys/mman.h>

#include <csignal>

namespace raddle::cuda {

/// As long as the object lives, its thread has such a stack. A stack that the program has set
/// itself stays.
class SignalStack {
 public:
  SignalStack() {
    stack_t now{};
    if (sigaltstack(nullptr, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0) return;
    void* const place =
        mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED) return;
    const stack_t ours{.ss_sp = place, .ss_flags = 0, .ss_size = kBytes};
    if (sigaltstack(&ours, nullptr) == 0) place_ = place;
  }
  ~SignalStack() {
    stack_t now{};
    if (place_ == nullptr) return;
    if (sigaltstack(nullptr, &now) != 0 || now.ss_sp != place_) return;
    const stack_t none{.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
    if (sigaltstack(&none, nullptr) == 0) munmap(place_, kBytes);
  }
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;

 private:
  static constexpr std::size_t kBytes = 64 << 10;
  void* place_ = nullptr;
};

}  // namespace raddle::cuda
