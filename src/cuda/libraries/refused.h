// Functions of NVIDIA's libraries that are not supported: each says its name, once, and returns the
// library's status for it. They take no notice of their arguments, so they are defined without
// them, which the System V ABI allows.
#pragma once

namespace raddle::cuda {
void tell_refused(const char* function);  // cuda/runtime/call.h, without the API's types
}

#define RADDLE_REFUSED(name)           \
  extern "C" int name() {              \
    raddle::cuda::tell_refused(#name); \
    return kRefused;                   \
  }
