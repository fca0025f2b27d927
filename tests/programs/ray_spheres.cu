// Rays and mirroring spheres: float3 structures by value, early exits, a loop of bounces, two kinds
// of surface selected by an enumeration.
#include "check.h"

struct Ray {
  float3 from, along;
};
enum class Surface : unsigned char { matt, mirror };
struct Sphere {
  float3 centre;
  float radius;
  Surface surface;
  unsigned char shade;
};

__host__ __device__ inline float3 plus(float3 a, float3 b, float k) {
  return make_float3(fmaf(k, b.x, a.x), fmaf(k, b.y, a.y), fmaf(k, b.z, a.z));
}
__host__ __device__ inline float dot(float3 a, float3 b) {
  return fmaf(a.x, b.x, fmaf(a.y, b.y, a.z * b.z));
}

__host__ __device__ inline bool meets(const Ray& ray, const Sphere& sphere, float& distance) {
  const float3 to = plus(ray.from, sphere.centre, -1);
  const float half = dot(to, ray.along), all = dot(ray.along, ray.along);
  const float inside = fmaf(half, half, -all * fmaf(-sphere.radius, sphere.radius, dot(to, to)));
  if (inside < 0) return false;
  distance = (-half - sqrtf(inside)) / all;
  return distance > 1e-3f;
}

__host__ __device__ inline int trace(Ray ray, const Sphere* spheres, int count) {
  int bounces = 0;
  while (bounces < 6) {
    int hit = -1;
    float nearest = 1e30f;
    for (int i = 0; i < count; ++i) {
      float distance;
      if (!meets(ray, spheres[i], distance) || distance >= nearest) continue;
      nearest = distance;
      hit = i;
    }
    if (hit < 0) return bounces;
    if (spheres[hit].surface == Surface::matt) return 16 * spheres[hit].shade + bounces;
    const float3 point = plus(ray.from, ray.along, nearest);
    const float3 normal = plus(point, spheres[hit].centre, -1);
    const float k = -2 * dot(ray.along, normal) / dot(normal, normal);
    ray = {point, plus(ray.along, normal, k)};
    ++bounces;
  }
  return 15;
}

__global__ void render(const Sphere* spheres, int count, int width, unsigned char* image) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const Ray ray{make_float3(0, 0, -3),
                make_float3((x + 0.5f) / width * 2 - 1, (y + 0.5f) / width * 2 - 1, 2)};
  image[y * width + x] = static_cast<unsigned char>(trace(ray, spheres, count));
}

int main() {
  const int width = 48;
  std::vector<Sphere> spheres;
  for (int i = 0; i < 9; ++i) {
    spheres.push_back({make_float3(float(i % 3) - 1, float(i / 3) - 1, 0.25f * float(i % 2)), 0.45f,
                       i % 2 == 0 ? Surface::mirror : Surface::matt,
                       static_cast<unsigned char>(i + 1)});
  }
  unsigned char* image = device_array<unsigned char>(width * width);
  render<<<dim3(width / 16, width / 8), dim3(16, 8)>>>(to_device(spheres), 9, width, image);
  const std::vector<unsigned char> found = to_host(image, width * width);
  int seen = 0;
  for (int i = 0; i < width * width; ++i) {
    const Ray ray{make_float3(0, 0, -3), make_float3((i % width + 0.5f) / width * 2 - 1,
                                                     (i / width + 0.5f) / width * 2 - 1, 2)};
    const int expected = trace(ray, spheres.data(), 9);
    EXPECT_EQ_AT(i, found[i], expected);
    seen += expected != 0;
  }
  EXPECT(seen > width * width / 3);
  return finish();
}
