// The signal that `raddle run` sends to a program that did not end after a signal which asked it
// to.
#pragma once

#include <csignal>

namespace raddle {

/// The program's results are written, and it ends as by SIGTERM, whatever handlers it has. The
/// number is one of those reserved for programs, which seldom use it.
inline int save_signal() { return SIGRTMAX - 1; }

}  // namespace raddle
