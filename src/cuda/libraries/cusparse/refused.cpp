#include "cuda/libraries/refused.h"

static constexpr int kRefused = 10;  // CUSPARSE_STATUS_NOT_SUPPORTED
#include "cuda/libraries/cusparse/refused.inc"
