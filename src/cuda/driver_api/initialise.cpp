// Initialisation and versions (CUDA driver API, "Initialization", "Version Management").
#include "cuda.h"

CUresult cuInit(unsigned flags) { return flags == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE; }
