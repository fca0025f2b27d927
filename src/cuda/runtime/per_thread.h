// Values of threads that outlast the threads' destructors.
#pragma once

#include <pthread.h>

#include <new>

namespace raddle::cuda {

/// Each thread's own T, made by the first use in it; a type of value for each use. A `thread_local`
/// object is gone when destructors of static objects run, and these may call CUDA: this value lives
/// as long as its thread may run anything, that of the thread which calls exit() as long as the
/// process.
template <class T>
class PerThread {
 public:
  static T& mine() {
    if (mine_ == nullptr) {
      static const pthread_key_t key = make_key();
      auto* made = new T;
      pthread_setspecific(key, made);
      mine_ = made;
    }
    return *mine_;
  }

 private:
  static pthread_key_t make_key() {
    pthread_key_t key = 0;
    // Called when a thread ends, after the destructors of its objects; not at exit().
    const auto end = [](void* value) {
      delete static_cast<T*>(value);
      mine_ = nullptr;
    };
    if (pthread_key_create(&key, end) != 0) throw std::bad_alloc();
    return key;
  }

  inline static thread_local T* mine_ = nullptr;
};

}  // namespace raddle::cuda
