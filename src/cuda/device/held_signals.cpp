#include "cuda/device/held_signals.h"

#include <pthread.h>

#include <initializer_list>

namespace raddle::cuda {
namespace {

const sigset_t& held() {
  static const sigset_t set = [] {
    sigset_t all;
    sigfillset(&all);
    for (const int signal :
         {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS, SIGABRT, SIGQUIT, SIGPROF}) {
      sigdelset(&all, signal);
    }
    return all;
  }();
  return set;
}

}  // namespace

HeldSignals::HeldSignals() { pthread_sigmask(SIG_BLOCK, &held(), &before_); }

HeldSignals::~HeldSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

void HeldSignals::let_in() const {
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  pthread_sigmask(SIG_BLOCK, &held(), nullptr);
}

}  // namespace raddle::cuda
