// Ends of a process other than exit(): by a signal, by _exit(), or because it becomes another program.
// What ran so far is then written, as far as that can be done.
//
// A thread of ours, which has called nothing before, does the writing: the thread that ends may have
// stopped within malloc. It takes the runtime's mutex, or the thread that simulates does the work
// itself between two cycles (end_if_asked). A thread that crashes waits for it in its signal handler.
#pragma once

#include <csignal>

namespace raddle::cuda {

class Runtime;

/// From now on the signals that end a process, as far as the program has no handler for them, leave
/// the results of what ran so far. SIGINT, SIGTERM and SIGHUP also show where the warps are. A second
/// one ends the process at once.
void catch_endings(Runtime& runtime);

/// Whether it is what catch_endings() has installed.
bool is_of_endings(const struct sigaction& action);

/// What stands for the default action of a signal that ends the process. False where nothing does:
/// for other signals, before catch_endings() and in children by fork().
bool action_of_endings(int signal, struct sigaction& action);

/// Writes the results, and ends the process, if a signal came. Between cycles; the mutex is held.
void end_if_asked(Runtime& runtime);

/// The process is about to end, or to become another program: writes the results so far. Returns when
/// that is done, or cannot be. Does nothing without a runtime, and in children by fork() or vfork().
enum class Next : unsigned char { ends, may_go_on };
/// `ending`: the function, for the results.
void save_results(Next next, const char* ending);

/// Ends the process, and saves nothing more; what the C library has buffered is written.
[[noreturn]] void end_process(int code);

/// From now on an overflow of the calling thread's stack can be handled.
void survive_stack_overflow();

}  // namespace raddle::cuda
