// Quadratic curves, divided into more points the more they bend. The parent decides how many and
// allocates memory for them on the device's heap; a child fills it in; a last kernel frees it.
// compiler: nvcc
// nvcc: -rdc=true -lcudadevrt
#include "../../programs/check.h"

struct Curve {
  float2 control[3];
  float2* points;
  int count;
};

__device__ float2 at(const Curve& curve, float u) {
  const float a = (1 - u) * (1 - u), b = 2 * u * (1 - u), c = u * u;
  return {a * curve.control[0].x + b * curve.control[1].x + c * curve.control[2].x,
          a * curve.control[0].y + b * curve.control[1].y + c * curve.control[2].y};
}

__global__ void tessellate(Curve* curves, int which, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  curves[which].points[i] = at(curves[which], static_cast<float>(i) / (count - 1));
}

__global__ void plan(Curve* curves, int curve_count) {
  const int which = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (which >= curve_count) return;
  Curve& curve = curves[which];
  const float dx = curve.control[1].x - 0.5f * (curve.control[0].x + curve.control[2].x);
  const float dy = curve.control[1].y - 0.5f * (curve.control[0].y + curve.control[2].y);
  curve.count = min(max(static_cast<int>(16 * sqrtf(dx * dx + dy * dy)), 4), 128);
  cudaMalloc(reinterpret_cast<void**>(&curve.points), curve.count * sizeof(float2));
  tessellate<<<(curve.count + 31) / 32, 32, 0, cudaStreamFireAndForget>>>(curves, which,
                                                                          curve.count);
}

__global__ void measure_and_free(Curve* curves, int curve_count, float* ends) {
  const int which = static_cast<int>(threadIdx.x);
  if (which >= curve_count) return;
  ends[which] = curves[which].points[curves[which].count - 1].x;
  cudaFree(curves[which].points);
}

int main() {
  constexpr int kCurves = 48;
  std::vector<Curve> curves(kCurves);
  for (int c = 0; c < kCurves; ++c) {
    const auto x = static_cast<float>(c);
    curves[c].control[0] = {0, 0};
    curves[c].control[1] = {x / 4, x / 8};
    curves[c].control[2] = {x, 1};
  }
  Curve* on_device = to_device(curves);
  float* ends = device_array<float>(kCurves);
  plan<<<2, 32>>>(on_device, kCurves);
  measure_and_free<<<1, 64>>>(on_device, kCurves, ends);
  const std::vector<float> found = to_host(ends, kCurves);
  for (int c = 0; c < kCurves; ++c) EXPECT_CLOSE(found[c], c, 1e-4);
  return finish();
}
