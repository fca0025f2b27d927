// Which threads of the process are the simulator's, and which the program's.
#pragma once

namespace raddle {

/// The calling thread is the simulator's own. The program's signals are for its own threads: this one
/// gets only those of its own crashes.
void mark_own_thread();

/// So many more (fewer, when negative) of the program's threads wait for what the simulator does, and
/// do nothing before.
void note_waiting_threads(int more);

/// Whether a thread of the program is left.
bool program_has_threads();

/// Whether the program has threads beside the calling one that do not wait so, and do not wait in
/// pthread_join() either: they may do something at any time.
bool program_has_other_threads();

}  // namespace raddle
