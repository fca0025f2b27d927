// Texture handles as data: in device memory, in structures, a different one for each thread. An
// image is rotated by a texture with wrapping coordinates; B-spline interpolation uses linear
// lookups.
#include "check.h"

struct Material {
  cudaTextureObject_t colour;
  float2 scale;
};

__global__ void shade(const Material* materials, int count, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Material& m = materials[i % count];
  out[i] = tex2D<float>(m.colour, i * m.scale.x, i * m.scale.y);
}

__global__ void turn(cudaTextureObject_t image, float* out, int n, float angle) {
  const int x = threadIdx.x, y = blockIdx.x;
  const float u = x / float(n) - 0.5f, v = y / float(n) - 0.5f;
  const float s = sinf(angle), c = cosf(angle);
  out[y * n + x] = tex2D<float>(image, u * c - v * s + 0.5f, v * c + u * s + 0.5f);
}

// Weights of the cubic B-spline at distance a from the second of four texels.
__host__ __device__ inline void spline(float a, float w[4]) {
  const float b = 1 - a;
  w[0] = b * b * b / 6;
  w[1] = (4 - 6 * a * a + 3 * a * a * a) / 6;
  w[2] = (4 - 6 * b * b + 3 * b * b * b) / 6;
  w[3] = a * a * a / 6;
}

// Sixteen texels by four lookups, each between two columns and two rows.
__global__ void bicubic(cudaTextureObject_t image, const float2* at, float* out) {
  const float2 p = at[threadIdx.x];
  const float x = floorf(p.x - 0.5f), y = floorf(p.y - 0.5f);
  float wx[4], wy[4];
  spline(p.x - 0.5f - x, wx);
  spline(p.y - 0.5f - y, wy);
  const float gx[2] = {wx[0] + wx[1], wx[2] + wx[3]}, gy[2] = {wy[0] + wy[1], wy[2] + wy[3]};
  const float hx[2] = {x - 0.5f + wx[1] / gx[0], x + 1.5f + wx[3] / gx[1]};
  const float hy[2] = {y - 0.5f + wy[1] / gy[0], y + 1.5f + wy[3] / gy[1]};
  float sum = 0;
  for (int j = 0; j < 2; ++j) {
    for (int i = 0; i < 2; ++i) sum += gx[i] * gy[j] * tex2D<float>(image, hx[i], hy[j]);
  }
  out[threadIdx.x] = sum;
}

cudaTextureObject_t make_texture(const std::vector<float>& texels, int n,
                                 cudaTextureDesc settings) {
  const auto format = cudaCreateChannelDesc<float>();
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  CHECK(cudaMallocArray(&resource.res.array.array, &format, n, n));
  CHECK(cudaMemcpy2DToArray(resource.res.array.array, 0, 0, texels.data(), n * 4, n * 4, n,
                            cudaMemcpyHostToDevice));
  cudaTextureObject_t texture;
  CHECK(cudaCreateTextureObject(&texture, &resource, &settings, nullptr));
  return texture;
}

cudaTextureDesc settings(cudaTextureAddressMode mode, bool linear, bool normalized) {
  cudaTextureDesc description = {};
  for (auto& one : description.addressMode) one = mode;
  description.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
  description.normalizedCoords = normalized;
  return description;
}

void check_handles() {
  const int n = 4, count = 7;
  std::vector<Material> materials;
  for (int m = 0; m < count; ++m) {
    const std::vector<float> flat(n * n, float(m * m + 1));
    materials.push_back({make_texture(flat, n, settings(cudaAddressModeWrap, m % 2 == 0, true)),
                         make_float2(0.37f * m, 0.11f)});
  }
  float* out = device_array<float>(256);
  shade<<<2, 128>>>(to_device(materials), count, out);
  const auto found = to_host(out, 256);
  for (int i = 0; i < 256; ++i) EXPECT_EQ_AT(i, found[i], (i % count) * (i % count) + 1);
}

// A quarter turn of an image with itself around it moves texels, and only that.
void check_turn() {
  const int n = 32;
  std::vector<float> texels(n * n);
  for (int i = 0; i < n * n; ++i) texels[i] = float(i);
  float* out = device_array<float>(n * n);
  turn<<<n, n>>>(make_texture(texels, n, settings(cudaAddressModeWrap, false, true)), out, n, 0.0f);
  const auto same = to_host(out, n * n);
  for (int i = 0; i < n * n; ++i) EXPECT_EQ_AT(i, same[i], texels[i]);
  turn<<<n, n>>>(make_texture(texels, n, settings(cudaAddressModeWrap, true, true)), out, n,
                 1.57079633f);
  const auto turned = to_host(out, n * n);
  const auto at = [&](int x, int y) { return texels[(y + n) % n * n + (x + n) % n]; };
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) {
      // (x, y) looks up (n - y, x): the corner of four texels.
      const int i = n - y, j = x;
      const double mean = (at(i, j) + at(i - 1, j) + at(i, j - 1) + at(i - 1, j - 1)) / 4.0;
      EXPECT_CLOSE(turned[y * n + x], mean, 16.0);  // a weight may be 1/256 off, of 1024
    }
  }
}

void check_bicubic() {
  const int n = 16, count = 64;
  std::vector<float> texels(n * n);
  for (int i = 0; i < n * n; ++i) texels[i] = float(i * 29 % 17);
  std::vector<float2> places;
  for (int i = 0; i < count; ++i) places.push_back(make_float2(3 + i * 0.13f, 11 - i * 0.1f));
  float* out = device_array<float>(count);
  bicubic<<<1, count>>>(make_texture(texels, n, settings(cudaAddressModeClamp, true, false)),
                        to_device(places), out);
  const auto found = to_host(out, count);
  for (int k = 0; k < count; ++k) {
    const int x = int(std::floor(places[k].x - 0.5f)), y = int(std::floor(places[k].y - 0.5f));
    float wx[4], wy[4];
    spline(places[k].x - 0.5f - x, wx);
    spline(places[k].y - 0.5f - y, wy);
    double expected = 0;
    for (int j = 0; j < 4; ++j) {
      for (int i = 0; i < 4; ++i) expected += wx[i] * wy[j] * texels[(y - 1 + j) * n + x - 1 + i];
    }
    EXPECT_CLOSE(found[k], expected, 17.0 / 256);  // the weights' 8 bits, of texels up to 16
  }
}

int main() {
  check_handles();
  check_turn();
  check_bicubic();
  return finish();
}
