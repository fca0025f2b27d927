// Ends of a process other than exit(): by a signal, by _exit(), or because it becomes another
// program. The simulator then writes the results so far, as far as possible.
//
// A thread of the simulator, which makes no calls of its own before, does the writing: the thread
// that ends may have stopped within malloc. The writing thread takes the runtime's mutex, or the
// thread that simulates does the work itself between two cycles (end_if_asked). A thread that
// crashes waits in its signal handler until the results are written.
#pragma once

#include <csignal>

namespace raddle::cuda {

class Runtime;

/// From this call on, a signal that ends the process leaves the results so far, unless the program
/// handles the signal itself. SIGINT, SIGTERM and SIGHUP also show where the warps are. A second
/// signal ends the process at once.
void catch_endings(Runtime& runtime);

/// Whether `action` is the one that catch_endings() has installed.
bool is_of_endings(const struct sigaction& action);

/// The action that replaces the default action of a signal that ends the process. False when there
/// is none: for other signals, before catch_endings() and in children by fork().
bool action_of_endings(int signal, struct sigaction& action);

/// Writes the results and ends the process, if a signal came. Called between cycles, with the mutex
/// held.
void end_if_asked(Runtime& runtime);

/// Writes the results so far: the process is about to end, or to become another program. Returns
/// when they are written or cannot be. Does nothing without a runtime, and in children by fork() or
/// vfork().
enum class Next : unsigned char { ends, may_go_on };
/// `ending`: the name of the function that ends the process, for the results.
void save_results(Next next, const char* ending);

/// Ends the process, and saves no more results; the C library's buffers are written out.
[[noreturn]] void end_process(int code);

/// From this call on, an overflow of the calling thread's stack can be handled.
void survive_stack_overflow();

}  // namespace raddle::cuda
