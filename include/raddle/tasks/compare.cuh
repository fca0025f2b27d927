// The same narrow tasks, run in each of the ways in which a GPU or a CPU can run them, to see
// whether Runtime pays for a program of yours: give a Comparison your tasks, run it, compare.
//
//   raddle::tasks::Comparison<Filter, Decode> comparison;         // works: see work.cuh
//   comparison.add(how, Filter{...}, input, output, cpu);          // any number of tasks
//   const Outcome outcome = comparison.run(Way::streams);          // .elapsed_us
#pragma once

#include <algorithm>
#include <ctime>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "../tasks.cuh"
#include "compare_tools.cuh"
#include "successors.cuh"
#include "work.cuh"

namespace raddle::tasks {

enum class Way {
  tasks,    // Runtime
  streams,  // a copy, a kernel and a copy for each task, over 32 streams (HyperQ)
  batches,  // a SuperKernel that takes tasks from a queue, batch after batch (GeMTC)
  fusion,   // one kernel for all tasks, which must all be known (static fusion)
  graphs,   // copies and kernels of a batch as one CUDA graph
  threads   // the CPU
};

struct ComparisonOptions {
  Options runtime;
  unsigned streams = 32;       // connections of HyperQ
  unsigned batch = 1792;       // tasks of a batch, graph or fused kernel; 0: all
  unsigned fused_threads = 0;  // threads of a block of fused kernels; 0: the largest task's
  unsigned cores = 20;         // of the CPU whose time `threads` estimates
  unsigned ask_every = 16;     // way `tasks`: tasks spawned between questions for ends
  bool latency = false;        // measure it; costs the host an event or two a task
  bool copies_in = true;       // false: inputs are on the GPU before time is taken
  bool copies_out = true;      // false: results are fetched after it
  bool lock_step = false;      // way `tasks`: batches, each of which ends before the next begins
  bool bounded = false;        // kernels of streams and graphs have no more registers than tasks
  bool successors = false;     // way `tasks`: a task spawns those that have waited for it alone
};

struct Outcome {
  double elapsed_us = 0;  // from the first copy to the last result in host memory
  double latency_us = 0;  // mean over tasks, from spawn to result; 0: not measured
  Counts counts;          // of the runtime
  double occupancy = 0;   // way `tasks`, with Options::occupancy: warps busy with tasks, of all
};

template <class... Works>
class Comparison {
 public:
  using Task = unsigned;

  /// `in` is copied before the task runs, `out` after; tasks in `after` have to end before it
  /// starts, and were added before. `cpu` does the same on the CPU.
  template <class Work>
  Task add(const Launch& how, const Work& work, const Transfer& in, const Transfer& out,
           std::function<void()> cpu, std::vector<Task> after = {}) {
    static_assert(std::is_trivially_copyable_v<Work>, "parameters are copied as bytes");
    Job job;
    job.how = how;
    job.packed.kind = kind_of<Work, Works...>();
    job.packed.threads = how.threads;
    job.packed.blocks = how.blocks;
    std::memcpy(job.packed.bytes, &work, sizeof work);
    job.in = in;
    job.out = out;
    job.cpu = std::move(cpu);
    const auto number = static_cast<Task>(jobs_.size());
    for (Task before : after) jobs_[before].next.push_back(number);
    job.after = std::move(after);
    dependent_ |= !job.after.empty();
    jobs_.push_back(std::move(job));
    return number;
  }
  std::size_t size() const { return jobs_.size(); }

