// No header that declares these functions may be included here.
#include "cuda/libraries/refused.h"

static constexpr int kRefused = 15;  // CUBLAS_STATUS_NOT_SUPPORTED
#include "cuda/libraries/cublas/refused.inc"
