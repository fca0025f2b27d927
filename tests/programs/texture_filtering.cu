// Point and linear filtering in every address mode, in one, two and three dimensions. Compared with
// the formulas of the CUDA programming guide, "Texture Fetching", and with details of an NVIDIA
// H200 (CUDA 13.0): the resolution of normalized coordinates and of products of weights, and that a
// one-dimensional lookup lies on the upper edge of its only row.
#include "check.h"

struct Extent {
  int x, y, z;
};

__global__ void look_up(cudaTextureObject_t texture, int dimensions, const float4* at, float* out,
                        int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float4 p = at[i];
  out[i] = dimensions == 1   ? tex1D<float>(texture, p.x)
           : dimensions == 2 ? tex2D<float>(texture, p.x, p.y)
                             : tex3D<float>(texture, p.x, p.y, p.z);
}

// Index of the texel in place of `i`; -1 is the border.
int address(int i, int n, cudaTextureAddressMode mode) {
  if (i >= 0 && i < n) return i;
  switch (mode) {
    case cudaAddressModeWrap:
      return (i % n + n) % n;
    case cudaAddressModeMirror: {
      const int m = (i % (2 * n) + 2 * n) % (2 * n);
      return m < n ? m : 2 * n - 1 - m;
    }
    case cudaAddressModeClamp:
      return i < 0 ? 0 : n - 1;
    default:
      return -1;
  }
}

// One coordinate: the two texels and the weight of the second, of 256.
struct Axis {
  int index[2];
  int weight;
};

Axis axis(double coordinate, int n, cudaTextureAddressMode mode, bool linear, bool normalized) {
  if (n == 0) return {{0, 0}, 0};
  if (!normalized && mode != cudaAddressModeBorder) mode = cudaAddressModeClamp;
  const double x = normalized ? std::floor(coordinate * 0x1p21) / 0x1p21 * n : coordinate;
  if (!linear) {
    const int i = address(int(std::floor(x)), n, mode);
    return {{i, i}, 0};
  }
  const int b = int(std::floor((x - 0.5) * 256 + 0.5));  // 8 fractional bits
  const int i = int(std::floor(b / 256.0));
  return {{address(i, n, mode), address(i + 1, n, mode)}, b - i * 256};
}

// Weights along z are divided along x, halves up, and then along y, halves up where x is the upper
// texel.
int weight_of(const int tap[3], const int upper[3]) {
  const int slice = tap[2] ? upper[2] : 256 - upper[2];
  const int right = (slice * upper[0] + 128) / 256;
  const int column = tap[0] ? right : slice - right;
  const int top = (column * upper[1] + (tap[0] ? 128 : 127)) / 256;
  return tap[1] ? top : column - top;
}

double reference(const std::vector<float>& texels, Extent n, float4 at, const cudaTextureDesc& d) {
  const bool linear = d.filterMode == cudaFilterModeLinear, normalized = d.normalizedCoords != 0;
  Axis a[3] = {axis(at.x, n.x, d.addressMode[0], linear, normalized),
               axis(at.y, n.y, d.addressMode[1], linear, normalized),
               axis(at.z, n.z, d.addressMode[2], linear, normalized)};
  if (n.y == 0) a[1] = axis(0, 1, d.addressMode[1], linear, normalized);
  const int upper[3] = {a[0].weight, a[1].weight, a[2].weight};
  double sum = 0;
  for (int i = 0; i < 8; ++i) {
    const int tap[3] = {i & 1, i >> 1 & 1, i >> 2};
    const int weight = weight_of(tap, upper);
    if (weight == 0) continue;
    const int x = a[0].index[tap[0]], y = a[1].index[tap[1]], z = a[2].index[tap[2]];
    const bool border = x < 0 || y < 0 || z < 0;
    sum += weight * (border ? d.borderColor[0] : texels[(z * std::max(n.y, 1) + y) * n.x + x]);
  }
  return sum / 256;
}

void check(Extent n, cudaTextureAddressMode mode, bool linear, bool normalized) {
  const int dimensions = n.z != 0 ? 3 : n.y != 0 ? 2 : 1;
  const int total = n.x * std::max(n.y, 1) * std::max(n.z, 1);
  std::vector<float> texels(total);
  for (int i = 0; i < total; ++i) texels[i] = float((i * 37 + 11) % 101);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(n.x, n.y, n.z)));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(texels.data(), n.x * sizeof(float), n.x, std::max(n.y, 1));
  copy.dstArray = array;
  copy.extent = make_cudaExtent(n.x, std::max(n.y, 1), std::max(n.z, 1));
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));

  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  for (auto& one : description.addressMode) one = mode;
  description.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
  description.normalizedCoords = normalized;
  description.borderColor[0] = 5.5f;
  cudaTextureObject_t texture;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));

  std::vector<float4> at;
  const int extents[3] = {n.x, n.y, n.z};
  unsigned random = 12345;
  for (int i = 0; i < 300; ++i) {
    float p[3];
    for (int k = 0; k < 3; ++k) {
      random = random * 1664525u + 1013904223u;
      const float unit = float(random >> 8) / float(1 << 24);
      // From two extents before the image to two behind it, exact quarters of texels among them.
      float place = (unit * 5 - 2) * float(extents[k]);
      if (i % 3 == 0) place = std::floor(place * 4) / 4;
      p[k] = normalized && extents[k] != 0 ? place / float(extents[k]) : place;
    }
    at.push_back(make_float4(p[0], p[1], p[2], 0));
  }
  const int count = int(at.size());
  float* out = device_array<float>(count);
  float4* const places = to_device(at);
  look_up<<<(count + 127) / 128, 128>>>(texture, dimensions, places, out, count);
  const auto found = to_host(out, count);
  for (int i = 0; i < count; ++i) {
    const double expected = reference(texels, n, at[i], description);
    if (std::abs(found[i] - expected) > 1e-4 && failures < 5) {
      std::printf("%dD mode %d linear %d normalized %d at %.9g %.9g %.9g\n", dimensions, int(mode),
                  linear, normalized, at[i].x, at[i].y, at[i].z);
    }
    EXPECT_CLOSE(found[i], expected, 1e-4);
  }
  CHECK(cudaFree(out));
  CHECK(cudaFree(places));
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeArray(array));
}

int main() {
  for (const Extent n : {Extent{13, 0, 0}, Extent{16, 8, 0}, Extent{7, 5, 0}, Extent{8, 4, 6}}) {
    for (int mode = cudaAddressModeWrap; mode <= cudaAddressModeBorder; ++mode) {
      for (const bool linear : {false, true}) {
        for (const bool normalized : {false, true}) {
          check(n, cudaTextureAddressMode(mode), linear, normalized);
        }
      }
    }
  }
  return finish();
}
