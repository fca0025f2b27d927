#include "cuda/runtime/signal_actions.h"

/// The C library's own name for it, which no other library defines.
extern "C" int __sigaction(int signal, const struct sigaction* action, struct sigaction* before);

namespace raddle::cuda {

int system_sigaction(int signal, const struct sigaction* action, struct sigaction* before) {
  return __sigaction(signal, action, before);
}

void set_default_action(int signal) {
  struct sigaction action{};
  action.sa_handler = SIG_DFL;
  system_sigaction(signal, &action, nullptr);
}

}  // namespace raddle::cuda
