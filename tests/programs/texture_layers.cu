// Layered arrays, cubemaps, mipmaps with levels and gradients, gathers, and views of a resource.
#include "check.h"

cudaTextureObject_t make_texture(const cudaResourceDesc& resource, cudaTextureDesc description,
                                 const cudaResourceViewDesc* view = nullptr) {
  cudaTextureObject_t texture;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, view));
  return texture;
}

cudaTextureDesc clamped(bool linear, bool normalized) {
  cudaTextureDesc description = {};
  for (auto& mode : description.addressMode) mode = cudaAddressModeClamp;
  description.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
  description.normalizedCoords = normalized;
  return description;
}

cudaArray_t filled_array(cudaExtent extent, unsigned flags, const std::vector<float>& texels) {
  const auto format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  CHECK(cudaMalloc3DArray(&array, &format, extent, flags));
  cudaMemcpy3DParms copy = {};
  const size_t rows = extent.height == 0 ? 1 : extent.height;
  copy.srcPtr = make_cudaPitchedPtr(const_cast<float*>(texels.data()), extent.width * sizeof(float),
                                    extent.width, rows);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(extent.width, rows, extent.depth);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  return array;
}

cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

__global__ void read_layers(cudaTextureObject_t lines, cudaTextureObject_t planes, float* out) {
  const int x = threadIdx.x, y = threadIdx.y, layer = threadIdx.z;
  const int i = (layer * blockDim.y + y) * blockDim.x + x;
  out[2 * i] = tex1DLayered<float>(lines, x + 0.5f, layer);
  out[2 * i + 1] = tex2DLayered<float>(planes, x + 0.5f, y + 0.5f, layer);
}

void check_layers() {
  const int w = 8, h = 4, layers = 5;
  std::vector<float> lines(w * layers), planes(w * h * layers);
  for (size_t i = 0; i < lines.size(); ++i) lines[i] = float(i);
  for (size_t i = 0; i < planes.size(); ++i) planes[i] = float(i) * 2;
  const auto one = make_texture(
      resource_of(filled_array(make_cudaExtent(w, 0, layers), cudaArrayLayered, lines)),
      clamped(false, false));
  const cudaArray_t array = filled_array(make_cudaExtent(w, h, layers), cudaArrayLayered, planes);
  const auto two = make_texture(resource_of(array), clamped(true, false));
  float* out = device_array<float>(2 * w * h * layers);
  read_layers<<<1, dim3(w, h, layers)>>>(one, two, out);
  auto found = to_host(out, 2 * w * h * layers);
  for (int i = 0; i < w * h * layers; ++i) {
    EXPECT_EQ_AT(i, found[2 * i], lines[i / (w * h) * w + i % w]);
    EXPECT_EQ_AT(i, found[2 * i + 1], planes[i]);
  }
  // A view of layers 2 to 4: layer 0 is layer 2, and what is beyond stays at the last.
  cudaResourceViewDesc view = {};
  view.format = cudaResViewFormatFloat1;
  view.width = w;
  view.height = h;
  view.depth = layers;  // of the array, as all of its extents (NVIDIA H200, CUDA 13.0)
  view.firstLayer = 2;
  view.lastLayer = 4;
  const auto part = make_texture(resource_of(array), clamped(false, false), &view);
  read_layers<<<1, dim3(w, h, layers)>>>(one, part, out);
  found = to_host(out, 2 * w * h * layers);
  for (int i = 0; i < w * h * layers; ++i) {
    const int layer = std::min(i / (w * h) + 2, 4);
    EXPECT_EQ_AT(i, found[2 * i + 1], planes[layer * w * h + i % (w * h)]);
  }
}

__global__ void read_cube(cudaTextureObject_t cube, cudaTextureObject_t cubes, const float4* at,
                          float* out) {
  const int i = threadIdx.x;
  out[2 * i] = texCubemap<float>(cube, at[i].x, at[i].y, at[i].z);
  out[2 * i + 1] = texCubemapLayered<float>(cubes, at[i].x, at[i].y, at[i].z, 1);
}

// Each face's number at its own direction, and the rows of the guide's table for s and t.
void check_cubes() {
  const int n = 4;
  std::vector<float> cube(n * n * 6), cubes(n * n * 12);
  for (size_t i = 0; i < cube.size(); ++i) cube[i] = float(i);
  for (size_t i = 0; i < cubes.size(); ++i) cubes[i] = float(i) + 1000;
  const auto a =
      make_texture(resource_of(filled_array(make_cudaExtent(n, n, 6), cudaArrayCubemap, cube)),
                   clamped(false, true));
  const auto b = make_texture(resource_of(filled_array(make_cudaExtent(n, n, 12),
                                                       cudaArrayCubemap | cudaArrayLayered, cubes)),
                              clamped(false, true));
  std::vector<float4> at;
  std::vector<int> texel;
  const auto add = [&](float x, float y, float z, int face, float s, float t) {
    at.push_back(make_float4(x, y, z, 0));
    const int i = int((s + 1) / 2 * n), j = int((t + 1) / 2 * n);
    texel.push_back((face * n + j) * n + i);
  };
  for (const float u : {-0.8f, -0.1f, 0.3f, 0.9f}) {
    const float v = u * 0.5f + 0.2f;
    add(1, u, v, 0, -v, -u);
    add(-1, u, v, 1, v, -u);
    add(u, 1, v, 2, u, v);
    add(u, -1, v, 3, u, -v);
    add(u, v, 1, 4, u, -v);
    add(u, v, -1, 5, -u, -v);
  }
  const int count = int(at.size());
  float* out = device_array<float>(2 * count);
  read_cube<<<1, count>>>(a, b, to_device(at), out);
  const auto found = to_host(out, 2 * count);
  for (int i = 0; i < count; ++i) {
    EXPECT_EQ_AT(i, found[2 * i], cube[texel[i]]);
    EXPECT_EQ_AT(i, found[2 * i + 1], cubes[n * n * 6 + texel[i]]);
  }
}

