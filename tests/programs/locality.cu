// Task trees: results are those of recursion, for every threshold, grouping, strip and number of
// host threads. Errors reach the caller.
// gpu: v100
// run: --set gpu.sms=4
#include <raddle/locality.cuh>

#include <cstring>
#include <new>
#include <string>

#include "check.h"

namespace locality = raddle::locality;
using locality::Grouping;
using locality::Threshold;

/// A tree by number: n has n % 4 children, 5n + 1 and so on, below a limit. Children differ in number, so
/// that lanes part.
struct Weights {
  using Argument = std::uint32_t;
  using Reducer = locality::Sum<unsigned long long>;
  static constexpr bool kReadsOnly = true;
  const unsigned* weights;
  unsigned limit;
  unsigned scale = 0;

  template <class At>
  __host__ __device__ void begin(std::uint32_t i, At&) {
    scale = i + 1;
  }
  template <class At>
  __host__ __device__ void operator()(std::uint32_t, std::uint32_t n, At& at) const {
    at.reduce(static_cast<unsigned long long>(at.read(weights + n)) * scale);
    for (unsigned child = 0; child < n % 4; ++child) {
      if (5 * n + child + 1 < limit) at.spawn(5 * n + child + 1);
    }
  }
  std::uint32_t root(std::uint32_t i) const { return i % 40 + 2; }
  locality::Domain domain(std::uint32_t, std::uint32_t n) const { return n; }
  unsigned kind(std::uint32_t, std::uint32_t n) const { return n % 4; }
  std::uint64_t footprint(std::uint32_t, std::uint32_t n) const { return limit / n; }
};

unsigned long long by_recursion(const Weights& tree, std::uint32_t n, unsigned scale) {
  unsigned long long sum = static_cast<unsigned long long>(tree.weights[n]) * scale;
  for (unsigned child = 0; child < n % 4; ++child) {
    if (5 * n + child + 1 < tree.limit) sum += by_recursion(tree, 5 * n + child + 1, scale);
  }
  return sum;
}

/// Sums of floating-point numbers, whose order shows.
struct Fractions : Weights {
  using Reducer = locality::Sum<float>;
  template <class At>
  __host__ __device__ void operator()(std::uint32_t, std::uint32_t n, At& at) const {
    at.reduce(1.0f / static_cast<float>(at.read(weights + n)));
    for (unsigned child = 0; child < n % 4; ++child) {
      if (5 * n + child + 1 < limit) at.spawn(5 * n + child + 1);
    }
  }
};

/// The least weight, with what is known already left out.
struct Least : Weights {
  using Reducer = locality::Nearest;
  template <class At>
  __host__ __device__ void operator()(std::uint32_t, std::uint32_t n, At& at) const {
    const float weight = static_cast<float>(at.read(weights + n));
    // Weights rise along every path by the test's choice, so that no child is less.
    if (weight > at.partial().distance) return;
    at.reduce({weight, n});
    for (unsigned child = 0; child < n % 4; ++child) {
      if (5 * n + child + 1 < limit) at.spawn(5 * n + child + 1);
    }
  }
};

/// Writes what it finds itself.
struct Marks {
  using Argument = std::uint32_t;
  unsigned* marks;
  template <class At>
  __host__ __device__ void operator()(std::uint32_t i, std::uint32_t n, At& at) const {
    marks[i * 64 + n] += 1;
    if (2 * n < 64) at.spawn(2 * n);
    if (2 * n < 64) at.spawn(2 * n + 1);
  }
  std::uint32_t root(std::uint32_t) const { return 1; }
};

/// Spawns more than its stack holds.
struct Wide {
  using Argument = std::uint32_t;
  using Reducer = locality::Sum<unsigned>;
  static constexpr unsigned kStack = 4;
  template <class At>
  __host__ __device__ void operator()(std::uint32_t, std::uint32_t n, At& at) const {
    at.reduce(1);
    for (unsigned child = 0; n == 0 && child < 6; ++child) at.spawn(1);
  }
  std::uint32_t root(std::uint32_t) const { return 0; }
};

