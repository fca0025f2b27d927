// With a device runtime: blocks of work are device kernels.
// nvcc: -rdc=true -lcudadevrt
#include "../../programs/dynamic_work.h"
