// Channel formats: integers of every width, normalized reads, half, sRGB; linear and pitched
// memory.
#include <cuda_fp16.h>

#include <cstring>

#include "check.h"

template <class T>
__global__ void fetch(cudaTextureObject_t texture, T* out, int count) {
  const int i = threadIdx.x;
  if (i < count)
    out[i] = tex1Dfetch<T>(texture, i - 2);  // two before the start, two behind the end
}

template <class T>
__global__ void read_2d(cudaTextureObject_t texture, T* out, int width) {
  out[threadIdx.y * width + threadIdx.x] =
      tex2D<T>(texture, threadIdx.x + 0.5f, threadIdx.y + 0.5f);
}

cudaTextureObject_t make(const cudaResourceDesc& resource, cudaTextureReadMode read,
                         bool srgb = false, cudaTextureFilterMode filter = cudaFilterModePoint) {
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  description.filterMode = filter;
  description.readMode = read;
  description.sRGB = srgb;
  cudaTextureObject_t texture;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  return texture;
}

template <class T>
void check_linear(const cudaChannelFormatDesc& format) {
  std::vector<T> values(20);
  for (size_t i = 0; i < values.size() * sizeof(T); ++i) {
    reinterpret_cast<unsigned char*>(values.data())[i] = static_cast<unsigned char>(i * 73 + 5);
  }
  if (format.f == cudaChannelFormatKindFloat) {
    for (size_t i = 0; i < values.size() * sizeof(T) / 4; ++i) {
      reinterpret_cast<float*>(values.data())[i] = float(i) * 1.25f - 7;
    }
  }
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = to_device(values);
  resource.res.linear.desc = format;
  resource.res.linear.sizeInBytes = values.size() * sizeof(T);
  const cudaTextureObject_t texture = make(resource, cudaReadModeElementType);
  T* out = device_array<T>(24);
  fetch<<<1, 32>>>(texture, out, 24);
  const auto found = to_host(out, 24);
  const T zero = {};
  for (int i = 0; i < 24; ++i) {
    const T expected = i < 2 || i >= 22 ? zero : values[i - 2];
    EXPECT(std::memcmp(&found[i], &expected, sizeof(T)) == 0);
  }
  CHECK(cudaDestroyTextureObject(texture));
}

cudaArray_t make_array(const cudaChannelFormatDesc& format, const void* texels, int width,
                       int height, int bytes) {
  cudaArray_t array;
  CHECK(cudaMallocArray(&array, &format, width, height));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, texels, width * bytes, width * bytes, height,
                            cudaMemcpyHostToDevice));
  return array;
}

template <class T, class Read>
std::vector<Read> read_array(const cudaChannelFormatDesc& format, const std::vector<T>& texels,
                             int width, cudaTextureReadMode mode, bool srgb = false) {
  const int height = int(texels.size()) / width;
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = make_array(format, texels.data(), width, height, sizeof(T));
  const cudaTextureObject_t texture = make(resource, mode, srgb);
  Read* out = device_array<Read>(texels.size());
  read_2d<<<1, dim3(width, height)>>>(texture, out, width);
  return to_host(out, texels.size());
}

void check_normalized() {
  std::vector<uchar4> bytes(16);
  std::vector<short> words(16);
  std::vector<char2> signed_bytes(16);
  std::vector<ushort1> unsigned_words(16);
  for (int i = 0; i < 16; ++i) {
    bytes[i] = make_uchar4(i * 17, 255 - i, i, 128);
    words[i] = short(i * 4369 - 32768);
    signed_bytes[i] = make_char2(i * 16 - 128, 127 - i);
    unsigned_words[i] = make_ushort1(i * 4369);
  }
  const auto a = read_array<uchar4, float4>(cudaCreateChannelDesc<uchar4>(), bytes, 4,
                                            cudaReadModeNormalizedFloat);
  const auto b = read_array<short, float>(cudaCreateChannelDesc<short>(), words, 4,
                                          cudaReadModeNormalizedFloat);
  const auto c = read_array<char2, float2>(cudaCreateChannelDesc<char2>(), signed_bytes, 8,
                                           cudaReadModeNormalizedFloat);
  const auto d = read_array<ushort1, float1>(cudaCreateChannelDesc<ushort1>(), unsigned_words, 16,
                                             cudaReadModeNormalizedFloat);
  for (int i = 0; i < 16; ++i) {
    EXPECT_CLOSE(a[i].x, bytes[i].x / 255.0, 1e-7);
    EXPECT_CLOSE(a[i].y, bytes[i].y / 255.0, 1e-7);
    EXPECT_CLOSE(a[i].z, bytes[i].z / 255.0, 1e-7);
    EXPECT_CLOSE(a[i].w, bytes[i].w / 255.0, 1e-7);
    EXPECT_CLOSE(b[i], std::max(words[i] / 32767.0, -1.0), 1e-7);
    EXPECT_CLOSE(c[i].x, std::max(signed_bytes[i].x / 127.0, -1.0), 1e-7);
    EXPECT_CLOSE(c[i].y, std::max(signed_bytes[i].y / 127.0, -1.0), 1e-7);
    EXPECT_CLOSE(d[i].x, unsigned_words[i].x / 65535.0, 1e-7);
  }
}

