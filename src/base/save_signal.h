// What `raddle run` asks a program by that does not end when a signal asked it to.
#pragma once

#include <csignal>

namespace raddle {

/// Its results are written, and it ends as by SIGTERM, whatever it does about signals: one of those that
/// programs have for themselves, and seldom use.
inline int save_signal() { return SIGRTMAX - 1; }

}  // namespace raddle
