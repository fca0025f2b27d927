// Surfaces: every access size and geometry, boundary modes, and the values that textures and copies
// then read.
#include "check.h"

template <class T>
__device__ T value(int seed);
template <>
__device__ unsigned char value(int seed) {
  return static_cast<unsigned char>(seed);
}
template <>
__device__ short value(int seed) {
  return static_cast<short>(seed * 100);
}
template <>
__device__ float value(int seed) {
  return seed * 0.5f;
}
template <>
__device__ float2 value(int seed) {
  return make_float2(seed, seed + 0.25f);
}
template <>
__device__ uint4 value(int seed) {
  return make_uint4(seed, seed + 1, seed + 2, seed + 3);
}

template <class T>
__global__ void write_2d(cudaSurfaceObject_t surface) {
  const int x = threadIdx.x, y = threadIdx.y;
  surf2Dwrite(value<T>(y * blockDim.x + x), surface, x * int(sizeof(T)), y);
}

// Mirrors the image within itself by way of another surface.
template <class T>
__global__ void mirror_2d(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
  const int x = threadIdx.x, y = threadIdx.y, width = blockDim.x;
  const T one = surf2Dread<T>(from, (width - 1 - x) * int(sizeof(T)), y);
  surf2Dwrite(one, to, x * int(sizeof(T)), y);
}

template <class T>
__global__ void expect_mirrored(cudaSurfaceObject_t surface, int* wrong) {
  const int x = threadIdx.x, y = threadIdx.y, width = blockDim.x;
  T found;
  surf2Dread(&found, surface, x * int(sizeof(T)), y);
  const T expected = value<T>(y * width + width - 1 - x);
  const char *a = reinterpret_cast<const char*>(&found),
             *b = reinterpret_cast<const char*>(&expected);
  for (size_t i = 0; i < sizeof(T); ++i) {
    if (a[i] != b[i]) atomicAdd(wrong, 1);
  }
}

cudaSurfaceObject_t make_surface(const cudaChannelFormatDesc& format, cudaExtent extent,
                                 unsigned flags, cudaArray_t* array) {
  CHECK(cudaMalloc3DArray(array, &format, extent, flags | cudaArraySurfaceLoadStore));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = *array;
  cudaSurfaceObject_t surface;
  CHECK(cudaCreateSurfaceObject(&surface, &resource));
  return surface;
}

template <class T>
void check_size() {
  const dim3 shape(19, 7);
  cudaArray_t a, b;
  const auto format = cudaCreateChannelDesc<T>();
  const auto first = make_surface(format, make_cudaExtent(shape.x, shape.y, 0), 0, &a);
  const auto second = make_surface(format, make_cudaExtent(shape.x, shape.y, 0), 0, &b);
  int* wrong = to_device(std::vector<int>{0});
  write_2d<T><<<1, shape>>>(first);
  mirror_2d<T><<<1, shape>>>(first, second);
  expect_mirrored<T><<<1, shape>>>(second, wrong);
  EXPECT_EQ(to_host(wrong, 1)[0], 0);
  CHECK(cudaDestroySurfaceObject(first));
  CHECK(cudaDestroySurfaceObject(second));
  CHECK(cudaFreeArray(a));
  CHECK(cudaFreeArray(b));
}

__global__ void beyond(cudaSurfaceObject_t surface, float* out) {
  const int i = threadIdx.x;
  // Writes outside: dropped, or at the edge.
  if (i == 0) surf2Dwrite(77.0f, surface, 4 * 100, 1, cudaBoundaryModeZero);
  if (i == 0) surf2Dwrite(55.0f, surface, 4 * 100, 100, cudaBoundaryModeClamp);
  if (i == 0) surf2Dwrite(44.0f, surface, -4, -1, cudaBoundaryModeClamp);
  __syncthreads();
  out[2 * i] = surf2Dread<float>(surface, 4 * (i - 4), 1, cudaBoundaryModeZero);
  out[2 * i + 1] = surf2Dread<float>(surface, 4 * (i - 4), 1, cudaBoundaryModeClamp);
}