  /// Runs all tasks; again at each call. Throws std::runtime_error when CUDA fails, or when the
  /// tasks depend on each other and `way` has no means for that (batches, fusion).
  Outcome run(Way way, const ComparisonOptions& options = {}) {
    options_ = options;
    outcome_ = {};
    begun_.assign(jobs_.size(), 0);
    ended_.assign(jobs_.size(), 0);
    if (way == Way::threads) return run_threads();
    if (dependent_ && (way == Way::batches || way == Way::fusion)) {
      throw std::runtime_error("batches and fusion need tasks that are independent");
    }
    const detail::Streams apart(1);
    if (!options.copies_in) {
      for (const Job& job : jobs_) detail::move(job.in, cudaMemcpyHostToDevice, apart[0]);
      apart.wait();
    }
    detail::Clock clock;
    clock_ = &clock;
    if (way == Way::tasks && options.successors) run_successors();
    if (way == Way::tasks && !options.successors) run_tasks();
    if (way == Way::streams) run_streams();
    if (way == Way::graphs) run_graphs();
    if (way == Way::batches) run_batches(false);
    if (way == Way::fusion) run_batches(true);
    clock_ = nullptr;
    if (!options.copies_out) {
      for (const Job& job : jobs_) detail::move(job.out, cudaMemcpyDeviceToHost, apart[0]);
      apart.wait();
    }
    return outcome_;
  }

 private:
  using Packed = detail::Packed<Works...>;
  using Runtime = tasks::Runtime<as_task<Works>...>;

  struct Job {
    Launch how;
    Packed packed;
    Transfer in, out;
    std::function<void()> cpu;
    std::vector<Task> after, next;
  };

  template <class Work, class First, class... Rest>
  static constexpr unsigned kind_of() {
    if constexpr (std::is_same_v<Work, First>) {
      return 0;
    } else {
      static_assert(sizeof...(Rest) != 0, "name it among the Comparison's works");
      return 1 + kind_of<Work, Rest...>();
    }
  }

  /// Calls `use(work)` with the job's parameters in their own type.
  template <class Use>
  static void with_work(const Packed& packed, const Use& use) {
    unsigned kind = 0;
    ((kind++ == packed.kind ? with_one<Works>(packed, use) : void()), ...);
  }
  template <class Work, class Use>
  static void with_one(const Packed& packed, const Use& use) {
    Work work;
    std::memcpy(&work, packed.bytes, sizeof work);
    use(work);
  }

  void begin(Task task) {
    if (options_.latency) begun_[task] = clock_->mark();
  }
  void end(Task task, unsigned mark) {
    if (options_.latency) ended_[task] = mark;
  }
  void measure(unsigned first, unsigned last) {
    outcome_.elapsed_us = clock_->at(last) - clock_->at(first);
    if (!options_.latency) return;
    double sum = 0;
    for (Task task = 0; task < jobs_.size(); ++task) {
      sum += clock_->at(ended_[task]) - clock_->at(begun_[task]);
    }
    outcome_.latency_us = sum / static_cast<double>(jobs_.size());
  }

  void bring(const Job& job, cudaStream_t stream) const {
    if (options_.copies_in) detail::move(job.in, cudaMemcpyHostToDevice, stream);
  }
  void fetch(const Job& job, cudaStream_t stream) const {
    if (options_.copies_out) detail::move(job.out, cudaMemcpyDeviceToHost, stream);
  }

  // --- tasks ---

  void run_tasks() {
    Options wants = options_.runtime;
    wants.most_ends = jobs_.size() + 1;
    Runtime runtime(wants);
    detail::must(runtime.error());
    detail::Streams back(1);
    std::vector<unsigned> waits(jobs_.size());
    std::vector<Task> ready;
    for (Task task = static_cast<Task>(jobs_.size()); task-- > 0;) {
      waits[task] = static_cast<unsigned>(jobs_[task].after.size());
      if (waits[task] == 0) ready.push_back(task);
    }
    std::map<Id, Task> by_id;
    const unsigned first = clock_->mark();
    std::size_t left = jobs_.size(), spawned = 0;
    const auto collect = [&](const std::vector<Id>& ended) {
      this->collect(ended, back[0], by_id, waits, ready);
      left -= ended.size();
    };
    while (left != 0) {
      const bool room = !options_.lock_step || spawned % batch_size() != 0 || spawned == done_;
      if (!ready.empty() && room) {
        const Task task = ready.back();
        ready.pop_back();
        const Id id = spawn(runtime, task);
        if (!id) refuse(runtime, task);
        by_id[id] = task;
        collect(runtime.take_ended(++spawned % options_.ask_every == 0));
      } else {
        runtime.flush();
        collect(runtime.wait_ended());
        detail::must(runtime.error());
      }
    }
    back.wait();
    measure(first, clock_->mark());
    done_ = 0;
    end_runtime(runtime);
  }

