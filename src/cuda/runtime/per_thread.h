// Values of threads that live longer than the destructors of their threads.
#pragma once

#include <pthread.h>

#include <new>

namespace raddle::cuda {

/// Each thread's own T; the first use in a thread makes it. Each use needs its own type T. A
/// `thread_local` object is already gone when destructors of static objects run, and these may call
/// CUDA. This value lives as long as its thread may run code. In the thread that calls exit() it
/// lives as long as the process.
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