/// A path, which needs no stack: of the numbers from its argument on.
struct Path {
  using Argument = std::uint32_t;
  using Reducer = locality::Sum<unsigned>;
  static constexpr unsigned kStack = 0;
  unsigned twice;  // whether a call spawns one more
  const unsigned* values = nullptr;
  template <class At>
  __host__ __device__ void operator()(std::uint32_t, std::uint32_t n, At& at) const {
    at.reduce(values == nullptr ? n : at.read(values, n));
    if (n >= 20) return;
    at.spawn(n + 1);
    if (twice != 0) at.spawn(20);
  }
  std::uint32_t root(std::uint32_t i) const { return i % 20; }
};

/// Fills values so slowly that what does not wait for it finds others.
__global__ void fill(unsigned* values, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    unsigned value = i;
    for (unsigned k = 0; k < 2000; ++k) value = value * 1664525u + 1013904223u;
    values[i] = value == 1 ? 0 : i + 5;  // value is never known to the compiler
  }
}

constexpr unsigned kLimit = 4000, kTrees = 60;

template <class T>
T* on_gpu(const std::vector<T>& values) {
  T* copy = nullptr;
  CHECK(cudaMalloc(reinterpret_cast<void**>(&copy), values.size() * sizeof(T)));
  CHECK(cudaMemcpy(copy, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return copy;
}

locality::Options with(Threshold threshold, Grouping grouping, unsigned strip = 1,
                       unsigned threads = 1) {
  locality::Options options;
  options.threshold = threshold;
  options.grouping = grouping;
  options.strip = strip;
  options.host_threads = threads;
  options.block = 64;
  return options;
}

void test_results(const std::vector<unsigned>& weights, const unsigned* device) {
  const Weights host{weights.data(), kLimit}, gpu{device, kLimit};
  for (const Threshold threshold :
       {Threshold::automatic(), Threshold::depth(0), Threshold::depth(2), Threshold::depth(99),
        Threshold::footprint(20), Threshold::tasks(1), Threshold::tasks(7), Threshold::levels(7)}) {
    for (const Grouping grouping : {Grouping::none, Grouping::domain, Grouping::footprint}) {
      const unsigned strip = grouping == Grouping::none ? 3 : 1;
      locality::Forest<Weights> forest(with(threshold, grouping, strip));
      const std::vector<unsigned long long> found = forest.run(kTrees, host, gpu);
      EXPECT_EQ(found.size(), kTrees);
      for (std::uint32_t i = 0; i < kTrees; ++i) {
        EXPECT_EQ_AT(i, found[i], by_recursion(host, host.root(i), i + 1));
      }
    }
  }
}

void test_order(const std::vector<unsigned>& weights, const unsigned* device) {
  Fractions host{}, gpu{};
  host.weights = weights.data();
  gpu.weights = device;
  host.limit = gpu.limit = kLimit;
  std::vector<float> first;
  for (unsigned threads : {1u, 2u, 5u}) {
    locality::Forest<Fractions> forest(with(Threshold::depth(2), Grouping::domain, 1, threads));
    for (int again = 0; again < 2; ++again) {
      const std::vector<float> found = forest.run(kTrees, host, gpu);
      if (first.empty()) first = found;
      EXPECT(std::memcmp(found.data(), first.data(), found.size() * sizeof(float)) == 0);
    }
  }
}

void test_least(std::vector<unsigned> weights) {
  for (unsigned n = 0; n < kLimit; ++n) weights[n] = n / 3;
  Least host{}, gpu{};
  host.weights = weights.data();
  gpu.weights = on_gpu(weights);
  host.limit = gpu.limit = kLimit;
  for (const Threshold threshold : {Threshold::depth(0), Threshold::depth(2)}) {
    locality::Forest<Least> forest(with(threshold, Grouping::domain));
    const auto found = forest.run(kTrees, host, gpu);
    for (std::uint32_t i = 0; i < kTrees; ++i) {
      EXPECT_EQ_AT(i, found[i].index, host.root(i));
      EXPECT_EQ_AT(i, found[i].distance, static_cast<float>(host.root(i) / 3));
    }
  }
}

void test_memory_of_its_own() {
  std::vector<unsigned> on_host(8 * 64, 0), back(8 * 64, 0);
  unsigned* const device = on_gpu(on_host);
  locality::Forest<Marks> forest(with(Threshold::depth(3), Grouping::automatic));
  forest.run(8, Marks{on_host.data()}, Marks{device});
  CHECK(cudaMemcpy(back.data(), device, back.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < 8 * 64; ++i) {
    const unsigned n = i % 64;
    EXPECT_EQ_AT(i, on_host[i], n >= 1 && n < 8);  // above the threshold the host
    EXPECT_EQ_AT(i, back[i], n >= 8);
  }
}

template <class Work>
std::string error_of(const Work& work) {
  try {
    work();
  } catch (const locality::Error& error) {
    return error.what();
  }
  return {};
}

bool says(const std::string& error, const char* words) {
  if (error.find(words) != std::string::npos) return true;
  std::printf("expected '%s', found '%s'\n", words, error.c_str());
  return false;
}

void test_errors() {
  std::vector<unsigned> marks(64);
  locality::Forest<Marks> sampled(with(Threshold::depth(3), Grouping::footprint));
  EXPECT(says(error_of([&] { sampled.run(1, {marks.data()}, {nullptr}); }), "domain()"));
  EXPECT_EQ(marks[1], 0u);  // nothing has run
  locality::Options options;
  options.block = 100;
  EXPECT(says(error_of([&] { locality::Forest<Wide> forest(options); }), "whole warps"));
  options = {};
  options.strip = 0;
  EXPECT(says(error_of([&] { locality::Forest<Wide> forest(options); }), "strip"));
  locality::Forest<Wide> wide(with(Threshold::depth(0), Grouping::none));
  EXPECT(says(error_of([&] { wide.run(1, {}, {}); }), "kStack"));
  locality::Forest<Wide> footprint(with(Threshold::footprint(1), Grouping::none));
  EXPECT(says(error_of([&] { footprint.run(1, {}, {}); }), "footprint"));
  locality::Forest<Wide> on_host(with(Threshold::depth(5), Grouping::none));
  EXPECT_EQ(on_host.run(3, {}, {})[2], 7u);
  EXPECT_EQ(on_host.run(0, {}, {}).size(), 0u);
}

/// Tasks that the caller adds, beside those of expand() or alone.
void test_added_tasks(const std::vector<unsigned>& weights, const unsigned* device) {
  const Weights host{weights.data(), kLimit}, gpu{device, kLimit};
  for (const Grouping grouping : {Grouping::none, Grouping::domain}) {
    locality::Forest<Weights> forest(with(Threshold::depth(2), grouping));
    forest.start(kTrees);
    for (unsigned i = 0; i < 2 * kTrees; ++i) {
      forest.get_queue(1000 - i, i % 3).add_task(i / 2, i % 40 + 2);
    }
    forest.found(3, 1000);
    forest.execute(gpu);
    std::vector<unsigned long long> found = forest.reduce();
    for (unsigned i = 0; i < kTrees; ++i) {
      EXPECT_EQ_AT(i, found[i],
                   by_recursion(host, 2 * i % 40 + 2, i + 1) +
                       by_recursion(host, (2 * i + 1) % 40 + 2, i + 1) + (i == 3 ? 1000 : 0));
    }
    forest.expand(kTrees, host);
    forest.get_queue(0).add_task(5, 7);
    forest.execute(gpu);
    found = forest.reduce();
    for (unsigned i = 0; i < kTrees; ++i) {
      EXPECT_EQ_AT(
          i, found[i],
          by_recursion(host, host.root(i), i + 1) + (i == 5 ? by_recursion(host, 7, i + 1) : 0));
    }
  }
}

/// Fails in its third iteration on the host.
struct Failing : Weights {
  template <class At>
  __host__ __device__ void operator()([[maybe_unused]] std::uint32_t i, std::uint32_t n,
                                      At& at) const {
#ifndef __CUDA_ARCH__
    if (i == 2) throw std::bad_alloc();
#endif
    at.spawn(n);
  }
};

void test_calls_out_of_order(const std::vector<unsigned>& weights, const unsigned* device) {
  const Weights host{weights.data(), kLimit}, gpu{device, kLimit};
  locality::Forest<Weights> forest(with(Threshold::depth(1), Grouping::domain));
  EXPECT(says(error_of([&] { forest.reduce(); }), "expand() or start() first"));
  EXPECT(says(error_of([&] { forest.execute(gpu); }), "expand() or start() first"));
  EXPECT(says(error_of([&] { forest.get_queue(1); }), "expand() or start() first"));
  forest.expand(kTrees, host);
  EXPECT(says(error_of([&] { forest.reduce(); }), "call execute() first"));
  EXPECT(says(error_of([&] { forest.get_queue(1).add_task(kTrees, 2); }), "iteration 60"));
  forest.execute(gpu);
  forest.get_queue(1).add_task(1, 2);
  EXPECT(says(error_of([&] { forest.reduce(); }), "call execute() first"));
  EXPECT(says(error_of([&] { forest.expand(locality::kNoIteration, host); }), "too many"));
  EXPECT(says(error_of([&] { forest.execute(gpu); }), "expand() or start() first"));

  locality::Forest<Failing> failing(with(Threshold::depth(2), Grouping::domain));
  Failing function{};
  function.weights = weights.data();
  function.limit = kLimit;
  failing.expand(2, function);
  EXPECT(says(error_of([&] { failing.expand(9, function); }), "memory does not suffice"));
  EXPECT(says(error_of([&] { failing.execute(function); }), "expand() or start() first"));
  EXPECT(says(error_of([&] { failing.reduce(); }), "expand() or start() first"));
}

void test_no_stack() {
  locality::Forest<Path> forest(with(Threshold::depth(2), Grouping::none));
  const std::vector<unsigned> found = forest.run(20, {0}, {0});
  for (unsigned i = 0; i < 20; ++i) EXPECT_EQ_AT(i, found[i], 20 * 21 / 2 - i * (i - 1) / 2);
  EXPECT(says(error_of([&] { forest.run(1, {1}, {1}); }), "kStack"));
}

/// Kernels and copies wait for what the caller has in the stream, which the default one does not.
void test_stream() {
  unsigned* const values = device_array<unsigned>(21);
  CHECK(cudaMemset(values, 0, 21 * sizeof(unsigned)));
  CHECK(cudaDeviceSynchronize());
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  {
    locality::Forest<Path> forest(with(Threshold::depth(0), Grouping::none), stream);
    fill<<<1, 1, 0, stream>>>(values, 21);
    const std::vector<unsigned> found = forest.run(20, {0, nullptr}, {0, values});
    for (unsigned i = 0; i < 20; ++i) {
      EXPECT_EQ_AT(i, found[i], 20 * 21 / 2 - i * (i - 1) / 2 + 5 * (21 - i));
    }
    EXPECT(forest.times().kernel_us > 0);
    EXPECT(cudaStreamQuery(stream) == cudaSuccess);  // all has ended
  }
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(values));
}

int main() {
  std::vector<unsigned> weights(kLimit);
  for (unsigned n = 0; n < kLimit; ++n) weights[n] = n * 2654435761u % 1000 + 1;
  const unsigned* const device = on_gpu(weights);
  test_results(weights, device);
  test_order(weights, device);
  test_least(weights);
  test_memory_of_its_own();
  test_no_stack();
  test_stream();
  test_errors();
  test_added_tasks(weights, device);
  test_calls_out_of_order(weights, device);
  return finish();
}
