// Narrow tasks: a runtime that keeps a GPU full of small jobs (T. Yeh, A. Sabne, P. Sakdhnagool,
// R. Eigenmann, T. Rogers, "Pagoda: A GPU Runtime System for Narrow Tasks", ACM TOPC 6(4), 2019).
// A MasterKernel occupies the GPU; tasks of a few warps reach it as soon as they are spawned, through
// a table that both sides see, and run on the first warps that are free.
//
//   __device__ void scale(float* values, float factor) {      // a task's kernel
//     values[raddle::tasks::task_thread()] *= factor;
//   }
//
//   raddle::tasks::Runtime<scale> runtime;                    // all kernels that it may run
//   raddle::tasks::Id id = runtime.spawn<scale>({128, 4}, values, 2.0f);  // 4 blocks of 128
//   runtime.wait(id);                                         // or check(id), wait_all()
//
// Inputs and results in pinned host memory are moved by the task itself, without a call of CUDA:
//
//   runtime.spawn<scale>({128, 4}, raddle::tasks::Moves().in(values, host, n).out(host, values, n), values, 2.0f);
//
// The GPU is full while a Runtime lives: other kernels wait for its end, and so do calls that wait
// for the whole device (cudaDeviceSynchronize, cudaFree). Copies in non-blocking streams proceed.
// docs/tasks.md says when it pays. The same source runs on GPUs of compute capability 7.0 and
// later, and in the simulator.
#pragma once

#include <iterator>
#include <tuple>
#include <utility>
#include <vector>

#include "tasks/block.cuh"
#include "tasks/host.h"
#include "tasks/master.cuh"
#include "tasks/table.cuh"

namespace raddle::tasks {

namespace detail {

template <class Tuple>
constexpr bool begins_with_moves() {
  if constexpr (std::tuple_size_v<Tuple> == 0) {
    return false;
  } else {
    return std::is_same_v<std::decay_t<std::tuple_element_t<0, Tuple>>, Moves>;
  }
}
template <class... P, class... A>
void fill_after_moves(Arguments<P...>& to, const A&... arguments) {
  static_assert(sizeof...(A) == sizeof...(P), "as many arguments as the kernel takes");
  fill(to, arguments...);
}
template <class... P, class... A>
void fill_after_moves(Arguments<P...>& to, const Moves&, const A&... arguments) {
  static_assert(sizeof...(A) == sizeof...(P), "as many arguments as the kernel takes");
  fill(to, arguments...);
}

}  // namespace detail

template <auto... Fs>
class Runtime {
  static_assert(sizeof...(Fs) != 0, "name the kernels of the tasks");

 public:
  using List = Kernels<Fs...>;

  /// Starts the MasterKernel on the present device. error() says whether that went well.
  explicit Runtime(const Options& options = {}) : host_(options, masters(options), idle(options)) {
    if (host_.error() != cudaSuccess) return;
    detail::Table table = host_.table();
    void* arguments[] = {&table};
    // Not by <<<>>>, which tells of errors that were there before as well.
    host_.failed(cudaLaunchKernel(reinterpret_cast<const void*>(detail::master<Fs...>),
                                  dim3(table.columns), dim3(detail::kMasterThreads), arguments, 0,
                                  host_.master_stream()));
  }
  /// Waits for all tasks and ends the MasterKernel.
  ~Runtime() { host_.stop(); }
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  /// Spawns a task that calls kernel `F` in each thread; returns at once, unless the table is full:
  /// then it waits for room. May be called by several threads. A false Id when `how` is out of
  /// bounds (see Launch), the GPU has failed (see error()), the runtime is shut down, or there are
  /// Options::most_ends that nobody has taken.
  template <auto F, class... A>
  Id spawn(const Launch& how, const A&... arguments) {
    return spawn_one<F>(how, nullptr, arguments...);
  }
  /// The same, with inputs and results that the task's own warps move (see Moves): no call of CUDA is made for
  /// them, nor, with Transport::mapped, for the task. Its arguments may have 24 bytes less for each; else it is
  /// refused with cudaErrorInvalidConfiguration.
  template <auto F, class... A>
  Id spawn(const Launch& how, const Moves& moves, const A&... arguments) {
    return spawn_one<F>(how, &moves, arguments...);
  }
  /// A task for each element of `tasks`, a range of std::tuple with the kernel's arguments, before which Moves
  /// may stand. With Transport::mapped they are entered first, and then released together. Where there is no
  /// room for all, those that have found some are released, and it waits for more. The Ids, in order, up to the
  /// first task that was refused (see refusal()).
  template <auto F, class Range>
  std::vector<Id> spawn_many(const Launch& how, const Range& tasks) {
    using Kind = detail::Signature<decltype(F)>;
    auto next = std::begin(tasks);
    typename Kind::Pack pack;
    return host_.spawn_many(std::size(tasks), [&](std::size_t) {
      const auto& task = *next++;
      detail::Request request{detail::index_of<F, Fs...>(), how, nullptr, &pack, Kind::kBytes};
      using Tuple = std::decay_t<decltype(task)>;
      if constexpr (detail::begins_with_moves<Tuple>()) request.moves = &std::get<0>(task);
      std::apply([&pack](const auto&... values) { detail::fill_after_moves(pack, values...); },
                 task);
      return request;
    });
  }

