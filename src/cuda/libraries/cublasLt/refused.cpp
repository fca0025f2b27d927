#include "cuda/libraries/refused.h"

static constexpr int kRefused = 15;  // CUBLAS_STATUS_NOT_SUPPORTED
#include "cuda/libraries/cublasLt/refused.inc"
