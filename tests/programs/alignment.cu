// alignas in every place where nvcc accepts it, also after __shared__; with a type, a number, an
// expression.
#include "check.h"

struct alignas(16) Quad {
  float x[4];
};
template <class T, int kBytes>
struct Buffer {
  alignas(T) unsigned char space[sizeof(T)];
  alignas(kBytes) char last;
};
static_assert(alignof(Quad) == 16 && alignof(Buffer<double, 32>) == 32, "");
static_assert(alignof(Buffer<double, 1>) == alignof(double), "");

template <class T>
__device__ unsigned misaligned(const T& object, unsigned bytes) {
  return static_cast<unsigned>(reinterpret_cast<std::size_t>(&object) % bytes);
}

template <int kBytes>
__global__ void alignments(unsigned* wrong) {
  __shared__ char first, a;
  __shared__ alignas(16) float b[3];
  __shared__ alignas(kBytes) char c;
  __shared__ alignas(Quad) char d[sizeof(Quad)];
  extern __shared__ __align__(128) unsigned char e[];
  alignas(2 * sizeof(double)) char f[3] = {};
  first = a = b[2] = c = d[1] = e[0] = f[2] = 1;
  *wrong = misaligned(b, 16) + misaligned(c, kBytes) + misaligned(d, 16) + misaligned(e[0], 128) +
           misaligned(f, 16) + (first + a + c == 3 ? 0 : 1);
}

int main() {
  unsigned* wrong = device_array<unsigned>(1);
  alignments<64><<<1, 1, 128>>>(wrong);
  EXPECT_EQ(to_host(wrong, 1)[0], 0u);
  alignas(64) char on_host = 0;
  EXPECT_EQ(reinterpret_cast<std::size_t>(&on_host) % 64, 0u);
  return finish();
}
