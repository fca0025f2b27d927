// Without a device runtime (as nvcc without -rdc): persistent blocks take work from a queue.
// cc: -DRADDLE_DYNAMIC_PERSISTENT
#include "dynamic_work.h"
