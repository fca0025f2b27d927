// Functions that are not supported: each says its name. They take no notice of their arguments, so
// they are defined without them, which the System V ABI allows; no header that declares them may be
// included here.
namespace raddle::cuda {
int refuse_by_name(const char* function);  // cuda/runtime/call.h, without the API's types
}

extern "C" {
#define RADDLE_REFUSED(name) \
  int name() { return raddle::cuda::refuse_by_name(#name); }
#define RADDLE_REFUSED_IN(name, file)  // it says more than its name
#include "cuda/driver_api/refused.inc"
#undef RADDLE_REFUSED_IN
#undef RADDLE_REFUSED
}
