// Children by fork() of a process that has used CUDA. They cannot use CUDA (CUDA C++ Programming
// Guide, "Initialization"), since they have neither the simulator's threads nor its files.
#pragma once

namespace raddle::cuda {

/// From this call on, children of this process count as forked children.
void watch_forks();

/// Whether this process is a forked child. The first call says so on standard error.
bool is_forked_child();
/// Reports once that a forked child calls CUDA.
void tell_forked_child();

}  // namespace raddle::cuda
