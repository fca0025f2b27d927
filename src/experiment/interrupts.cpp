#include "experiment/interrupts.h"

#include <csignal>

namespace raddle::experiment {
namespace {

volatile std::sig_atomic_t g_interrupted = 0;
void interrupt(int) { g_interrupted = 1; }

}  // namespace

CatchInterrupts::CatchInterrupts() {
  g_interrupted = 0;
  before_int_ = std::signal(SIGINT, interrupt);
  before_term_ = std::signal(SIGTERM, interrupt);
}

CatchInterrupts::~CatchInterrupts() {
  std::signal(SIGINT, before_int_);
  std::signal(SIGTERM, before_term_);
}

bool CatchInterrupts::came() const { return g_interrupted != 0; }

}  // namespace raddle::experiment
