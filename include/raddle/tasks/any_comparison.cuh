// What a Comparison does whatever the type of its tasks: compiled once in a program, where Comparison
// is compiled for each combination of works.
#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>
#include <functional>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "../tasks.cuh"
#include "compare_tools.cuh"
#include "cpu_pool.h"

namespace raddle::tasks {

enum class Way {
  tasks,    // Runtime
  streams,  // a copy, a kernel and a copy for each task, over 32 streams (HyperQ)
  batches,  // a SuperKernel that takes tasks from a queue, batch after batch (GeMTC)
  fusion,   // one kernel for all tasks, which must all be known (static fusion)
  graphs,   // copies and kernels of a batch as one CUDA graph
  known,    // tasks::Batch, of all tasks: one kernel, as few copies as memory allows
  gemtc,    // as GeMTC's code: pushed and polled one at a time, each copy waited for
  // The way for those who do not want to choose: `known` where no task waits for another, since all tasks are
  // known here; else `tasks` whose warps move inputs and results.
  automatic,
  threads  // the CPU: an estimate, from one core's time, or threads (ComparisonOptions::pool)
};

struct ComparisonOptions {
  Options runtime;
  unsigned streams = 32;       // connections of HyperQ
  unsigned batch = 1792;       // tasks of a batch, graph or fused kernel; 0: all
  unsigned fused_threads = 0;  // threads of a block of fused kernels; 0: the largest task's
  unsigned cores = 20;         // of the CPU whose time `threads` estimates
  unsigned pool = 0;        // way `threads`: so many are started, and their time is taken; 0: none
  unsigned ask_every = 16;  // way `tasks`: tasks spawned between questions for ends
  bool latency = false;     // measure it; costs the host an event or two a task
  bool copies_in = true;    // false: inputs are on the GPU before time is taken
  bool copies_out = true;   // false: results are fetched after it
  bool lock_step = false;   // way `tasks`: batches, each of which ends before the next begins
  bool merge_copies = false;  // tasks, batches, fusion: one copy of what lies side by side on both
                              // sides, of tasks that are spawned or have ended together
  bool by_warps = false;      // way `tasks`: the tasks' own warps move inputs and results (Moves)
  bool bounded = false;       // kernels of streams and graphs have no more registers than tasks
  bool successors = false;    // way `tasks`: a task spawns those that have waited for it alone
};

struct Outcome {
  double elapsed_us = 0;  // from the first copy to the last result in host memory
  double latency_us = 0;  // mean over tasks, from spawn to result; 0: not measured, as of graphs
  Counts counts;          // of the runtime
  double occupancy = 0;   // way `tasks`, with Options::occupancy: warps busy with tasks, of all
};

class AnyComparison {
 public:
  using Task = unsigned;

  std::size_t size() const { return jobs_.size(); }

  /// Runs all tasks; again at each call. Throws std::runtime_error when CUDA fails, or when the
  /// tasks depend on each other and `way` has no means for that (batches, fusion).
  Outcome run(Way way, const ComparisonOptions& options = {}) {
    options_ = options;
    outcome_ = {};
    done_ = 0;  // an earlier run may have ended early
    begun_.assign(jobs_.size(), 0);
    ended_.assign(jobs_.size(), 0);
    if (options.streams == 0 || options.ask_every == 0 || options.cores == 0) {
      throw std::runtime_error("streams, ask_every and cores must be at least 1");
    }
    if (jobs_.empty()) return outcome_;
    (void)cudaGetLastError();  // of whoever called CUDA before
    if (way == Way::threads) need_functions();
    if (way == Way::threads) return options.pool != 0 ? run_pool() : run_threads();
    if (way == Way::automatic) {
      way = dependent_ ? Way::tasks : Way::known;
      options_.by_warps = true;
      options_.runtime.transport = Transport::mapped;
    }
    const bool needs_independent =
        way == Way::batches || way == Way::fusion || way == Way::known || way == Way::gemtc;
    if (dependent_ && needs_independent) {
      throw std::runtime_error("batches, fusion and GeMTC need tasks that are independent");
    }
    const detail::Streams apart(1);
    if (!options.copies_in) {
      for (const Job& job : jobs_) detail::move(job.in, cudaMemcpyHostToDevice, apart[0]);
      apart.wait();
    }
    for (Task task = 0; way == Way::tasks && task < jobs_.size(); ++task) {
      if (!detail::is_valid(jobs_[task].how)) refuse(jobs_[task].how, task);
    }
    detail::Clock clock;
    clock_ = &clock;
    if (way == Way::tasks && options.successors) run_successors();
    if (way == Way::tasks && !options.successors) run_tasks();
    if (way == Way::streams) run_streams();
    if (way == Way::graphs) run_graphs();
    if (way == Way::batches) run_batches(false);
    if (way == Way::fusion) run_batches(true);
    if (way == Way::known) run_known();
    if (way == Way::gemtc) run_gemtc();
    clock_ = nullptr;
    if (!options.copies_out) {
      for (const Job& job : jobs_) detail::move(job.out, cudaMemcpyDeviceToHost, apart[0]);
      apart.wait();
    }
    return outcome_;
  }

 protected:
  /// A task but for its parameters.
  struct Job {
    Launch how;
    Transfer in, out;
    std::function<void()> cpu;
    std::vector<Task> after, next;
  };

  AnyComparison() = default;
  ~AnyComparison() = default;
  AnyComparison(const AnyComparison&) = default;
  AnyComparison& operator=(const AnyComparison&) = default;

