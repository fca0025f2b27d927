// Unoptimised code keeps the tables of abstract classes. The library provides their missing
// functions.
// cc: -G
#include "check.h"

struct Shape {
  __device__ virtual float area() const = 0;
};
struct Square : Shape {
  float side;
  __device__ explicit Square(float s) : side(s) {}
  __device__ float area() const override { return side * side; }
};

__global__ void areas(float* out) {
  const Square square(static_cast<float>(threadIdx.x));
  const Shape& shape = square;
  out[threadIdx.x] = shape.area();
}

int main() {
  float* out = device_array<float>(32);
  areas<<<1, 32>>>(out);
  const std::vector<float> found = to_host(out, 32);
  for (int i = 0; i < 32; ++i) EXPECT_EQ_AT(i, found[i], static_cast<float>(i * i));
  return finish();
}
