// References round a multiply-add once, as the GPU does. Host code is compiled for any x86-64
// processor, for which std::fma is a call of the C library: four times the time of the instruction
// in the product of two matrices. Way `threads` would lose by it what no program for that processor
// has to lose.
#pragma once

namespace raddle::workloads::narrow {

#if defined(__x86_64__) && !defined(__CUDA_ARCH__)

template <class Body>
__attribute__((target("fma"))) inline void run_with_fma(const Body& body) {
  body();
}

/// Calls `body`, which has to be RADDLE_FMA_BODY, with the processor's own multiply-add if it has one.
template <class Body>
void with_fma(const Body& body) {
  if (__builtin_cpu_supports("fma")) {
    run_with_fma(body);
  } else {
    body();
  }
}

#else

template <class Body>
void with_fma(const Body& body) {
  body();
}

#endif

// A lambda's own code is compiled for the processor of the function that it becomes part of.
#define RADDLE_FMA_BODY __attribute__((always_inline))

}  // namespace raddle::workloads::narrow
