// Kernels that need many registers, with 256 threads a block. MIN_BLOCKS blocks must fit on a
// multiprocessor.
#ifndef MIN_BLOCKS
#define BOUNDS __launch_bounds__(256)
#else
#define BOUNDS __launch_bounds__(256, MIN_BLOCKS)
#endif

// 48 double values that are all needed again.
extern "C" __global__ void BOUNDS many_values(const double* in, double* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v[48];
#pragma unroll
  for (int k = 0; k < 48; ++k) v[k] = in[i + k * n];
  double sum = 0;
#pragma unroll
  for (int k = 0; k < 48; ++k) sum += v[k];
#pragma unroll
  for (int k = 0; k < 48; ++k) out[i + k * n] = v[k] * sum;
}

// The same of floats, over a loop.
extern "C" __global__ void BOUNDS many_floats(const float* in, float* out, int n, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[48];
#pragma unroll
  for (int k = 0; k < 48; ++k) v[k] = in[i + k * n];
  for (int s = 0; s < steps; ++s) {
#pragma unroll
    for (int k = 0; k < 48; ++k) v[k] = v[k] * v[(k + 1) % 48] + v[(k + 7) % 48];
  }
#pragma unroll
  for (int k = 0; k < 48; ++k) out[i + k * n] = v[k];
}

// C = A B, 128 x 128 a block, 8 x 8 a thread.
extern "C" __global__ void BOUNDS sgemm(const float* __restrict__ a, const float* __restrict__ b,
                                        float* __restrict__ c, int n) {
  __shared__ float sa[8][128], sb[8][128];
  const int t = threadIdx.x, tx = t % 16, ty = t / 16;
  const float* pa = a + (blockIdx.y * 128 + t / 2) * n + (t % 2) * 4;
  const float* pb = b + (t / 32) * n + blockIdx.x * 128 + (t % 32) * 4;
  float acc[8][8] = {};
  for (int k0 = 0; k0 < n; k0 += 8) {
    const float4 va = *reinterpret_cast<const float4*>(pa + k0);
    const float4 vb = *reinterpret_cast<const float4*>(pb + k0 * n);
    __syncthreads();
    sa[(t % 2) * 4 + 0][t / 2] = va.x;
    sa[(t % 2) * 4 + 1][t / 2] = va.y;
    sa[(t % 2) * 4 + 2][t / 2] = va.z;
    sa[(t % 2) * 4 + 3][t / 2] = va.w;
    *reinterpret_cast<float4*>(&sb[t / 32][(t % 32) * 4]) = vb;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      float ra[8], rb[8];
#pragma unroll
      for (int i = 0; i < 8; ++i) ra[i] = sa[k][ty * 8 + i];
#pragma unroll
      for (int i = 0; i < 8; ++i) rb[i] = sb[k][tx * 8 + i];
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j) acc[i][j] += ra[i] * rb[j];
    }
  }
#pragma unroll
  for (int i = 0; i < 8; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j)
      c[(blockIdx.y * 128 + ty * 8 + i) * n + blockIdx.x * 128 + tx * 8 + j] = acc[i][j];
}

// A column of a 27-point stencil, nine weights and three planes in registers.
extern "C" __global__ void BOUNDS stencil27(const float* __restrict__ in, float* __restrict__ out,
                                            const float* __restrict__ w, int nx, int ny, int nz) {
  const int x = blockIdx.x * 32 + threadIdx.x % 32 + 1, y = blockIdx.y * 8 + threadIdx.x / 32 + 1;
  const int plane = nx * ny;
  float weight[27], p[3][9];
#pragma unroll
  for (int k = 0; k < 27; ++k) weight[k] = w[k];
  const float* from = in + y * nx + x;
#pragma unroll
  for (int z = 0; z < 2; ++z)
#pragma unroll
    for (int k = 0; k < 9; ++k) p[z][k] = from[z * plane + (k / 3 - 1) * nx + k % 3 - 1];
  for (int z = 1; z < nz - 1; ++z) {
#pragma unroll
    for (int k = 0; k < 9; ++k) p[2][k] = from[(z + 1) * plane + (k / 3 - 1) * nx + k % 3 - 1];
    float sum = 0;
#pragma unroll
    for (int d = 0; d < 3; ++d)
#pragma unroll
      for (int k = 0; k < 9; ++k) sum += weight[d * 9 + k] * p[d][k];
    out[z * plane + y * nx + x] = sum;
#pragma unroll
    for (int k = 0; k < 9; ++k) {
      p[0][k] = p[1][k];
      p[1][k] = p[2][k];
    }
  }
}

