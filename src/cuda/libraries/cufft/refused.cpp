#include "cuda/libraries/refused.h"

static constexpr int kRefused = 16;  // CUFFT_NOT_SUPPORTED
#include "cuda/libraries/cufft/refused.inc"
