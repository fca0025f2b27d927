// A main thread that ends by pthread_exit(): the process lasts until the program's last thread
// ends, and then ends as by exit(0) (POSIX, pthread_exit). The C library would also wait for the
// simulator's threads.
#pragma once

namespace raddle::cuda {

/// The main thread is about to end.
void main_thread_ends();

}  // namespace raddle::cuda
