// Towns and shops: counts the shops within a mile of each town. The shops form a k-d tree. The
// search from a town is a recursive function. The GPU executes its calls in the order of the memory
// that they read. See docs/locality.md.
//
//   ./raddle cc examples/locality.cu -o /tmp/locality
//   ./raddle run /tmp/locality
#include <raddle/locality.cuh>

#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

namespace locality = raddle::locality;

struct Place {
  float at[2];
};

/// A call looks at the shop in the middle of a range. Along the axis, shops before it have smaller
/// coordinates and shops after it larger ones.
struct Range {
  unsigned first, last;
  int axis;
};

struct Search {
  using Argument = Range;
  using Reducer = locality::Sum<unsigned>;
  static constexpr bool kReadsOnly = true;  // calls write no memory
  const Place* towns;
  const Place* shops;
  unsigned shop_count;
  Place here = {};  // the town

  template <class At>
  __host__ __device__ void begin(unsigned town, At& at) {
    here = at.read(towns, town);
  }
  template <class At>
  __host__ __device__ void operator()(unsigned, const Range& range, At& at) const {
    if (range.first == range.last) return;
    const unsigned middle = (range.first + range.last) / 2;
    const Place shop = at.read(shops, middle);
    const float x = here.at[0] - shop.at[0], y = here.at[1] - shop.at[1];
    if (x * x + y * y <= 1) at.reduce(1);
    const float beyond = range.axis == 0 ? x : y;
    if (beyond <= 1) at.spawn({range.first, middle, 1 - range.axis});
    if (beyond >= -1) at.spawn({middle + 1, range.last, 1 - range.axis});
  }
  Range root(unsigned) const { return {0, shop_count, 0}; }
  locality::Domain domain(unsigned, const Range& range) const { return range.first; }
};

/// Sorts places into the order that Search expects.
void build(std::vector<Place>& places, Range range) {
  if (range.last - range.first < 2) return;
  const unsigned middle = (range.first + range.last) / 2;
  std::nth_element(
      places.begin() + range.first, places.begin() + middle, places.begin() + range.last,
      [&](const Place& a, const Place& b) { return a.at[range.axis] < b.at[range.axis]; });
  build(places, {range.first, middle, 1 - range.axis});
  build(places, {middle + 1, range.last, 1 - range.axis});
}

std::vector<Place> random_places(unsigned count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Place> places(count);
  for (Place& place : places) {
    for (float& x : place.at) x = static_cast<float>(random() % 100000) / 2000;  // 50 miles a side
  }
  return places;
}

void require(cudaError_t error) {
  if (error != cudaSuccess) throw locality::Error(cudaGetErrorString(error));
}

/// Places in the GPU's memory. The destructor frees it.
class OnGpu {
 public:
  explicit OnGpu(const std::vector<Place>& places) {
    const std::size_t bytes = places.size() * sizeof(Place);
    require(cudaMalloc(reinterpret_cast<void**>(&places_), bytes));
    require(cudaMemcpy(places_, places.data(), bytes, cudaMemcpyHostToDevice));
  }
  ~OnGpu() { cudaFree(places_); }
  OnGpu(const OnGpu&) = delete;
  OnGpu& operator=(const OnGpu&) = delete;
  const Place* data() const { return places_; }

 private:
  Place* places_ = nullptr;
};

int main() try {
  std::vector<Place> towns = random_places(300, 1), shops = random_places(20000, 2);
  const auto count = static_cast<unsigned>(shops.size());
  build(shops, {0, count, 0});

  const OnGpu gpu_towns(towns), gpu_shops(shops);
  locality::Forest<Search> forest;
  const std::vector<unsigned> near =
      forest.run(static_cast<unsigned>(towns.size()), Search{towns.data(), shops.data(), count},
                 Search{gpu_towns.data(), gpu_shops.data(), count});

  for (std::size_t town = 0; town < towns.size(); ++town) {
    const auto is_near = [&](const Place& shop) {
      const float x = towns[town].at[0] - shop.at[0], y = towns[town].at[1] - shop.at[1];
      return x * x + y * y <= 1;
    };
    const auto expected = std::count_if(shops.begin(), shops.end(), is_near);
    if (near[town] != static_cast<unsigned>(expected)) return 1;
  }
  std::printf("right: %zu towns, %llu tasks in %llu domains, %.0f us of the GPU\n", towns.size(),
              static_cast<unsigned long long>(forest.counts().tasks),
              static_cast<unsigned long long>(forest.counts().domains), forest.times().gpu_us);
  return 0;
} catch (const locality::Error& error) {
  std::printf("%s\n", error.what());
  return 1;
}
