// This file must not include a header that declares these functions.
#include "cuda/libraries/refused.h"

static constexpr int kRefused = 15;  // CUBLAS_STATUS_NOT_SUPPORTED
#include "cuda/libraries/cublas/refused.inc"
