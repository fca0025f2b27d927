#include "cuda/libraries/refused.h"

static constexpr int kRefused = 9;  // CUSOLVER_STATUS_NOT_SUPPORTED
#include "cuda/libraries/cusolver/refused.inc"
