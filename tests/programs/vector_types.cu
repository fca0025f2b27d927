// Loads and stores of short vectors, of every element size.
#include "check.h"

__global__ void copy(const float4* a, float4* a_out, const double2* b, double2* b_out,
                     const uchar4* c, uchar4* c_out, const short2* d, short2* d_out,
                     const ulonglong2* e, ulonglong2* e_out, const float3* f, float3* f_out) {
  const int i = threadIdx.x;
  const float4 v = a[i];
  a_out[i] = make_float4(v.w, v.z, v.y, v.x);
  b_out[i] = make_double2(b[i].y, b[i].x);
  const uchar4 u = c[i];
  c_out[i] = make_uchar4(u.y, u.x, u.w, u.z);
  d_out[i] = make_short2(d[i].y, d[i].x);
  e_out[i] = make_ulonglong2(e[i].y, e[i].x);
  f_out[i] = make_float3(f[i].z, f[i].x, f[i].y);
}

int main() {
  const int n = 32;
  std::vector<float4> a(n);
  std::vector<double2> b(n);
  std::vector<uchar4> c(n);
  std::vector<short2> d(n);
  std::vector<ulonglong2> e(n);
  std::vector<float3> f(n);
  for (int i = 0; i < n; ++i) {
    a[i] = make_float4(i, i + 0.5f, -i, 100 + i);
    b[i] = make_double2(i * 0.1, -i);
    c[i] = make_uchar4(i, 2 * i, 3 * i, 255 - i);
    d[i] = make_short2(-i, 1000 + i);
    e[i] = make_ulonglong2(1ull << i, ~0ull - i);
    f[i] = make_float3(i, 2 * i, 3 * i);
  }
  auto* const a_out = device_array<float4>(n);
  auto* const b_out = device_array<double2>(n);
  auto* const c_out = device_array<uchar4>(n);
  auto* const d_out = device_array<short2>(n);
  auto* const e_out = device_array<ulonglong2>(n);
  auto* const f_out = device_array<float3>(n);
  copy<<<1, n>>>(to_device(a), a_out, to_device(b), b_out, to_device(c), c_out, to_device(d), d_out,
                 to_device(e), e_out, to_device(f), f_out);
  const auto ra = to_host(a_out, n);
  const auto rb = to_host(b_out, n);
  const auto rc = to_host(c_out, n);
  const auto rd = to_host(d_out, n);
  const auto re = to_host(e_out, n);
  const auto rf = to_host(f_out, n);
  for (int i = 0; i < n; ++i) {
    EXPECT(ra[i].x == a[i].w && ra[i].y == a[i].z && ra[i].z == a[i].y && ra[i].w == a[i].x);
    EXPECT(rb[i].x == b[i].y && rb[i].y == b[i].x);
    EXPECT(rc[i].x == c[i].y && rc[i].y == c[i].x && rc[i].z == c[i].w && rc[i].w == c[i].z);
    EXPECT(rd[i].x == d[i].y && rd[i].y == d[i].x);
    EXPECT(re[i].x == e[i].y && re[i].y == e[i].x);
    EXPECT(rf[i].x == f[i].z && rf[i].y == f[i].x && rf[i].z == f[i].y);
  }
  return finish();
}
