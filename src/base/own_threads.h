// Which threads of the process are the simulator's, and which the program's.
#pragma once

namespace raddle {

/// The calling thread is the simulator's own.
void mark_own_thread();

/// Whether the program has threads beside the calling one: they may do something at any time.
bool program_has_other_threads();

}  // namespace raddle
