// runs: functional
// cuda: 13
// gpu: h200
// cc: -arch=sm_90 -O0
// nvcc: -diag-suppress 2361 -gencode arch=compute_90,code=compute_90
// The functions of narrow_functions.cu on an architecture with instructions for them.
#define NARROW_NATIVE
#include "narrow_functions.cu"
