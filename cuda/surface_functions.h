// Surface functions, under the header name of the CUDA toolkit; cuda_runtime.h has them all.
#pragma once

#include "cuda_runtime.h"
