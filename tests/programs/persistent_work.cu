// Without a device runtime: blocks that stay take work from a queue. (nvcc without -rdc has none.)
// cc: -DRADDLE_DYNAMIC_PERSISTENT
#include "dynamic_work.h"