  virtual void run_tasks() = 0;
  virtual void run_successors() = 0;
  /// Tasks of a batch are copied and run in lock-step: all results are there before the next batch
  /// begins.
  virtual void run_batches(bool fuse) = 0;
  virtual void run_known() = 0;
  virtual void run_gemtc() = 0;
  /// The task's kernel, by itself.
  virtual void start(Task task, cudaStream_t stream) = 0;

  Task add_job(Job job) {
    const auto number = static_cast<Task>(jobs_.size());
    Launch without_barrier = job.how;  // only the runtime's counts whole warps
    without_barrier.sync = false;
    if (!detail::is_valid(without_barrier)) refuse(job.how, number);
    for (Task before : job.after) {
      if (before < number) continue;
      throw std::runtime_error("task " + std::to_string(number) + " follows task " +
                               std::to_string(before) + ", which has not been added");
    }
    for (Task before : job.after) jobs_[before].next.push_back(number);
    dependent_ |= !job.after.empty();
    jobs_.push_back(std::move(job));
    return number;
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

  /// Of these tasks: each apart, or as few copies as their memory allows. Calls copy(transfer).
  template <class Tasks, class Copy>
  void each_copy(const Tasks& tasks, Transfer Job::* which, const Copy& copy) const {
    Transfer all;
    for (const Task task : tasks) {
      const Transfer& one = jobs_[task].*which;
      if (options_.merge_copies && detail::follows(one, all)) {
        all.bytes += one.bytes;
        continue;
      }
      if (all.bytes != 0) copy(all);
      all = one;
    }
    if (all.bytes != 0) copy(all);
  }
  void move_all(Task from, Task to, Transfer Job::* which, cudaMemcpyKind kind,
                cudaStream_t stream) const {
    std::vector<Task> tasks(to - from);
    std::iota(tasks.begin(), tasks.end(), from);
    each_copy(tasks, which, [&](const Transfer& one) { detail::move(one, kind, stream); });
  }

  Task batch_size() const {
    return options_.batch == 0 ? static_cast<Task>(jobs_.size()) : options_.batch;
  }

  /// Fetches the results of tasks that have ended, and finds those that may run now.
  void collect(const std::vector<Id>& ended, cudaStream_t back, std::map<Id, Task>& by_id,
               std::vector<unsigned>& waits, std::vector<Task>& ready) {
    std::vector<Task> tasks;
    for (Id id : ended) {
      const auto found = by_id.find(id);
      tasks.push_back(found->second);
      by_id.erase(found);
    }
    if (options_.merge_copies) std::sort(tasks.begin(), tasks.end());
    if (options_.copies_out && !options_.by_warps) {
      each_copy(tasks, &Job::out,
                [&](const Transfer& one) { detail::move(one, cudaMemcpyDeviceToHost, back); });
    }
    for (const Task task : tasks) {
      if (options_.latency) end(task, clock_->mark(back));
      for (Task next : jobs_[task].next) {
        if (--waits[next] == 0) ready.push_back(next);
      }
    }
    done_ += ended.size();
  }

  [[noreturn]] static void refuse(const Launch& how, Task task) {
    throw std::runtime_error(
        "task " + std::to_string(task) + " has " + std::to_string(how.threads) + " threads" +
        (how.sync ? " with a barrier" : "") + ", " + std::to_string(how.blocks) + " blocks and " +
        std::to_string(how.shared) + " bytes of shared memory; there may be 1 to " +
        std::to_string(kMaxThreads) + " threads (with a barrier a multiple of 32), 1 to " +
        std::to_string(kMaxBlocks) + " blocks and " + std::to_string(kSharedBytes) + " bytes");
  }

  /// What the runtime has counted until it was shut down.
  void count(const Counts& counts, unsigned masters, double kilohertz) {
    outcome_.counts = counts;
    outcome_.occupancy = static_cast<double>(counts.busy_cycles) /
                         (outcome_.elapsed_us * 1e-3 * kilohertz * 32.0 * masters);
  }

  std::vector<Job> jobs_;
  ComparisonOptions options_;
  Outcome outcome_;
  detail::Clock* clock_ = nullptr;
  std::vector<unsigned> begun_, ended_;  // marks, by task
  std::size_t done_ = 0;                 // tasks whose end has been noticed

 private:
  // --- streams ---

  void issue(Task task, cudaStream_t stream) {
    const Job& job = jobs_[task];
    bring(job, stream);
    start(task, stream);
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

  // --- threads ---

  void need_functions() const {
    for (Task task = 0; task < jobs_.size(); ++task) {
      if (jobs_[task].cpu) continue;
      throw std::runtime_error("task " + std::to_string(task) + " has no function for the CPU");
    }
  }
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
  /// By the clock on the wall.
  Outcome run_pool() {
    std::vector<unsigned> left;
    std::vector<const std::vector<Task>*> next;
    for (const Job& job : jobs_) {
      left.push_back(static_cast<unsigned>(job.after.size()));
      next.push_back(&job.next);
    }
    detail::CpuPool pool(std::move(left), next, [this](unsigned task) { jobs_[task].cpu(); });
    const auto begin = std::chrono::steady_clock::now();
    pool.run(options_.pool);
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
    outcome_.elapsed_us = took.count();
    return outcome_;
  }
  static double core_us() {
    timespec now = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
  }

  bool dependent_ = false;
};

}  // namespace raddle::tasks
