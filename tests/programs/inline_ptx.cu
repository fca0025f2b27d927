// Assembly in the source: special registers, predicates, carries, vectors, cache operators.
#include "check.h"

__device__ unsigned lane_id() {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}
__global__ void use(const unsigned* in, unsigned* out, unsigned long long* wide) {
  const unsigned i = threadIdx.x;
  unsigned sum_low, sum_high, selected, loaded, mask;
  asm("{\n\t"
      ".reg .u32 t;\n\t"
      "add.cc.u32 %0, %2, 0xfffffff0;\n\t"
      "addc.u32 %1, 0, 0;\n\t"
      "}"
      : "=r"(sum_low), "=r"(sum_high)
      : "r"(i));
  asm("{ .reg .pred p; setp.gt.u32 p, %1, 10; selp.u32 %0, 111, 222, p; }"
      : "=r"(selected)
      : "r"(i));
  asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(loaded) : "l"(in + i));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
  unsigned long long product;
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(product) : "r"(loaded), "r"(0x10001u));
  out[i * 5] = sum_low;
  out[i * 5 + 1] = sum_high;
  out[i * 5 + 2] = selected;
  out[i * 5 + 3] = mask;
  out[i * 5 + 4] = lane_id();
  wide[i] = product;
}

int main() {
  std::vector<unsigned> in(64);
  for (unsigned i = 0; i < 64; ++i) in[i] = i * 0x01010101u;
  unsigned* const out = device_array<unsigned>(64 * 5);
  auto* const wide = device_array<unsigned long long>(64);
  use<<<1, 64>>>(to_device(in), out, wide);
  const auto found = to_host(out, 64 * 5);
  const auto products = to_host(wide, 64);
  for (unsigned i = 0; i < 64; ++i) {
    EXPECT_EQ(found[i * 5], i + 0xfffffff0u);
    EXPECT_EQ(found[i * 5 + 1], i >= 16 ? 1u : 0u);
    EXPECT_EQ(found[i * 5 + 2], i > 10 ? 111u : 222u);
    EXPECT_EQ(found[i * 5 + 3], (1u << (i % 32)) - 1);
    EXPECT_EQ(found[i * 5 + 4], i % 32);
    EXPECT(products[i] == static_cast<unsigned long long>(in[i]) * 0x10001u);
  }
  return finish();
}
