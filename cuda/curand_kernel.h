// Random numbers in device code (cuRAND, "Device API"): the generators XORWOW, Philox4x32-10 and
// MRG32k3a, with the sequences that cuRAND gives for the same seed, and the uniform, normal and Poisson
// distributions.
#pragma once

#include "crt/library_begin.h"

#include "crt/curand_distributions.h"
#include "crt/curand_mrg32k3a.h"
#include "crt/curand_philox.h"
#include "crt/curand_poisson.h"
#include "crt/curand_xorwow.h"

#include "crt/library_end.h"
