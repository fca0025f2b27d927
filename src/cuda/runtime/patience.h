// Lets simulated time pass for a program that waits without calling CUDA: a loop that reads mapped,
// pinned or managed memory until a kernel has written to it.
//
// The GPU runs inside CUDA calls, so that its clock follows from the calls alone. When a program
// has used host.patience of processor time since its last call while work is in flight, a thread of
// the simulator advances the GPU by slices of simulated time. Between slices the program has time
// to notice changes. A program that calls in time never sees any of this. A program that polls sees
// a change at the end of the slice in which it happened. This is the same in every run as long as
// the program notices faster than the time between slices. The host's own clock does not move; the
// program's next work starts no earlier than the GPU's time.
#pragma once

namespace raddle::cuda {

class Runtime;

/// Starts this thread, once per process, unless host.patience is 0. Called with Runtime::mutex()
/// held.
void start_patience(Runtime& runtime);
/// The calling thread leaves a CUDA call: its processor time counts from here.
void note_call();

}  // namespace raddle::cuda
