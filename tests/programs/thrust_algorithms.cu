// needs: thrust/device_vector.h
// compiler: clang
// runs: functional
// Do programs with Thrust compile and compute? Vectors, transforms, scans, sorts by key, reductions
// by key, and a computed iterator.
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

#include "check.h"

struct Square {
  __host__ __device__ long long operator()(int x) const { return (long long)x * x; }
};
struct LowByte {
  __device__ unsigned char operator()(int x) const { return static_cast<unsigned char>(x); }
};
struct Odd {
  __host__ __device__ bool operator()(int x) const { return x & 1; }
};

int main() {
  const int n = 5000;
  thrust::device_vector<int> v(n);
  thrust::sequence(v.begin(), v.end());
  EXPECT(thrust::reduce(v.begin(), v.end(), 0, thrust::plus<int>()) == n * (n - 1) / 2);
  const long long squares =
      thrust::transform_reduce(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n),
                               Square(), 0ll, thrust::plus<long long>());
  EXPECT(squares == (n - 1ll) * n * (2 * n - 1) / 6);

  thrust::device_vector<int> sums(n);
  thrust::inclusive_scan(v.begin(), v.end(), sums.begin());
  EXPECT(sums[n - 1] == n * (n - 1) / 2 && sums[10] == 55);

  thrust::device_vector<int> keys(n), values(v);
  thrust::transform(v.begin(), v.end(), keys.begin(), thrust::negate<int>());
  thrust::sort_by_key(keys.begin(), keys.end(), values.begin());
  const thrust::host_vector<int> sorted = keys, carried = values;
  bool ordered = true;
  for (int i = 0; i < n; ++i) ordered &= sorted[i] == i - n + 1 && carried[i] == n - 1 - i;
  EXPECT(ordered);

  // Keys of a byte, which CUB moves through shared memory four at a time.
  thrust::device_vector<unsigned char> bytes(n);
  thrust::transform(v.begin(), v.end(), bytes.begin(), LowByte());
  thrust::sequence(values.begin(), values.end());
  thrust::stable_sort_by_key(bytes.begin(), bytes.end(), values.begin());
  const thrust::host_vector<int> places = values;
  for (int i = 1; i < n; ++i) {
    const int before = places[i - 1] & 255, here = places[i] & 255;
    EXPECT(before < here || (before == here && places[i - 1] < places[i]));
  }

  thrust::device_vector<int> odd(n);
  const auto end = thrust::copy_if(v.begin(), v.end(), odd.begin(), Odd());
  EXPECT(end - odd.begin() == n / 2 && odd[7] == 15);
  return finish();
}
