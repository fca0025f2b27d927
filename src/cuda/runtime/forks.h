// Children by fork() of a process that has used CUDA: they cannot use it (CUDA C++ Programming Guide,
// "Initialization"), since neither the simulator's threads nor its files are theirs.
#pragma once

namespace raddle::cuda {

/// From now on children of this process are such.
void watch_forks();

/// Whether this process is such a child. Says so on standard error, the first time.
bool is_forked_child();
/// Says so once, where such a child calls CUDA.
void tell_forked_child();

}  // namespace raddle::cuda
