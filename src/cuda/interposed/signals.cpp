// The program's actions for signals. When it asks for the default action of a signal that ends the
// process, our handler (runtime/endings.h) takes its place and writes the results of the run first.
// Programs see our handler as the default action.
#include <dlfcn.h>

#include <csignal>

#include "cuda/runtime/endings.h"
#include "cuda/runtime/signal_actions.h"

namespace {

using Signal = sighandler_t (*)(int, sighandler_t) noexcept;
Signal g_own_signal = nullptr;

/// Runs before any call of signal(): signal handlers may not look a symbol up.
__attribute__((constructor)) void find_signal() {
  g_own_signal = reinterpret_cast<Signal>(dlsym(RTLD_NEXT, "signal"));
}

}  // namespace

extern "C" {

int sigaction(int signal, const struct sigaction* action, struct sigaction* before) noexcept {
  struct sigaction ours{};
  const bool to_default = action != nullptr && action->sa_handler == SIG_DFL;
  if (to_default && raddle::cuda::action_of_endings(signal, ours)) action = &ours;
  const int result = raddle::cuda::system_sigaction(signal, action, before);
  if (result == 0 && before != nullptr && raddle::cuda::is_of_endings(*before)) {
    *before = {};
    before->sa_handler = SIG_DFL;
  }
  return result;
}

sighandler_t signal(int signal, sighandler_t handler) noexcept {
  struct sigaction ours{}, before{};
  if (handler == SIG_DFL && raddle::cuda::action_of_endings(signal, ours)) {
    if (raddle::cuda::system_sigaction(signal, &ours, &before) != 0) return SIG_ERR;
    return raddle::cuda::is_of_endings(before) ? SIG_DFL : before.sa_handler;
  }
  if (g_own_signal == nullptr) find_signal();
  raddle::cuda::system_sigaction(signal, nullptr, &before);
  const sighandler_t result = g_own_signal(signal, handler);
  return result != SIG_ERR && raddle::cuda::is_of_endings(before) ? SIG_DFL : result;
}

}  // extern "C"
