#include "cuda/libraries/refused.h"

static constexpr int kRefused = 3000;  // CUDNN_STATUS_NOT_SUPPORTED
#include "cuda/libraries/cudnn/refused.inc"
