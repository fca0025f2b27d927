// The simulator takes hold of the lifeline of `raddle run` and of the way to it for results as soon as it is
// loaded (base/lifeline.h, base/result_pipe.h); the runtime watches the former from the first call on.
#include "base/lifeline.h"
#include "base/result_pipe.h"

namespace raddle::cuda {
namespace {

__attribute__((constructor)) void loaded() {
  hold_lifeline();
  hold_result_pipe();
}

}  // namespace
}  // namespace raddle::cuda
