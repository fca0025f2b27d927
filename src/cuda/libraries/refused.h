// Functions of NVIDIA's libraries that are not supported: each reports its name once, and returns
// the library's status for it. They ignore their arguments, so that they are defined without any,
// which the System V ABI allows.
#pragma once

namespace raddle::cuda {
void tell_refused(const char* function);  // cuda/runtime/call.h, without the API's types
}

#define RADDLE_REFUSED(name)           \
  extern "C" int name() {              \
    raddle::cuda::tell_refused(#name); \
    return kRefused;                   \
  }
