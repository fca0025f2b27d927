// Asynchronous copies, under the header name of the CUDA toolkit.
#pragma once

#include "cuda_pipeline.h"