// Four bodies a thread, tiles of the others in shared memory, eight at a time.
extern "C" __global__ void BOUNDS bodies(const float4* __restrict__ body,
                                         float4* __restrict__ force, int n) {
  __shared__ float4 tile[256];
  float4 me[4];
  float ax[4] = {}, ay[4] = {}, az[4] = {};
#pragma unroll
  for (int i = 0; i < 4; ++i) me[i] = body[(blockIdx.x * 4 + i) * 256 + threadIdx.x];
  for (int first = 0; first < n; first += 256) {
    tile[threadIdx.x] = body[first + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int j = 0; j < 256; ++j) {
      const float4 other = tile[j];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const float dx = other.x - me[i].x, dy = other.y - me[i].y, dz = other.z - me[i].z;
        const float inv = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-9f);
        const float s = other.w * inv * inv * inv;
        ax[i] += dx * s;
        ay[i] += dy * s;
        az[i] += dz * s;
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
    force[(blockIdx.x * 4 + i) * 256 + threadIdx.x] = make_float4(ax[i], ay[i], az[i], me[i].w);
}

// 32 keys a thread, sorted by a bitonic network.
extern "C" __global__ void BOUNDS sort32(const unsigned* in, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned key[32];
#pragma unroll
  for (int k = 0; k < 32; ++k) key[k] = in[k * n + i];
#pragma unroll
  for (int size = 2; size <= 32; size *= 2)
#pragma unroll
    for (int stride = size / 2; stride > 0; stride /= 2)
#pragma unroll
      for (int k = 0; k < 32; ++k) {
        const int other = k ^ stride;
        if (other > k) {
          const bool up = (k & size) == 0;
          const unsigned lo = min(key[k], key[other]), hi = max(key[k], key[other]);
          key[k] = up ? lo : hi;
          key[other] = up ? hi : lo;
        }
      }
#pragma unroll
  for (int k = 0; k < 32; ++k) out[k * n + i] = key[k];
}

__device__ inline void dct8(float* v, int step) {
  const float s0 = v[0] + v[7 * step], s1 = v[step] + v[6 * step], s2 = v[2 * step] + v[5 * step],
              s3 = v[3 * step] + v[4 * step];
  const float d0 = v[0] - v[7 * step], d1 = v[step] - v[6 * step], d2 = v[2 * step] - v[5 * step],
              d3 = v[3 * step] - v[4 * step];
  v[0] = 0.35355339f * (s0 + s1 + s2 + s3);
  v[4 * step] = 0.35355339f * (s0 - s1 - s2 + s3);
  v[2 * step] = 0.46193977f * (s0 - s3) + 0.19134172f * (s1 - s2);
  v[6 * step] = 0.19134172f * (s0 - s3) - 0.46193977f * (s1 - s2);
  v[step] = 0.49039264f * d0 + 0.41573481f * d1 + 0.27778512f * d2 + 0.09754516f * d3;
  v[3 * step] = 0.41573481f * d0 - 0.09754516f * d1 - 0.49039264f * d2 - 0.27778512f * d3;
  v[5 * step] = 0.27778512f * d0 - 0.49039264f * d1 + 0.09754516f * d2 + 0.41573481f * d3;
  v[7 * step] = 0.09754516f * d0 - 0.27778512f * d1 + 0.41573481f * d2 - 0.49039264f * d3;
}

// An 8 x 8 cosine transform a thread.
extern "C" __global__ void BOUNDS dct(const float* in, float* out, int pitch) {
  const int x = (blockIdx.x * blockDim.x + threadIdx.x) * 8, y = blockIdx.y * 8;
  float v[64];
#pragma unroll
  for (int r = 0; r < 8; ++r)
#pragma unroll
    for (int c = 0; c < 8; ++c) v[r * 8 + c] = in[(y + r) * pitch + x + c];
#pragma unroll
  for (int r = 0; r < 8; ++r) dct8(v + r * 8, 1);
#pragma unroll
  for (int c = 0; c < 8; ++c) dct8(v + c, 8);
#pragma unroll
  for (int r = 0; r < 8; ++r)
#pragma unroll
    for (int c = 0; c < 8; ++c) out[(y + r) * pitch + x + c] = v[r * 8 + c];
}

__device__ inline float normal(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  const float c =
      0.39894228f * __expf(-0.5f * d * d) *
      (k * (0.31938153f +
            k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1.0f - c : c;
}

// Black and Scholes, four options at a time.
extern "C" __global__ void BOUNDS options(const float4* s, const float4* x, const float4* t,
                                          float4* call, float4* put, float r, float v, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float4 s4 = s[i], x4 = x[i], t4 = t[i];
    const float ss[4] = {s4.x, s4.y, s4.z, s4.w}, xx[4] = {x4.x, x4.y, x4.z, x4.w},
                tt[4] = {t4.x, t4.y, t4.z, t4.w};
    float cc[4], pp[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const float root = sqrtf(tt[k]);
      const float d1 = (__logf(ss[k] / xx[k]) + (r + 0.5f * v * v) * tt[k]) / (v * root),
                  d2 = d1 - v * root;
      const float n1 = normal(d1), n2 = normal(d2), e = __expf(-r * tt[k]);
      cc[k] = ss[k] * n1 - xx[k] * e * n2;
      pp[k] = xx[k] * e * (1.0f - n2) - ss[k] * (1.0f - n1);
    }
    call[i] = make_float4(cc[0], cc[1], cc[2], cc[3]);
    put[i] = make_float4(pp[0], pp[1], pp[2], pp[3]);
  }
}

// A layer of 5 x 5 convolutions: 4 x 4 pixels of two maps a thread.
extern "C" __global__ void BOUNDS convolution5(const float* __restrict__ in,
                                               const float* __restrict__ w, float* __restrict__ out,
                                               int width, int height, int maps) {
  const int x = (blockIdx.x * 16 + threadIdx.x % 16) * 4,
            y = (blockIdx.y * 16 + threadIdx.x / 16) * 4;
  float acc[2][16] = {};
  for (int m = 0; m < maps; ++m) {
    float pixel[8][8];
#pragma unroll
    for (int r = 0; r < 8; ++r)
#pragma unroll
      for (int c = 0; c < 8; ++c) pixel[r][c] = in[(m * height + y + r) * width + x + c];
#pragma unroll
    for (int o = 0; o < 2; ++o)
#pragma unroll
      for (int r = 0; r < 5; ++r)
#pragma unroll
        for (int c = 0; c < 5; ++c) {
          const float weight = w[((blockIdx.z * 2 + o) * maps + m) * 25 + r * 5 + c];
#pragma unroll
          for (int p = 0; p < 16; ++p) acc[o][p] += weight * pixel[p / 4 + r][p % 4 + c];
        }
  }
#pragma unroll
  for (int o = 0; o < 2; ++o)
#pragma unroll
    for (int p = 0; p < 16; ++p)
      out[((blockIdx.z * 2 + o) * height + y + p / 4) * width + x + p % 4] = acc[o][p];
}