void check_boundaries() {
  const int width = 8, height = 4;
  std::vector<float> texels(width * height);
  for (int i = 0; i < width * height; ++i) texels[i] = float(i + 1);
  cudaArray_t array;
  const auto surface =
      make_surface(cudaCreateChannelDesc<float>(), make_cudaExtent(width, height, 0), 0, &array);
  CHECK(cudaMemcpy2DToArray(array, 0, 0, texels.data(), width * 4, width * 4, height,
                            cudaMemcpyHostToDevice));
  float* out = device_array<float>(32);
  beyond<<<1, 16>>>(surface, out);
  const auto found = to_host(out, 32);
  for (int i = 0; i < 16; ++i) {
    const int x = i - 4, inside = std::min(std::max(x, 0), width - 1);
    EXPECT_EQ_AT(i, found[2 * i], x < 0 || x >= width ? 0 : texels[width + x]);
    EXPECT_EQ_AT(i, found[2 * i + 1], texels[width + inside]);
  }
  std::vector<float> after(width * height);
  CHECK(cudaMemcpy2DFromArray(after.data(), width * 4, array, 0, 0, width * 4, height,
                              cudaMemcpyDeviceToHost));
  texels.front() = 44;
  texels.back() = 55;
  for (int i = 0; i < width * height; ++i) EXPECT_EQ_AT(i, after[i], texels[i]);
}

__global__ void fill(cudaSurfaceObject_t line, cudaSurfaceObject_t lines,
                     cudaSurfaceObject_t layers, cudaSurfaceObject_t volume,
                     cudaSurfaceObject_t cube) {
  const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  const int one = x + 10 * y + 100 * z;
  if (y == 0 && z == 0) surf1Dwrite(one, line, x * 4);
  if (y == 0) surf1DLayeredwrite(one, lines, x * 4, z);
  surf2DLayeredwrite(one, layers, x * 4, y, z);
  surf3Dwrite(one, volume, x * 4, y, z);
  surfCubemapwrite(one, cube, x * 4, y, z);
}

__global__ void compare(cudaSurfaceObject_t line, cudaSurfaceObject_t lines,
                        cudaSurfaceObject_t layers, cudaSurfaceObject_t volume,
                        cudaSurfaceObject_t cube, int* wrong) {
  const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  const int one = x + 10 * y + 100 * z;
  int bad = 0;
  if (y == 0 && z == 0) bad += surf1Dread<int>(line, x * 4) != one;
  if (y == 0) bad += surf1DLayeredread<int>(lines, x * 4, z) != one;
  bad += surf2DLayeredread<int>(layers, x * 4, y, z) != one;
  bad += surf3Dread<int>(volume, x * 4, y, z) != one;
  bad += surfCubemapread<int>(cube, x * 4, y, z) != one;
  if (bad != 0) atomicAdd(wrong, bad);
}

void check_geometries() {
  cudaArray_t arrays[5];
  const auto format = cudaCreateChannelDesc<int>();
  const auto line = make_surface(format, make_cudaExtent(6, 0, 0), 0, &arrays[0]);
  const auto lines = make_surface(format, make_cudaExtent(6, 0, 6), cudaArrayLayered, &arrays[1]);
  const auto layers = make_surface(format, make_cudaExtent(6, 6, 6), cudaArrayLayered, &arrays[2]);
  const auto volume = make_surface(format, make_cudaExtent(6, 6, 6), 0, &arrays[3]);
  const auto cube = make_surface(format, make_cudaExtent(6, 6, 6), cudaArrayCubemap, &arrays[4]);
  int* wrong = to_device(std::vector<int>{0});
  fill<<<1, dim3(6, 6, 6)>>>(line, lines, layers, volume, cube);
  compare<<<1, dim3(6, 6, 6)>>>(line, lines, layers, volume, cube, wrong);
  EXPECT_EQ(to_host(wrong, 1)[0], 0);
}

int main() {
  check_size<unsigned char>();
  check_size<short>();
  check_size<float>();
  check_size<float2>();
  check_size<uint4>();
  check_boundaries();
  check_geometries();
  return finish();
}
