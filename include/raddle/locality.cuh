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
//     __host__ __device__ void begin(unsigned point, At& at) { here = at.read(points, point); }
//     template <class At>
//     __host__ __device__ void operator()(unsigned, unsigned node, At& at) const {
//       const Node n = at.read(nodes, node);
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
///   hash(i, argument) const             optional: a number, the same for arguments that are the same;
///                                       for Grouping::footprint, where bytes of arguments do not say it
///   begin(i, at)                        optional, not const: loads into members what all calls of an
///                                       iteration need; on the GPU it is called once for each task.
///                                       With a reducer that is idempotent it may reduce()
///   kStack                              optional: calls that wait on a thread's stack at most (64)
///   kReadsOnly                          optional, true: calls write no memory; what they find they
///                                       reduce. Only then may a call be executed more than once, as
///                                       Grouping::footprint does
///
/// and `at` has spawn(argument), a call that may run at any later time; reduce(value), into the result
/// of iteration i; partial(), what is known of that result (of reducers like Min also what the host
/// has found); read(array, index) or read(pointer), which read memory that does not change meanwhile,
/// through the read-only cache (of the first, Grouping::footprint knows what lies near). Calls of one
/// iteration are executed by one thread of the host at a time, so that Options::host_threads divide a
/// loop, not one tree. All members throw Error, also where the GPU has failed, and let through what the
/// function throws on the host; not for several threads.
template <class Function>
class Forest {
 public:
  using Argument = detail::ArgumentOf<Function>;
  using Reducer = typename detail::ReducerOf<Function>::Type;
  using Value = typename Reducer::Value;

  static_assert(std::is_trivially_copyable<Function>::value && sizeof(Function) <= 2048,
                "a function is copied to the GPU as a parameter of a kernel: it must be trivially "
                "copyable, and of 2048 bytes at most");
  static_assert(!std::is_final<Function>::value, "a function must not be final");
  static_assert(detail::HasDomain<Function>::value || !detail::NamesDomain<Function>::value,
                "domain() must be callable as domain(iteration, argument) const");
  static_assert(detail::HasKind<Function>::value || !detail::NamesKind<Function>::value,
                "kind() must be callable as kind(iteration, argument) const");
  static_assert(detail::HasFootprint<Function>::value || !detail::NamesFootprint<Function>::value,
                "footprint() must be callable as footprint(iteration, argument) const");
  static_assert(std::is_trivially_copyable<Argument>::value,
                "an Argument is copied to the GPU as bytes: it must be trivially copyable");
  static_assert(std::is_trivially_copyable<Value>::value && !std::is_same<Value, bool>::value,
                "results are copied as bytes, from arrays: a Value must be trivially copyable, and "
                "not bool");

  /// Kernels and copies run in `stream`, which the caller keeps until the forest is gone, and after
  /// what it has in it. By default it is the default stream.
  explicit Forest(const Options& options = {}, cudaStream_t stream = nullptr)
      : options_(options), stream_(stream), watch_(stream) {
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
    const Grouping grouping = grouping_for();
    const Threshold threshold = threshold_for(count);
    start(count);
    state_ = State::empty;  // until all has gone well
    const auto begin = now();
    detail::with_errors([&] {
      expand_in_threads(count, on_host, threshold, grouping);
      const auto expanded = now();
      times_.expand_us = us(begin, expanded);
      for (std::size_t part = 1; part < parts_.size(); ++part) {
        parts_[0].append(parts_[part]);
        parts_[part].clear();
      }
      Merged merged(parts_[0], kWarp * options_.strip);
      if (grouping == Grouping::footprint) {
        detail::Footprints<Function>(on_host, options_.samples, options_.sample_calls)
            .assign(parts_[0], merged, found_);
      }
      write(merged);
      times_.merge_us = us(expanded, now());
    });
    state_ = State::ready;
  }

