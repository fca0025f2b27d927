// Handles of libraries whose mathematics is refused: they hold the program's settings.
#pragma once

#include "cuda/runtime/call.h"
#include "cuda/runtime/runtime.h"

namespace raddle::cuda {

struct ThinHandle {
  cudaStream_t stream = nullptr;
  int mode = 0;
};

/// The codes of a library.
struct Codes {
  int success, not_initialized, invalid_value;
};

/// The handles that create_handle() made and that still exist. Each library has its own set:
/// `Library` is any type of the library.
template <class Library>
std::set<void*>& thin_handles() {
  static auto* all = new std::set<void*>;
  return *all;
}

/// Runs `work` with the library's handle as a call of the program's.
template <class Library>
int with_handle(const Codes& codes, void* handle,
                const std::function<int(Runtime&, ThinHandle&)>& work) {
  int result = codes.success;
  const cudaError_t error = call(Cost::none, [&](Runtime& runtime) {
    if (!thin_handles<Library>().contains(handle)) {
      result = codes.not_initialized;
    } else {
      result = work(runtime, *static_cast<ThinHandle*>(handle));
    }
    return cudaSuccess;
  });
  return error == cudaSuccess ? result : codes.invalid_value;
}

template <class Library>
int create_handle(const Codes& codes, void** handle) {
  if (handle == nullptr) return codes.invalid_value;
  const cudaError_t error = call(Cost::allocate, [&](Runtime&) {
    *handle = new ThinHandle;
    thin_handles<Library>().insert(*handle);
    return cudaSuccess;
  });
  return error == cudaSuccess ? codes.success : codes.not_initialized;
}

template <class Library>
int destroy_handle(const Codes& codes, void* handle) {
  return with_handle<Library>(codes, handle, [&](Runtime&, ThinHandle& of) {
    thin_handles<Library>().erase(handle);
    delete &of;
    return codes.success;
  });
}

template <class Library>
int set_stream(const Codes& codes, void* handle, cudaStream_t stream) {
  return with_handle<Library>(codes, handle, [&](Runtime& runtime, ThinHandle& of) {
    runtime.stream(stream);  // refuses unknown streams
    of.stream = stream;
    return codes.success;
  });
}

/// Returns `member` of the handle.
template <class Library, class T>
int get_member(const Codes& codes, void* handle, T* value, T ThinHandle::* member) {
  if (value == nullptr) return codes.invalid_value;
  return with_handle<Library>(codes, handle, [&](Runtime&, ThinHandle& of) {
    *value = of.*member;
    return codes.success;
  });
}

/// cu...GetProperty: type 0 is major, 1 minor, 2 patch.
inline int property(const Codes& codes, int type, int* value, const int (&version)[3]) {
  if (value == nullptr || type < 0 || type > 2) return codes.invalid_value;
  *value = version[type];
  return codes.success;
}

/// cu...GetVersion, as the libraries number versions: 1000 * major + 100 * minor + patch.
inline int version_number(const int (&version)[3]) {
  return 1000 * version[0] + 100 * version[1] + version[2];
}

}  // namespace raddle::cuda