// Colours are linear after an sRGB read, alpha stays as it is. An NVIDIA H200 (CUDA 13.0) has linear
// colours to about 8 significant bits; the darkest are multiples of 2^-14.
void check_srgb() {
  std::vector<uchar4> texels(16);
  for (int i = 0; i < 16; ++i) texels[i] = make_uchar4(i * 17, 5, 12, 100 + i);
  const auto found = read_array<uchar4, float4>(cudaCreateChannelDesc<uchar4>(), texels, 4,
                                                cudaReadModeNormalizedFloat, true);
  const auto linear = [](double s) {
    return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
  };
  const double h200[] = {0x1.7p-8, 0x1.06p-6, 0x1.1p-5};  // of 17, 34 and 51
  for (int i = 0; i < 3; ++i) EXPECT_EQ_AT(i, found[i + 1].x, float(h200[i]));
  for (int i = 0; i < 16; ++i) {
    const double exact = linear(texels[i].x / 255.0);
    EXPECT_CLOSE(found[i].x, exact, exact * 0x1p-8);
    EXPECT_EQ_AT(i, found[i].y, 25 * 0x1p-14f);
    EXPECT_EQ_AT(i, found[i].z, 60 * 0x1p-14f);
    EXPECT_CLOSE(found[i].w, texels[i].w / 255.0, 1e-7);
  }
}

void check_half() {
  std::vector<__half> texels(16);
  for (int i = 0; i < 16; ++i) texels[i] = __float2half(i * 0.375f - 3);
  const auto found =
      read_array<__half, float>(cudaCreateChannelDescHalf(), texels, 4, cudaReadModeElementType);
  for (int i = 0; i < 16; ++i) EXPECT_EQ_AT(i, found[i], i * 0.375f - 3);
}

void check_pitched() {
  const int width = 12, height = 9;
  float* memory = nullptr;
  size_t pitch = 0;
  CHECK(cudaMallocPitch(&memory, &pitch, width * sizeof(float), height));
  std::vector<float> texels(width * height);
  for (int i = 0; i < width * height; ++i) texels[i] = float(i) * 3;
  CHECK(cudaMemcpy2D(memory, pitch, texels.data(), width * sizeof(float), width * sizeof(float),
                     height, cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = memory;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  resource.res.pitch2D.width = width;
  resource.res.pitch2D.height = height;
  resource.res.pitch2D.pitchInBytes = pitch;
  const cudaTextureObject_t texture =
      make(resource, cudaReadModeElementType, false, cudaFilterModeLinear);
  float* out = device_array<float>(width * height);
  read_2d<<<1, dim3(width, height)>>>(texture, out, width);
  const auto found = to_host(out, width * height);
  for (int i = 0; i < width * height; ++i) EXPECT_EQ_AT(i, found[i], texels[i]);
}

int main() {
  check_linear<char>(cudaCreateChannelDesc<char>());
  check_linear<unsigned char>(cudaCreateChannelDesc<unsigned char>());
  check_linear<char4>(cudaCreateChannelDesc<char4>());
  check_linear<uchar2>(cudaCreateChannelDesc<uchar2>());
  check_linear<short>(cudaCreateChannelDesc<short>());
  check_linear<ushort4>(cudaCreateChannelDesc<ushort4>());
  check_linear<int>(cudaCreateChannelDesc<int>());
  check_linear<unsigned>(cudaCreateChannelDesc<unsigned>());
  check_linear<int2>(cudaCreateChannelDesc<int2>());
  check_linear<uint4>(cudaCreateChannelDesc<uint4>());
  check_linear<float>(cudaCreateChannelDesc<float>());
  check_linear<float2>(cudaCreateChannelDesc<float2>());
  check_linear<float4>(cudaCreateChannelDesc<float4>());
  check_normalized();
  check_srgb();
  check_half();
  check_pitched();
  return finish();
}
