// SIGINT and SIGTERM while a program that knows nothing of them simulates: it is told where the
// warps of its kernels are, and then ends by that signal. The second one ends it at once.
//
// The handler does nothing but note the signal. Who simulates looks at the note between cycles;
// when nobody does, a thread of ours finds the runtime free. When neither comes about in time (a
// host function that does not return), the process ends without a word.
#pragma once

namespace raddle::cuda {

class Runtime;

/// Installs the handlers for those of the two signals that have their default action: a program's
/// own are left alone, and so are ignored ones. With Runtime::mutex() held.
void catch_interrupts(Runtime& runtime);

/// Between cycles, with Runtime::mutex() held: does not return when a signal has come.
void end_if_interrupted(Runtime& runtime);

/// Whether the process is about to end by one, so that what is written is of an interrupted run.
bool ends_by_interrupt();

}  // namespace raddle::cuda