  /// In place of expand(): iterations 0 to count - 1 without a task, which the caller adds:
  ///
  ///   forest.start(count);
  ///   forest.get_queue(domain).add_task(iteration, argument);   // each a call that the GPU executes
  ///   forest.execute(on_gpu);
  ///   results = forest.reduce();
  void start(std::uint32_t count) {
    state_ = State::empty;
    if (count == kNoIteration) throw Error("locality: too many iterations");
    counts_ = {};
    times_ = {};
    places_ = 0;
    detail::with_errors([&] {
      parts_.resize(std::max<std::size_t>(1, parts_.size()));
      for (auto& part : parts_) part.clear();
      found_.assign(count, Reducer::identity());
    });
    state_ = State::ready;
  }

  /// The queue of a domain and a kind of work (the thesis's getQueue), after start() or expand(). It is a
  /// name, and stays valid as long as the forest.
  class Queue {
   public:
    /// Throws Error if there is no such iteration, or after an error, until start() or expand().
    void add_task(std::uint32_t iteration, const Argument& argument) {
      forest_.require_state("add_task()", State::ready);
      forest_.require_iteration(iteration);
      detail::with_errors([&] { forest_.parts_[0].get(domain_, kind_).add(iteration, argument); });
      forest_.state_ = State::added;
    }

   private:
    friend class Forest;
    Queue(Forest& forest, Domain domain, unsigned kind)
        : forest_(forest), domain_(domain), kind_(kind) {}
    Forest& forest_;
    Domain domain_;
    unsigned kind_;
  };
  Queue get_queue(Domain domain, unsigned kind = 0) {
    require_state("get_queue()", State::ready);
    return {*this, options_.grouping == Grouping::none ? Domain{0} : domain, kind};
  }
  /// What the caller has found for an iteration itself, as if a call had reduced it.
  void found(std::uint32_t iteration, const Value& value) {
    require_state("found()", State::ready);
    require_iteration(iteration);
    found_[iteration] = Reducer::combine(found_[iteration], value);
  }

  /// The GPU executes the queue. Waits until it has, and all that was in the stream before.
  void execute(const Function& on_gpu) {
    require_state("execute()", State::ready);
    if (state_ == State::added) {
      const auto begin = now();
      detail::with_errors([&] { write(Merged(parts_[0], kWarp * options_.strip)); });
      times_.merge_us += us(begin, now());
    }
    state_ = State::ready;  // until all has gone well
    if (places_ != 0) run_kernel(on_gpu);
    state_ = State::executed;
  }

