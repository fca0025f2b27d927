// The simulator takes hold of the lifeline of `raddle run` as soon as it is loaded
// (base/lifeline.h); the runtime watches it from the first call on.
#include "base/lifeline.h"

namespace raddle::cuda {
namespace {

__attribute__((constructor)) void loaded() { hold_lifeline(); }

}  // namespace
}  // namespace raddle::cuda
