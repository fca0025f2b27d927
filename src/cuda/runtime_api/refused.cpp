// Functions that are not supported: each reports its name. They ignore their arguments, so that
// they are defined without any, which the System V ABI allows. This file must not include a header
// that declares them.
namespace raddle::cuda {
int refuse_by_name(const char* function);  // cuda/runtime/call.h, without the API's types
}

extern "C" {
#define RADDLE_REFUSED(name) \
  int name() { return raddle::cuda::refuse_by_name(#name); }
#include "cuda/runtime_api/refused.inc"
#undef RADDLE_REFUSED
}