  template <class SomeRuntime>
  void end_runtime(SomeRuntime& runtime) {
    detail::must(runtime.shut_down());
    outcome_.counts = runtime.counts();
    const double warps = 32.0 * runtime.masters(), kilohertz = runtime.kilohertz();
    outcome_.occupancy = static_cast<double>(outcome_.counts.busy_cycles) /
                         (outcome_.elapsed_us * 1e-3 * kilohertz * warps);
  }

  /// Dependences are the GPU's own affair: see successors.cuh.
  void run_successors() {
    if (options_.latency || options_.lock_step) {
      throw std::runtime_error("tasks that spawn others: neither latencies nor lock-step");
    }
    const detail::GraphOnBothSides<Works...> graph(jobs_);
    Options wants = options_.runtime;
    wants.subtasks = graph.room();
    tasks::Runtime<detail::in_graph<Works...>> runtime(wants);
    detail::must(runtime.error());
    detail::Streams back(1);
    const auto copy = [&](void* to, const void* from, std::size_t bytes) {
      detail::must(runtime.copy_in(to, from, bytes));
    };
    const unsigned first = clock_->mark();
    for (const Job& job : jobs_) {
      if (options_.copies_in && job.in.bytes != 0) copy(job.in.to, job.in.from, job.in.bytes);
    }
    graph.send(copy);
    for (Task task = 0; task < jobs_.size(); ++task) {
      if (!jobs_[task].after.empty()) continue;
      if (!runtime.template spawn<detail::in_graph<Works...>>(jobs_[task].how, graph.on_gpu(),
                                                              task))
        refuse(runtime, task);
    }
    detail::must(runtime.wait_all());
    for (const Job& job : jobs_) fetch(job, back[0]);
    back.wait();
    measure(first, clock_->mark());
    end_runtime(runtime);
  }

  /// A task that the runtime has not taken would be waited for in vain.
  template <class SomeRuntime>
  [[noreturn]] void refuse(SomeRuntime& runtime, Task task) const {
    detail::must(runtime.error());
    const Launch& how = jobs_[task].how;
    throw std::runtime_error("the runtime takes no task of " + std::to_string(how.threads) +
                             " threads" + (how.sync ? " with a barrier" : "") + ", " +
                             std::to_string(how.blocks) + " blocks and " +
                             std::to_string(how.shared) + " bytes of shared memory");
  }

  Id spawn(Runtime& runtime, Task task) {
    Job& job = jobs_[task];
    begin(task);
    const Transfer& in = job.in;
    if (options_.copies_in && in.bytes != 0)
      detail::must(runtime.copy_in(in.to, in.from, in.bytes));
    Id id;
    with_work(job.packed, [&](const auto& work) {
      using Work = std::decay_t<decltype(work)>;
      id = runtime.template spawn<as_task<Work>>(job.how, work);
    });
    return id;
  }

  /// Fetches the results of tasks that have ended, and finds those that may run now.
  void collect(const std::vector<Id>& ended, cudaStream_t back, std::map<Id, Task>& by_id,
               std::vector<unsigned>& waits, std::vector<Task>& ready) {
    for (Id id : ended) {
      const auto found = by_id.find(id);
      const Task task = found->second;
      by_id.erase(found);
      fetch(jobs_[task], back);
      if (options_.latency) end(task, clock_->mark(back));
      for (Task next : jobs_[task].next) {
        if (--waits[next] == 0) ready.push_back(next);
      }
    }
    done_ += ended.size();
  }

