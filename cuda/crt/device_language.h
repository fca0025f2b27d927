// The device side of CUDA C++ for clang: brings clang's own CUDA headers, which ship with the
// compiler and need no SDK, into the order that they expect, and adds what an SDK would give them.
#pragma once

#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 8
#define __CUDACC_VER_BUILD__ 0
#ifndef CUDA_VERSION
#define CUDA_VERSION 12080  // asked for by clang's headers; cuda.h says the same
#endif

// libcu++ takes its atomics for both sides where it is told so; by itself it knows nvcc only.
#define _LIBCUDACXX_HAS_CUDA_ATOMIC_IMPL

#include "device_system_calls.h"

// Device declarations of the C maths functions must precede those of the C library.
#include <__clang_cuda_math_forward_declares.h>

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmath>
#include <cstdlib>
#include <new>
#include <utility>

#include "../vector_functions.h"
#include "../vector_types.h"

#include "library_begin.h"

#include <__clang_cuda_builtin_vars.h>

#include "libdevice_bessel.h"

// The forms of vote and shuffle without a mask are no instructions of sm_70 and later, so clang's
// definitions are put aside, and device_warp.h defines these names anew.
#define __all __raddle_sm_60_all
#define __any __raddle_sm_60_any
#define __ballot __raddle_sm_60_ballot
#define __shfl __raddle_sm_60_shfl
#define __shfl_up __raddle_sm_60_shfl_up
#define __shfl_down __raddle_sm_60_shfl_down
#define __shfl_xor __raddle_sm_60_shfl_xor

#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>

#include "device_runtime.h"

#include <__clang_cuda_cmath.h>

#include "float_overloads.h"

#include "device_address_space.h"

// Of sm_80, up to clang 19: value and mask are exchanged. Of sm_90: those of float2 and float4, which
// go away when nobody uses their result.
#define __reduce_add_sync __raddle_clang_reduce_add_sync
#define __reduce_min_sync __raddle_clang_reduce_min_sync
#define __reduce_max_sync __raddle_clang_reduce_max_sync
#define __reduce_and_sync __raddle_clang_reduce_and_sync
#define __reduce_or_sync __raddle_clang_reduce_or_sync
#define __reduce_xor_sync __raddle_clang_reduce_xor_sync
#define atomicAdd __raddle_clang_atomicAdd
#define atomicAdd_block __raddle_clang_atomicAdd_block
#define atomicAdd_system __raddle_clang_atomicAdd_system
#include <__clang_cuda_intrinsics.h>
#undef atomicAdd
#undef atomicAdd_block
#undef atomicAdd_system
#undef __reduce_add_sync
#undef __reduce_min_sync
#undef __reduce_max_sync
#undef __reduce_and_sync
#undef __reduce_or_sync
#undef __reduce_xor_sync

#include <__clang_cuda_complex_builtins.h>

#undef __all
#undef __any
#undef __ballot
#undef __shfl
#undef __shfl_up
#undef __shfl_down
#undef __shfl_xor

#include "device_atomics.h"
#include "device_cache_hints.h"
#include "device_dot_products.h"
#include "device_warp.h"

#include "library_end.h"