  /// The results of tasks are put into those of their iterations, in the order of the queue. May be
  /// called again for the same results.
  std::vector<Value> reduce() {
    require_state("reduce()", State::executed);
    const auto begin = now();
    std::vector<Value> results = detail::with_errors([&] { return found_; });
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
  /// There is no queue; there is; tasks were added since it was merged; the GPU has executed it.
  enum class State { empty, ready, added, executed };
  static constexpr std::size_t kWarp = 32;
  static constexpr bool kResults = !std::is_same<Reducer, None>::value;
  static constexpr bool kSeeded = kResults && Reducer::kIdempotent;

  static Clock::time_point now() { return Clock::now(); }
  static double us(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double, std::micro>(to - from).count();
  }

  void require_state(const char* call, State at_least) const {
    if (state_ == State::empty) {
      throw Error(std::string("locality: ") + call +
                  " without a queue: call expand() or start() first, and again after an error");
    }
    if (at_least == State::executed && state_ != State::executed) {
      throw Error(std::string("locality: ") + call +
                  " of tasks that the GPU has not executed: call execute() first, and again after "
                  "an error or add_task()");
    }
  }
  void require_iteration(std::uint32_t iteration) const {
    if (iteration < found_.size()) return;
    throw Error("locality: iteration " + std::to_string(iteration) + " is not one of the " +
                std::to_string(found_.size()) + " that start() or expand() was given");
  }

  void expand_in_threads(std::uint32_t count, const Function& on_host, const Threshold& threshold,
                         Grouping grouping) {
    const unsigned threads = std::max(1u, std::min(options_.host_threads, count));
    parts_.resize(threads);
    std::vector<std::uint64_t> calls(threads);
    detail::in_threads(threads, [&](unsigned part) {
      detail::Expansion<Function> expansion(on_host, threshold, grouping, parts_[part]);
      const auto end = static_cast<std::uint32_t>(std::uint64_t{count} * (part + 1) / threads);
      auto i = static_cast<std::uint32_t>(std::uint64_t{count} * part / threads);
      for (; i < end; ++i) expansion.run(i, found_[i]);
      calls[part] = expansion.calls();
    });
    for (const std::uint64_t part : calls) counts_.calls += part;
  }

  void run_kernel(const Function& on_gpu) {
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
    // Not by <<<>>>: an error of a call before ours is the caller's to find.
    Function function = on_gpu;
    const Task<Argument>* tasks = device_tasks_.data();
    auto places = static_cast<std::uint32_t>(places_);
    std::uint32_t strip = options_.strip;
    Value* values = device_values_.data();
    unsigned* overflown = overflown_.data();
    void* arguments[] = {&function, &tasks, &places, &strip, &seeds, &values, &overflown};
    detail::require(cudaLaunchKernel(reinterpret_cast<const void*>(detail::execute<Function>),
                                     dim3(static_cast<unsigned>((threads + block - 1) / block)),
                                     dim3(block), arguments, 0, stream_),
                    "launch");
    watch_.mark(2);
    if (kResults) copy(values_.data(), device_values_.data(), places_, cudaMemcpyDeviceToHost);
    watch_.mark(3);
    detail::require(cudaStreamSynchronize(stream_), "kernel");
    times_.gpu_us = watch_.us(0, 3);
    times_.kernel_us = watch_.us(1, 2);
    if (*overflown_.data() != 0) {
      throw Error("locality: a task's calls did not fit on its stack of " +
                  std::to_string(detail::StackOf<Function>::kSize) +
                  "; give the function a larger `static constexpr unsigned kStack`");
    }
  }

  Grouping grouping_for() const {
    if (options_.grouping == Grouping::automatic) {
      if (detail::HasDomain<Function>::value) return Grouping::domain;
      return detail::ReadsOnly<Function>::value && detail::HasHash<Function>::value
                 ? Grouping::footprint
                 : Grouping::none;
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
    // Of fewer iterations than lanes of a warp the trees are all the parallelism that there is.
    const unsigned share = count < kWarp ? 1 : 8;
    const std::uint64_t wanted =
        std::uint64_t{static_cast<unsigned>(multiprocessors)} * static_cast<unsigned>(threads);
    const std::uint64_t each = std::max<std::uint64_t>(1, wanted / share / std::max(1u, count));
    return Threshold::levels(each, each);
  }

  void write(const Merged& merged) {
    merged.write(parts_[0], tasks_.reserve(merged.places()));
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
  void copy(T* to, const T* from, std::size_t count, cudaMemcpyKind kind) const {
    detail::require(cudaMemcpyAsync(to, from, count * sizeof(T), kind, stream_), "cudaMemcpyAsync");
  }

  const Options options_;
  const cudaStream_t stream_;
  Times times_;
  Counts counts_;
  detail::Stopwatch watch_;
  State state_ = State::empty;
  std::vector<Queues<Argument>> parts_;  // of each thread of the host; then the first has all
  std::vector<Value> found_;             // by the host, for each iteration
  std::size_t places_ = 0;               // of the merged queue
  detail::Room<Task<Argument>, detail::Place::host> tasks_;
  detail::Room<Task<Argument>, detail::Place::device> device_tasks_;
  detail::Room<Value, detail::Place::host> values_;
  detail::Room<Value, detail::Place::device> device_values_, seeds_;
  detail::Room<unsigned, detail::Place::host> overflown_;  // the GPU reaches it over the bus
};

}  // namespace raddle::locality