  // --- streams ---

  void issue(Task task, cudaStream_t stream) {
    Job& job = jobs_[task];
    bring(job, stream);
    with_work(job.packed, [&](const auto& work) {
      using Work = std::decay_t<decltype(work)>;
      const auto kernel = options_.bounded ? as_bounded_kernel<Work> : as_kernel<Work>;
      kernel<<<job.how.blocks, job.how.threads, job.how.shared, stream>>>(work);
    });
    detail::must(cudaGetLastError());
    fetch(job, stream);
  }

  /// Over all streams in turn; a task waits for those in other streams that it depends on.
  void issue_range(Task from, Task to, const detail::Streams& streams,
                   std::vector<cudaEvent_t>& events) {
    for (Task task = from; task < to; ++task) {
      const cudaStream_t stream = streams[task];
      begin(task);
      for (Task before : jobs_[task].after) {
        if (streams[before] != stream) detail::must(cudaStreamWaitEvent(stream, events[before], 0));
      }
      issue(task, stream);
      if (options_.latency) end(task, clock_->mark(stream));
      if (jobs_[task].next.empty()) continue;
      detail::must(cudaEventCreateWithFlags(&events[task], cudaEventDisableTiming));
      detail::must(cudaEventRecord(events[task], stream));
    }
  }

  void run_streams() {
    const detail::Streams streams(options_.streams);
    std::vector<cudaEvent_t> events(jobs_.size(), nullptr);
    const unsigned first = clock_->mark();
    issue_range(0, static_cast<Task>(jobs_.size()), streams, events);
    streams.wait();
    measure(first, clock_->mark());
    for (cudaEvent_t event : events) {
      if (event != nullptr) cudaEventDestroy(event);
    }
  }

  // --- graphs ---

  Task batch_size() const {
    return options_.batch == 0 ? static_cast<Task>(jobs_.size()) : options_.batch;
  }

  /// Each batch is captured over the streams, instantiated and launched; while it runs, the next is
  /// made.
  void run_graphs() {
    const detail::Streams streams(options_.streams);
    detail::Streams launches(1);
    std::vector<cudaEvent_t> events(jobs_.size(), nullptr);
    std::vector<cudaGraphExec_t> made;
    const auto all = static_cast<Task>(jobs_.size());
    const Task batch = dependent_ ? all : batch_size();
    const unsigned first = clock_->mark();
    for (Task from = 0; from < all; from += batch) {
      const Task to = all - from < batch ? all : from + batch;
      made.push_back(capture(from, to, streams, events));
      detail::must(cudaGraphLaunch(made.back(), launches[0]));
    }
    launches.wait();
    measure(first, clock_->mark());
    for (cudaGraphExec_t one : made) cudaGraphExecDestroy(one);
    for (cudaEvent_t event : events) {
      if (event != nullptr) cudaEventDestroy(event);
    }
  }

