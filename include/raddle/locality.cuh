// Task trees: recursive functions whose calls are independent of one another, run on a GPU.
//
//   struct CountNear {                      // how many points of a tree lie within a radius of each
//     using Argument = unsigned;            // what a spawned call is given: a node
//     using Reducer = raddle::locality::Sum<unsigned>;
//     const Node* nodes;
//     const Point* points;
//     float radius;
//     Point here;
//
//     template <class At>
//     __host__ __device__ void begin(unsigned point, At& at) { here = at.read(points + point); }
//     template <class At>
//     __host__ __device__ void operator()(unsigned, unsigned node, At& at) const {
//       const Node n = at.read(nodes + node);
//       if (n.distance(here) > radius) return;
//       if (n.is_leaf()) return at.reduce(1);
//       at.spawn(n.left);
//       at.spawn(n.right);
//     }
//     unsigned root(unsigned) const { return 0; }                      // where each point begins
//     raddle::locality::Domain domain(unsigned, unsigned node) const { return node; }
//   };
//
//   raddle::locality::Forest<CountNear> forest;
//   std::vector<unsigned> counts = forest.run(points.size(), on_host, on_gpu);
//
// The host expands the tree of each point down to a threshold; what is spawned there becomes a task.
// Tasks are put into queues by the memory that they are expected to read (their domain), the queues into
// one, and one kernel executes it, a task a thread, so that the threads of a warp read the same. What
// they reduce comes back and is put together, point by point. After chapter 6 of J. Hbeika, "Techniques
// for Managing Irregular Control Flow on GPUs", thesis, Purdue University, 2019. docs/locality.md says
// when it pays.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <type_traits>
#include <vector>

#include "locality/execute.cuh"
#include "locality/expand.h"
#include "locality/footprints.h"
#include "locality/threads.h"

namespace raddle::locality {

/// The trees of a data-parallel loop (or a single one): `Function` is
///
///   using Argument = ...;               what a call is given; copied as bytes
///   using Reducer = ...;                how results are put together (reducers.h); None without
///   operator()(i, argument, at) const   a call of iteration i's tree; for the host and the GPU
///   root(i) const                       the first call's argument; for the host, as all below
///   domain(i, argument) const           which memory the call and those that it spawns will read
///   kind(i, argument) const             optional: calls of different kinds share no warp
///   footprint(i, argument) const        optional: bytes that they will read (Threshold::footprint)
///   begin(i, at)                        optional, not const: loads into members what all calls of an
///                                       iteration need; on the GPU it is called once for each task.
///                                       With a reducer that is idempotent it may reduce()
///   kStack                              optional: calls that wait on a thread's stack at most (64)
///
/// and `at` has spawn(argument), a call that may run at any later time; reduce(value), into the result
/// of iteration i; partial(), what is known of that result (of reducers like Min also what the host
/// has found); read(pointer), which reads memory that does not change meanwhile, through the read-only
/// cache. Calls of one iteration are executed by one thread of the host at a time. One stream, the
/// default one. All members throw Error, also where the GPU has failed; not for several threads.
template <class Function>
class Forest {
 public:
  using Argument = detail::ArgumentOf<Function>;
  using Reducer = typename detail::ReducerOf<Function>::Type;
  using Value = typename Reducer::Value;

  explicit Forest(const Options& options = {}) : options_(options) {
    static_assert(std::is_trivially_copyable<Function>::value && sizeof(Function) <= 2048,
                  "a function is copied to the GPU as a parameter of a kernel");
    static_assert(std::is_trivially_copyable<Argument>::value, "arguments are copied as bytes");
    static_assert(std::is_trivially_copyable<Value>::value && !std::is_same<Value, bool>::value,
                  "results are copied as bytes, from arrays");
    if (options.block == 0 || options.block > 1024 || options.block % 32 != 0) {
      throw Error("locality: Options::block must be 32 to 1024, whole warps");
    }
    if (options.strip == 0 || options.host_threads == 0) {
      throw Error("locality: Options::strip and Options::host_threads must be at least 1");
    }
  }

  /// Iterations 0 to count - 1, in three steps, which may also be called one by one. `on_host` and
  /// `on_gpu` are the function with pointers of each side. The results, one for each iteration.
  std::vector<Value> run(std::uint32_t count, const Function& on_host, const Function& on_gpu) {
    expand(count, on_host);
    execute(on_gpu);
    return reduce();
  }

  /// The host executes all calls above the threshold, and makes the queue of those below it.
  void expand(std::uint32_t count, const Function& on_host) {
    if (count == kNoIteration) throw Error("locality: too many iterations");
    const Grouping grouping = grouping_for();
    const Threshold threshold = threshold_for(count);
    counts_ = {};
    times_ = {};
    const auto begin = now();
    found_.assign(count, Reducer::identity());
    const unsigned threads = std::max(1u, std::min(options_.host_threads, count));
    std::vector<Queues<Argument>> parts(threads);
    std::vector<std::uint64_t> calls(threads);
    detail::in_threads(threads, [&](unsigned part) {
      detail::Expansion<Function> expansion(on_host, threshold, grouping);
      const auto end = static_cast<std::uint32_t>(std::uint64_t{count} * (part + 1) / threads);
      auto i = static_cast<std::uint32_t>(std::uint64_t{count} * part / threads);
      for (; i < end; ++i) expansion.run(i, found_[i]);
      calls[part] = expansion.calls();
      parts[part] = std::move(expansion.queues());
    });
    for (const std::uint64_t part : calls) counts_.calls += part;
    const auto expanded = now();
    times_.expand_us = us(begin, expanded);
    if (grouping == Grouping::footprint) {
      detail::Footprints<Function>(on_host, options_.samples, options_.sample_calls)
          .assign(parts, found_);
    }
    merge(parts);
    times_.merge_us = us(expanded, now());
  }

