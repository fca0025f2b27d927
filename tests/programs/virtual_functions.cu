// Objects with virtual functions made and used on the device; a pure base, overriding, destructors.
#include "check.h"

struct Shape {
  __device__ virtual ~Shape() {}
  __device__ virtual float area() const = 0;
  __device__ virtual int corners() const { return 0; }
};
struct Circle : Shape {
  float radius;
  __device__ explicit Circle(float r) : radius(r) {}
  __device__ float area() const override { return 3.0f * radius * radius; }
};
struct Box : Shape {
  float width, height;
  __device__ Box(float w, float h) : width(w), height(h) {}
  __device__ float area() const override { return width * height; }
  __device__ int corners() const override { return 4; }
};

__global__ void make(Shape** shapes, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  if (i % 3 == 0) {
    shapes[i] = new Circle(static_cast<float>(i));
  } else {
    shapes[i] = new Box(static_cast<float>(i), 2);
  }
}
__global__ void measure(Shape** shapes, float* areas, int* corners, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  areas[i] = shapes[i]->area();
  corners[i] = shapes[i]->corners();
  delete shapes[i];
}

int main() {
  const int count = 100;
  Shape** const shapes = device_array<Shape*>(count);
  float* const areas = device_array<float>(count);
  int* const corners = device_array<int>(count);
  make<<<1, 128>>>(shapes, count);
  measure<<<1, 128>>>(shapes, areas, corners, count);
  const auto a = to_host(areas, count);
  const auto c = to_host(corners, count);
  for (int i = 0; i < count; ++i) {
    EXPECT_EQ_AT(i, a[i], i % 3 == 0 ? 3.0f * i * i : 2.0f * i);
    EXPECT_EQ_AT(i, c[i], i % 3 == 0 ? 0 : 4);
  }
  return finish();
}
