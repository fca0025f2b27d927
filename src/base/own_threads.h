// Tells the simulator's threads from the program's.
#pragma once

namespace raddle {

/// Marks the calling thread as the simulator's own. Signals for the program go to the program's
/// threads; this one only gets signals of its own crashes.
void mark_own_thread();

/// Changes the number of the program's threads that wait for the simulator and do nothing before.
void note_waiting_threads(int more);

/// Whether any thread of the program is left.
bool program_has_threads();

/// Whether the program has threads, besides the calling one, that may act at any time: they wait
/// neither for the simulator nor in pthread_join().
bool program_has_other_threads();

}  // namespace raddle