  cudaGraphExec_t capture(Task from, Task to, const detail::Streams& streams,
                          std::vector<cudaEvent_t>& events) {
    cudaEvent_t fork = nullptr, join = nullptr;
    detail::must(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    detail::must(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
    detail::must(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeThreadLocal));
    detail::must(cudaEventRecord(fork, streams[0]));
    for (std::size_t i = 1; i < streams.size(); ++i) {
      detail::must(cudaStreamWaitEvent(streams[i], fork, 0));
    }
    const bool latency = options_.latency;
    options_.latency = false;
    issue_range(from, to, streams, events);
    options_.latency = latency;
    for (std::size_t i = 1; i < streams.size(); ++i) {
      detail::must(cudaEventRecord(join, streams[i]));
      detail::must(cudaStreamWaitEvent(streams[0], join, 0));
    }
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t made = nullptr;
    detail::must(cudaStreamEndCapture(streams[0], &graph));
    detail::must(cudaGraphInstantiateWithFlags(&made, graph, 0));
    cudaGraphDestroy(graph);
    cudaEventDestroy(fork);
    cudaEventDestroy(join);
    return made;
  }

  // --- batches and fusion ---

  /// Tasks of a batch are copied and run in lock-step: all results are there before the next batch
  /// begins.
  void run_batches(bool fuse) {
    const auto all = static_cast<Task>(jobs_.size());
    const Task batch = batch_size();
    unsigned blocks = 0, threads = options_.fused_threads, shared = 0;
    for (const Job& job : jobs_) {
      blocks += job.how.blocks;
      threads = job.how.threads > threads ? job.how.threads : threads;
      shared = job.how.shared > shared ? job.how.shared : shared;
    }
    detail::PinnedAndDevice<Packed> packed(all);
    detail::PinnedAndDevice<uint2> map(blocks);
    detail::PinnedAndDevice<unsigned> next(1);
    *next.host = 0;
    const detail::Streams stream(1);
    const unsigned workers = resident(threads, shared);
    const unsigned first = clock_->mark();
    for (Task from = 0; from < all; from += batch) {
      const Task to = all - from < batch ? all : from + batch;
      unsigned count = 0;
      for (Task task = from; task < to; ++task) {
        begin(task);
        bring(jobs_[task], stream[0]);
        packed.host[task - from] = jobs_[task].packed;
        for (unsigned block = 0; block < jobs_[task].how.blocks; ++block) {
          map.host[count++] = {task - from, block};
        }
      }
      packed.send(to - from, stream[0]);
      map.send(count, stream[0]);
      if (fuse) {
        fused<Works...><<<count, threads, shared, stream[0]>>>(packed.device, map.device);
      } else {
        next.send(1, stream[0]);
        const unsigned grid = count < workers ? count : workers;
        super_kernel<Works...>
            <<<grid, threads, shared, stream[0]>>>(packed.device, map.device, count, next.device);
      }
      detail::must(cudaGetLastError());
      for (Task task = from; task < to; ++task) {
        fetch(jobs_[task], stream[0]);
      }
      stream.wait();
      const unsigned now = clock_->mark();
      for (Task task = from; task < to; ++task) end(task, now);
    }
    measure(first, clock_->mark());
  }

  static unsigned resident(unsigned threads, unsigned shared) {
    int device = 0, multiprocessors = 0, blocks = 0;
    detail::must(cudaGetDevice(&device));
    detail::must(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    detail::must(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, super_kernel<Works...>,
                                                               static_cast<int>(threads), shared));
    return static_cast<unsigned>(multiprocessors * blocks);
  }

  // --- threads ---

  /// The processor time of all tasks on one core, shared by `cores` without loss; at least that of
  /// tasks of which each waits for the one before.
  Outcome run_threads() {
    std::vector<double> until(jobs_.size());  // end of each if there were a core for each
    double sum = 0, longest = 0, latest = core_us();
    for (Task task = 0; task < jobs_.size(); ++task) {
      Job& job = jobs_[task];
      job.cpu();
      const double now = core_us();
      for (Task before : job.after) until[task] = std::max(until[task], until[before]);
      until[task] += now - latest;
      sum += now - latest;
      longest = std::max(longest, until[task]);
      latest = now;
    }
    outcome_.elapsed_us = std::max(sum / options_.cores, longest);
    outcome_.latency_us = sum / static_cast<double>(jobs_.size());
    return outcome_;
  }
  static double core_us() {
    timespec now = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
  }

  std::vector<Job> jobs_;
  bool dependent_ = false;
  ComparisonOptions options_;
  Outcome outcome_;
  detail::Clock* clock_ = nullptr;
  std::vector<unsigned> begun_, ended_;  // marks, by task
  std::size_t done_ = 0;                 // tasks whose end has been noticed
};

}  // namespace raddle::tasks
