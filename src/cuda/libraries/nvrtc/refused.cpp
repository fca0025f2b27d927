#include "cuda/libraries/refused.h"

static constexpr int kRefused = 11;  // NVRTC_ERROR_INTERNAL_ERROR
#include "cuda/libraries/nvrtc/refused.inc"