  /// The GPU executes the queue that expand() has made. Waits until it has.
  void execute(const Function& on_gpu) {
    if (places_ == 0) return;
    reserve();
    watch_.mark(0);
    copy(device_tasks_.data(), tasks_.data(), places_, cudaMemcpyHostToDevice);
    const Value* seeds = nullptr;
    if (kSeeded) {
      copy(seeds_.data(), found_.data(), found_.size(), cudaMemcpyHostToDevice);
      seeds = seeds_.data();
    }
    *overflown_.data() = 0;
    watch_.mark(1);
    const unsigned block = options_.block;
    const std::uint64_t threads = (places_ + options_.strip - 1) / options_.strip;
    counts_.threads = threads;
    detail::execute<Function><<<static_cast<unsigned>((threads + block - 1) / block), block>>>(
        on_gpu, device_tasks_.data(), static_cast<std::uint32_t>(places_), options_.strip, seeds,
        device_values_.data(), overflown_.data());
    detail::require(cudaGetLastError(), "launch");
    watch_.mark(2);
    if (kResults) copy(values_.data(), device_values_.data(), places_, cudaMemcpyDeviceToHost);
    watch_.mark(3);
    detail::require(cudaDeviceSynchronize(), "kernel");
    times_.gpu_us = watch_.us(0, 3);
    times_.kernel_us = watch_.us(1, 2);
    if (*overflown_.data() != 0) {
      throw Error("locality: a task's calls did not fit on its stack of " +
                  std::to_string(detail::StackOf<Function>::kSize) +
                  "; give the function a larger `static constexpr unsigned kStack`");
    }
  }

  /// The results of tasks are put into those of their iterations, in the order of the queue. May be
  /// called once for each execute(), or again for the same results.
  std::vector<Value> reduce() {
    const auto begin = now();
    std::vector<Value> results(found_);
    if (kResults) {
      for (std::size_t place = 0; place < places_; ++place) {
        const std::uint32_t iteration = tasks_.data()[place].iteration;
        if (iteration == kNoIteration) continue;
        results[iteration] = Reducer::combine(results[iteration], values_.data()[place]);
      }
    }
    times_.reduce_us = us(begin, now());
    return results;
  }

  const Times& times() const { return times_; }
  const Counts& counts() const { return counts_; }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr bool kResults = !std::is_same<Reducer, None>::value;
  static constexpr bool kSeeded = kResults && Reducer::kIdempotent;

  static Clock::time_point now() { return Clock::now(); }
  static double us(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double, std::micro>(to - from).count();
  }

  Grouping grouping_for() const {
    if (options_.grouping == Grouping::automatic) {
      if (detail::HasDomain<Function>::value) return Grouping::domain;
      return kResults ? Grouping::footprint : Grouping::none;
    }
    if (options_.grouping == Grouping::footprint && !kResults) {
      throw Error(
          "locality: Grouping::footprint executes tasks on the host to see what they read; a "
          "function "
          "without a Reducer, which writes memory itself, would write it twice: give it domain()");
    }
    return options_.grouping;
  }
  Threshold threshold_for(std::uint32_t count) const {
    if (options_.threshold.kind != Threshold::Kind::automatic) return options_.threshold;
    int device = 0, multiprocessors = 0, threads = 0;
    detail::require(cudaGetDevice(&device), "cudaGetDevice");
    detail::require(
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
        "cudaDeviceGetAttribute");
    detail::require(
        cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device),
        "cudaDeviceGetAttribute");
    const std::uint64_t wanted =
        std::uint64_t{static_cast<unsigned>(multiprocessors)} * static_cast<unsigned>(threads) / 2;
    return Threshold::tasks(std::max<std::uint64_t>(1, count == 0 ? 1 : wanted / count));
  }

  void merge(const std::vector<Queues<Argument>>& parts) {
    const Merged<Argument> merged(parts, std::size_t{32} * options_.strip);
    if (merged.places() >= kNoIteration) {
      throw Error("locality: " + std::to_string(merged.places()) +
                  " tasks are too many for one kernel; choose a threshold that makes fewer");
    }
    merged.write(tasks_.reserve(merged.places()));
    places_ = merged.places();
    counts_.tasks = merged.tasks();
    counts_.domains = merged.domains();
  }
  void reserve() {
    device_tasks_.reserve(places_);
    device_values_.reserve(kResults ? places_ : 1);
    overflown_.reserve(1);
    if (kResults) values_.reserve(places_);
    if (kSeeded) seeds_.reserve(found_.size());
  }
  template <class T>
  static void copy(T* to, const T* from, std::size_t count, cudaMemcpyKind kind) {
    detail::require(cudaMemcpyAsync(to, from, count * sizeof(T), kind), "cudaMemcpyAsync");
  }

  const Options options_;
  Times times_;
  Counts counts_;
  detail::Stopwatch watch_;
  std::vector<Value> found_;  // by the host, for each iteration
  std::size_t places_ = 0;    // of the merged queue
  detail::Room<Task<Argument>, detail::Place::host> tasks_;
  detail::Room<Task<Argument>, detail::Place::device> device_tasks_;
  detail::Room<Value, detail::Place::host> values_;
  detail::Room<Value, detail::Place::device> device_values_, seeds_;
  detail::Room<unsigned, detail::Place::host> overflown_;  // the GPU reaches it over the bus
};

}  // namespace raddle::locality
