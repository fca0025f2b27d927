// What is done about a signal. The API libraries have signal() and sigaction() of their own
// (interposed/signals.cpp), through which programs see and change it; these are the C library's.
#pragma once

#include <csignal>

namespace raddle::cuda {

/// sigaction(2) of the C library. Signal handlers may call it.
int system_sigaction(int signal, const struct sigaction* action, struct sigaction* before);
/// The default action, for good: programs cannot be told apart from us any more.
void set_default_action(int signal);

}  // namespace raddle::cuda
