// A task's kernel, chosen by its number and called with the bytes of its arguments.
#pragma once

#include <cstdint>
#include <cstring>

#include "block.cuh"
#include "table.cuh"

namespace raddle::tasks::detail {

// All that the MasterKernel runs is inlined in it: the compiler bounds the registers of a kernel, not
// of what it calls. So the task's function is a parameter of the template, too, and no pointer.
template <auto F, class... A>
__device__ __forceinline__ void call(const Arguments<>&, const A&... values) {
  F(values...);
}
template <auto F, class Last, class... A>
__device__ __forceinline__ void call(const Arguments<Last>& from, const A&... values) {
  F(values..., from.first);
}
template <auto F, class First, class Second, class... Rest, class... A>
__device__ __forceinline__ void call(const Arguments<First, Second, Rest...>& from,
                                     const A&... values) {
  call<F>(from.rest, values..., from.first);
}

template <auto F>
__device__ __forceinline__ void run_kernel(const unsigned char* arguments) {
  using Kind = Signature<decltype(F)>;
  if constexpr (Kind::kCount == 0) {
    F();
  } else {
    constexpr unsigned kQuads = (Kind::kBytes + 15) / 16;
    uint4 quads[kQuads];
#pragma unroll
    for (unsigned i = 0; i < kQuads; ++i) quads[i] = fresh_quad(arguments + 16 * i);
    typename Kind::Pack pack;
    std::memcpy(&pack, quads, sizeof pack);
    call<F>(pack);
  }
}

template <auto... Fs>
__device__ __forceinline__ void run_one_of(unsigned kernel, const unsigned char* arguments) {
  unsigned index = 0;
  ((index++ == kernel ? run_kernel<Fs>(arguments) : void()), ...);
}

}  // namespace raddle::tasks::detail
