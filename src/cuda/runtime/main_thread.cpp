#include "cuda/runtime/main_thread.h"

#include <chrono>
#include <cstdlib>
#include <system_error>
#include <thread>

#include "base/own_threads.h"

namespace raddle::cuda {

void main_thread_ends() {
  try {
    std::thread([] {
      constexpr auto kBetweenLooks = std::chrono::milliseconds(20);
      mark_own_thread();
      while (program_has_threads()) std::this_thread::sleep_for(kBetweenLooks);
      std::exit(0);
    }).detach();
  } catch (const std::system_error&) {
    // Without the thread, the process does not end by itself.
  }
}

}  // namespace raddle::cuda
