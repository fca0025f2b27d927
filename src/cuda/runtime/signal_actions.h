// The actions of signals. The API libraries have signal() and sigaction() of their own
// (interposed/signals.cpp), through which programs read and change them; the functions here are the
// C library's.
#pragma once

#include <csignal>

namespace raddle::cuda {

/// sigaction(2) of the C library. Signal handlers may call it.
int system_sigaction(int signal, const struct sigaction* action, struct sigaction* before);
/// Sets the system's default action in place of the action of catch_endings() (endings.h).
void set_default_action(int signal);

}  // namespace raddle::cuda
