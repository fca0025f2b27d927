#include "machine/phase_pool.h"

namespace raddle::machine {
namespace {

constexpr unsigned kSpins = 20000;

}  // namespace

PhasePool::PhasePool(unsigned parts) {
  for (unsigned part = 1; part < parts; ++part) {
    threads_.emplace_back([this, part] { serve(part); });
  }
}

PhasePool::~PhasePool() {
  stop_ = true;
  start_phase();
  for (std::thread& thread : threads_) thread.join();
}

void PhasePool::start_phase() {
  unfinished_.store(static_cast<std::uint32_t>(threads_.size()), std::memory_order_relaxed);
  phase_.fetch_add(1, std::memory_order_release);
  phase_.notify_all();
}

void PhasePool::await_others() {
  for (unsigned spin = 0; unfinished_.load(std::memory_order_acquire) != 0; ++spin) {
    if (spin > kSpins) std::this_thread::yield();
  }
}

void PhasePool::serve(unsigned part) {
  std::uint32_t seen = 0;
  while (true) {
    for (unsigned spin = 0; phase_.load(std::memory_order_acquire) == seen; ++spin) {
      if (spin > kSpins) phase_.wait(seen, std::memory_order_acquire);
    }
    ++seen;
    if (stop_) return;
    call_(work_, part);
    unfinished_.fetch_sub(1, std::memory_order_release);
  }
}

}  // namespace raddle::machine
