// When the simulator is loaded, it opens the lifeline of `raddle run` and the pipe for results
// (base/lifeline.h, base/result_pipe.h). The runtime watches the lifeline from the first call on.
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
