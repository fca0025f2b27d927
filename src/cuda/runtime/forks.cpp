#include "cuda/runtime/forks.h"

#include <pthread.h>

#include <atomic>

#include "base/print_error.h"

namespace raddle::cuda {
namespace {

std::atomic<bool> g_forked{false};
std::atomic<bool> g_told{false};

}  // namespace

void watch_forks() {
  pthread_atfork(nullptr, nullptr, [] { g_forked = true; });
}

bool is_forked_child() { return g_forked.load(std::memory_order_relaxed); }

void tell_forked_child() {
  if (!g_told.exchange(true)) {
    print_error(
        "raddle: a child by fork() of a process that has used CUDA calls CUDA, which is an error "
        "(cudaErrorInitializationError): fork before the first call, or execute a program\n");
  }
}

}  // namespace raddle::cuda
