// Kernels that are compiled twice give the same results, bit for bit: with registers for all of
// their values, and with 40 registers for 60 to 200 values.
#include <cstdio>
#include <cstring>
#include <vector>

#include "check.h"

#define many_values many_values_1
#define many_floats many_floats_1
#define sgemm sgemm_1
#define stencil27 stencil27_1
#define bodies bodies_1
#define sort32 sort32_1
#define dct dct_1
#define options options_1
#define convolution5 convolution5_1
#define MIN_BLOCKS 1
namespace roomy {
#include "../passes/many_registers.cu"
}
#undef many_values
#undef many_floats
#undef sgemm
#undef stencil27
#undef bodies
#undef sort32
#undef dct
#undef options
#undef convolution5
#undef MIN_BLOCKS
#undef BOUNDS
#define MIN_BLOCKS 6
namespace bounded {
#include "../passes/many_registers.cu"
}

namespace {

constexpr int kThreads = 256;
constexpr std::size_t kFloats = 1 << 17;

struct Buffers {
  float *in = nullptr, *more = nullptr, *out = nullptr;
};

std::vector<float> some(std::size_t count, unsigned seed) {
  std::vector<float> values(count);
  for (float& value : values) {
    seed = seed * 1664525u + 1013904223u;
    value = static_cast<float>(seed >> 8) / (1 << 24) - 0.5f;
  }
  return values;
}

/// What the kernel leaves in `out`.
template <class Launch>
std::vector<float> results(const Buffers& buffers, Launch launch) {
  CHECK(cudaMemset(buffers.out, 0, kFloats * sizeof(float)));
  launch();
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  std::vector<float> out(kFloats);
  CHECK(cudaMemcpy(out.data(), buffers.out, kFloats * sizeof(float), cudaMemcpyDeviceToHost));
  return out;
}

bool same(const char* name, const std::vector<float>& a, const std::vector<float>& b) {
  bool any = false;
  for (const float value : a) any |= value != 0;
  if (any && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0) return true;
  std::printf("%s: %s\n", name, any ? "differs" : "computes nothing");
  return false;
}

}  // namespace

#define BOTH(name, grid, ...)                                                                 \
  right &= same(#name, results(b, [&] { roomy::name##_1<<<grid, kThreads>>>(__VA_ARGS__); }), \
                results(b, [&] { bounded::name<<<grid, kThreads>>>(__VA_ARGS__); }))

int main() {
  Buffers b;
  for (float** one : {&b.in, &b.more, &b.out}) CHECK(cudaMalloc(one, kFloats * sizeof(float)));
  for (float* one : {b.in, b.more}) {
    const std::vector<float> values = some(kFloats, one == b.in ? 1 : 2);
    CHECK(cudaMemcpy(one, values.data(), kFloats * sizeof(float), cudaMemcpyHostToDevice));
  }
  bool right = true;
  std::vector<double> doubles;
  for (const float value : some(kFloats / 2, 3)) doubles.push_back(value);
  double* wide = nullptr;
  CHECK(cudaMalloc(&wide, doubles.size() * sizeof(double)));
  CHECK(cudaMemcpy(wide, doubles.data(), doubles.size() * sizeof(double), cudaMemcpyHostToDevice));
  BOTH(many_values, 1, wide, reinterpret_cast<double*>(b.out), kThreads);
  BOTH(many_floats, 2, b.in, b.out, 2 * kThreads, 5);
  BOTH(sgemm, 1, b.in, b.more, b.out, 128);
  BOTH(stencil27, dim3(1, 2), b.in, b.out, b.more, 34, 18, 12);
  BOTH(bodies, 1, reinterpret_cast<const float4*>(b.in), reinterpret_cast<float4*>(b.out), 512);
  BOTH(sort32, 2, reinterpret_cast<const unsigned*>(b.in), reinterpret_cast<unsigned*>(b.out),
       2 * kThreads);
  BOTH(dct, 1, b.in, b.out, 2048);
  BOTH(convolution5, 1, b.in, b.more, b.out, 72, 72, 3);
  std::printf(right ? "right\n" : "wrong\n");
  return right ? 0 : 1;
}