__global__ void read_levels(cudaTextureObject_t texture, float* out, int count) {
  const int i = threadIdx.x;
  if (i >= count) return;
  const float level = i * 0.25f;
  out[3 * i] = tex2DLod<float>(texture, 0.5f, 0.5f, level);
  // Steps of 2^level texels of a 16 x 16 image.
  const float step = exp2f(level) / 16;
  out[3 * i + 1] =
      tex2DGrad<float>(texture, 0.5f, 0.5f, make_float2(step, 0), make_float2(0, step / 2));
  out[3 * i + 2] = tex2D<float>(texture, 0.5f, 0.5f);
}

void check_levels() {
  const int size = 16, levels = 5;
  const auto format = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t mipmap;
  CHECK(cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(size, size, 0), levels));
  for (int level = 0; level < levels; ++level) {
    const int n = size >> level;
    const std::vector<float> texels(n * n, float(level * level));
    cudaArray_t array;
    CHECK(cudaGetMipmappedArrayLevel(&array, mipmap, level));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, texels.data(), n * 4, n * 4, n, cudaMemcpyHostToDevice));
    cudaExtent extent;
    CHECK(cudaArrayGetInfo(nullptr, &extent, nullptr, array));
    EXPECT_EQ(extent.width, size_t(n));
  }
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = mipmap;
  float* out = device_array<float>(3 * 24);
  for (const bool blend : {false, true}) {
    cudaTextureDesc description = clamped(true, true);
    description.mipmapFilterMode = blend ? cudaFilterModeLinear : cudaFilterModePoint;
    description.maxMipmapLevelClamp = 3.5f;
    const auto texture = make_texture(resource, description);
    read_levels<<<1, 32>>>(texture, out, 24);
    const auto found = to_host(out, 3 * 24);
    for (int i = 0; i < 24; ++i) {
      const double lod = std::min(i * 0.25, 3.5);
      const int low = int(std::floor(lod));
      const double part = lod - low, near = std::floor(lod + 0.5);
      const double expected =
          blend ? (1 - part) * low * low + part * (low + 1) * (low + 1) : near * near;
      EXPECT_CLOSE(found[3 * i], expected, 1e-5);
      // exp2f and the logarithm may be off by an ulp; a half is then either level.
      if (blend || i % 4 != 2) EXPECT_CLOSE(found[3 * i + 1], expected, 0.05);
      EXPECT_EQ_AT(i, found[3 * i + 2], 0);
    }
    CHECK(cudaDestroyTextureObject(texture));
  }
  cudaResourceViewDesc view = {};
  view.format = cudaResViewFormatFloat1;
  view.width = view.height = size;  // of level 0
  view.firstMipmapLevel = 1;
  view.lastMipmapLevel = 2;
  cudaTextureDesc description = clamped(false, true);
  description.maxMipmapLevelClamp = 10;
  const auto part = make_texture(resource, description, &view);
  read_levels<<<1, 32>>>(part, out, 24);
  const auto found = to_host(out, 3 * 24);
  EXPECT_EQ(found[0], 1);
  EXPECT_EQ(found[3 * 23], 4);
  CHECK(cudaFreeMipmappedArray(mipmap));
}

__global__ void gather(cudaTextureObject_t texture, float4* out) {
  out[0] = tex2Dgather<float4>(texture, 2.0f, 1.0f);
  out[1] = tex2Dgather<float4>(texture, 2.0f, 1.0f, 1);
}

// Column then row, from the lower left round to the upper left of the four texels.
void check_gather() {
  const auto format = cudaCreateChannelDesc<float2>();
  std::vector<float2> texels(16);
  for (int i = 0; i < 16; ++i) texels[i] = make_float2(float(i), float(i + 100));
  cudaArray_t array;
  CHECK(cudaMallocArray(&array, &format, 4, 4, cudaArrayTextureGather));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, texels.data(), 32, 32, 4, cudaMemcpyHostToDevice));
  float4* out = device_array<float4>(2);
  gather<<<1, 1>>>(make_texture(resource_of(array), clamped(true, false)), out);
  const auto found = to_host(out, 2);
  const int at[] = {5, 6, 2, 1};
  const float first[] = {found[0].x, found[0].y, found[0].z, found[0].w};
  const float second[] = {found[1].x, found[1].y, found[1].z, found[1].w};
  for (int n = 0; n < 4; ++n) {
    EXPECT_EQ_AT(n, first[n], at[n]);
    EXPECT_EQ_AT(n, second[n], at[n] + 100);
  }
}

int main() {
  check_layers();
  check_cubes();
  check_levels();
  check_gather();
  return finish();
}
