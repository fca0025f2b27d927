// Lets simulated time pass for a program that waits without calling CUDA: a loop that looks at
// mapped, pinned or managed memory until a kernel has written to it.
//
// The GPU runs inside CUDA calls, so that its clock follows from the calls alone. When a program
// has used host.patience of processor time since its last call while work is in flight, a thread
// of ours takes the GPU on by slices of simulated time, between which the program gets time to
// notice what has changed. A program that calls in time never sees any of this; one that polls sees
// a change at the end of the slice in which it happened, the same in every run as long as it needs
// less than the time between slices to notice. The host's own clock stays where it was: what the
// program asks for next starts no earlier than the GPU's time.
#pragma once

namespace raddle::cuda {

class Runtime;

/// Starts that thread, once per process, unless host.patience is 0. Called with Runtime::mutex()
/// held.
void start_patience(Runtime& runtime);
/// The calling thread leaves a CUDA call: its processor time counts from here.
void note_call();

}  // namespace raddle::cuda
