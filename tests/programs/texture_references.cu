// compiler: clang
// Texture and surface references, as programs for CUDA 11 and before have them: bound to linear and
// pitched memory and to arrays, rebound between launches.
#include "check.h"

texture<float, cudaTextureType1D> line;
texture<int4, 1, cudaReadModeElementType> quads;
texture<unsigned char, cudaTextureType2D, cudaReadModeNormalizedFloat> image;
texture<float, cudaTextureType2D, cudaReadModeElementType> plane;
surface<void, cudaSurfaceType2D> target;

__global__ void read_line(float* out) { out[threadIdx.x] = tex1Dfetch(line, threadIdx.x); }
__global__ void read_quads(int* out) {
  const int4 q = tex1Dfetch(quads, threadIdx.x);
  out[threadIdx.x] = q.x + q.y + q.z + q.w;
}
__global__ void read_image(float* out, float scale) {
  out[threadIdx.y * blockDim.x + threadIdx.x] =
      tex2D(image, (threadIdx.x + 0.5f) * scale, (threadIdx.y + 0.5f) * scale);
}
__global__ void read_plane(float* out) {
  out[threadIdx.y * blockDim.x + threadIdx.x] = tex2D(plane, threadIdx.x, threadIdx.y);
}
__global__ void write_target() {
  surf2Dwrite(threadIdx.x * 10.0f + threadIdx.y, target, threadIdx.x * 4, threadIdx.y);
}

int main() {
  std::vector<float> a(64), b(64);
  for (int i = 0; i < 64; ++i) a[i] = float(i), b[i] = float(-i);
  float *first = to_device(a), *second = to_device(b);
  float* out = device_array<float>(128);
  size_t offset = 1;
  CHECK(cudaBindTexture(&offset, line, first, 64 * sizeof(float)));
  EXPECT_EQ(offset, 0u);
  read_line<<<1, 64>>>(out);
  // The launch before keeps what was bound then.
  CHECK(cudaBindTexture(nullptr, line, second));
  read_line<<<1, 64>>>(out + 64);
  const auto lines = to_host(out, 128);
  for (int i = 0; i < 64; ++i) {
    EXPECT_EQ_AT(i, lines[i], a[i]);
    EXPECT_EQ_AT(i, lines[64 + i], b[i]);
  }
  CHECK(cudaUnbindTexture(line));

  std::vector<int4> q(32);
  for (int i = 0; i < 32; ++i) q[i] = make_int4(i, 2 * i, 3 * i, -i);
  const auto int4_format = cudaCreateChannelDesc<int4>();
  CHECK(cudaBindTexture(nullptr, quads, to_device(q), int4_format, 32 * sizeof(int4)));
  int* sums = device_array<int>(32);
  read_quads<<<1, 32>>>(sums);
  const auto found_sums = to_host(sums, 32);
  for (int i = 0; i < 32; ++i) EXPECT_EQ_AT(i, found_sums[i], 5 * i);

  const int n = 8;
  std::vector<unsigned char> pixels(n * n);
  for (int i = 0; i < n * n; ++i) pixels[i] = static_cast<unsigned char>(i * 3);
  const auto byte_format = cudaCreateChannelDesc<unsigned char>();
  cudaArray_t array;
  CHECK(cudaMallocArray(&array, &byte_format, n, n));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, pixels.data(), n, n, n, cudaMemcpyHostToDevice));
  image.normalized = 1;
  image.filterMode = cudaFilterModeLinear;
  image.addressMode[0] = image.addressMode[1] = cudaAddressModeWrap;
  CHECK(cudaBindTextureToArray(image, array));
  read_image<<<1, dim3(n, n)>>>(out, 1.0f / n);
  const auto found = to_host(out, n * n);
  for (int i = 0; i < n * n; ++i) EXPECT_CLOSE(found[i], pixels[i] / 255.0, 1e-6);

  float* rows = nullptr;
  size_t pitch = 0;
  CHECK(cudaMallocPitch(&rows, &pitch, n * sizeof(float), n));
  CHECK(cudaMemcpy2D(rows, pitch, a.data(), n * 4, n * 4, n, cudaMemcpyHostToDevice));
  CHECK(cudaBindTexture2D(nullptr, plane, rows, n, n, pitch));
  read_plane<<<1, dim3(n, n)>>>(out);
  const auto found_rows = to_host(out, n * n);
  for (int i = 0; i < n * n; ++i) EXPECT_EQ_AT(i, found_rows[i], a[i]);

  const auto float_format = cudaCreateChannelDesc<float>();
  cudaArray_t written;
  CHECK(cudaMallocArray(&written, &float_format, n, n, cudaArraySurfaceLoadStore));
  CHECK(cudaBindSurfaceToArray(target, written));
  write_target<<<1, dim3(n, n)>>>();
  std::vector<float> back(n * n);
  CHECK(cudaMemcpy2DFromArray(back.data(), n * 4, written, 0, 0, n * 4, n, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n * n; ++i) EXPECT_EQ_AT(i, back[i], i % n * 10 + i / n);

  // What cannot be.
  textureReference unknown = {};
  EXPECT_EQ(cudaUnbindTexture(&unknown), cudaErrorInvalidTexture);
  cudaGetLastError();
  return finish();
}
