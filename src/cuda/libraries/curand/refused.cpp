#include "cuda/libraries/refused.h"

static constexpr int kRefused = 999;  // CURAND_STATUS_INTERNAL_ERROR
#include "cuda/libraries/curand/refused.inc"