  /// Whether the task is known to have ended, with all that it has spawned. Never waits: it asks the
  /// GPU, whose reply a later call finds. True for a task that was refused or is another runtime's.
  bool check(Id id) { return host_.check(id); }
  /// Why the latest task was refused: cudaErrorInvalidConfiguration (its threads, blocks, memory),
  /// cudaErrorNotPermitted (after shut_down()), cudaErrorLaunchOutOfResources (Options::most_ends), what
  /// error() says, or cudaSuccess.
  cudaError_t refusal() { return host_.refusal(); }
  /// Waits for it. An error when the GPU has failed; cudaErrorInvalidValue for a task that was refused,
  /// or is another runtime's.
  cudaError_t wait(Id id) { return host_.wait(id); }
  /// Waits until no task is left: those that others spawn meanwhile are waited for, too.
  cudaError_t wait_all() { return host_.wait_all(); }
  /// For programs that react to ends, such as those whose tasks depend on one another: tasks that
  /// have ended since the last call, each once, as far as the host knows. Never waits; `ask`: the
  /// GPU, whose reply a later call finds. Needs Options::most_ends: without, it tells none.
  std::vector<Id> take_ended(bool ask = true) { return host_.take_ended(ask); }
  /// The same, and waits until there is one; none: all have ended, or the GPU has failed.
  std::vector<Id> wait_ended() { return host_.wait_ended(); }
  /// Lets all tasks run, as soon as their inputs have come, without another call. So do the next spawn()
  /// (Transport::copies), check() and wait(), and take_ended() when nothing has been spawned since it was
  /// last called.
  void flush() { host_.flush(); }
  /// Copies to memory of the GPU, asynchronously from pinned memory; tasks that are spawned later
  /// find it there. When it is refused, nothing has been copied, and the runtime goes on.
  cudaError_t copy_in(void* to, const void* from, std::size_t bytes) {
    return host_.copy_in(to, from, bytes);
  }
  /// What fail() was given by the task or one that it has spawned, when it has ended; 0: nothing.
  /// The latest 65,536 are kept; Counts::failed counts all.
  unsigned code_of(Id id) { return host_.code_of(id); }

  /// Of CUDA: the GPU has failed and runs no more tasks.
  cudaError_t error() { return host_.error(); }
  /// Tasks that are not known to have ended: when the GPU has failed, one of them is the cause. With
  /// Transport::mapped all ends before the failure are known, otherwise those of the last copy.
  std::vector<Id> outstanding() { return host_.outstanding(); }
  /// Takes no more tasks, waits for all and ends the MasterKernel: the GPU is free for others.
  cudaError_t shut_down() { return host_.stop(); }

  unsigned masters() const { return host_.table().columns; }
  /// Of the clock in which Counts::busy_cycles are counted.
  static int kilohertz() { return attribute(cudaDevAttrClockRate); }
  Counts counts() { return host_.counts(); }

  // The paper's names and order of arguments (Table 1).
  template <auto F, class... A>
  Id taskSpawn(unsigned threads, unsigned blocks, unsigned shared, bool sync,
               const A&... arguments) {
    return spawn<F>(Launch{threads, blocks, shared, sync}, arguments...);
  }
  cudaError_t waitAll() { return wait_all(); }

 private:
  template <auto F, class... A>
  Id spawn_one(const Launch& how, const Moves* moves, const A&... arguments) {
    using Kind = detail::Signature<decltype(F)>;
    static_assert(sizeof...(A) == Kind::kCount, "as many arguments as the kernel takes");
    typename Kind::Pack pack;
    detail::fill(pack, arguments...);
    return host_.spawn({detail::index_of<F, Fs...>(), how, moves, &pack, Kind::kBytes});
  }
  static int attribute(cudaDeviceAttr which) {
    int device = 0, value = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&value, which, device);
    return value;
  }
  static unsigned masters(const Options& options) {
    int resident = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, detail::master<Fs...>,
                                                  detail::kMasterThreads, 0);
    const unsigned most = static_cast<unsigned>(attribute(cudaDevAttrMultiProcessorCount) *
                                                (resident < 2 ? resident : 2));
    return options.most_masters < most ? options.most_masters : most;
  }
  static detail::Idle idle(const Options& options) {
    switch (options.waiting) {
      case Waiting::park:
        return detail::Idle::park;
      case Waiting::sleep:
        return detail::Idle::sleep;
      case Waiting::poll:
        return detail::Idle::poll;
      default:
        return attribute(cudaDevAttrComputeCapabilityMajor) < 7 ? detail::Idle::park
                                                                : detail::Idle::sleep;
    }
  }

  detail::Host host_;
};

}  // namespace raddle::tasks
