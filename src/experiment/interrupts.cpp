#include "experiment/interrupts.h"

namespace raddle::experiment {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

volatile std::sig_atomic_t g_interrupted = 0;
void interrupt(int) { g_interrupted = 1; }

}  // namespace

CatchInterrupts::CatchInterrupts() {
  g_interrupted = 0;
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], nullptr, &before_[i]);
    if (before_[i].sa_handler == SIG_IGN) continue;
    struct sigaction noting{};
    noting.sa_handler = interrupt;
    sigaction(kSignals[i], &noting, nullptr);
  }
}

CatchInterrupts::~CatchInterrupts() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
}

bool CatchInterrupts::came() const { return g_interrupted != 0; }

}  // namespace raddle::experiment
