// The same narrow tasks, run in each of the ways in which a GPU or a CPU can run them, to see
// whether Runtime pays for a program of yours: give a Comparison your tasks, run it, compare.
//
//   raddle::tasks::Comparison<Filter, Decode> comparison;         // works: see work.cuh
//   comparison.add(how, Filter{...}, input, output, cpu);          // any number of tasks
//   const Outcome outcome = comparison.run(Way::streams);          // .elapsed_us
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <stdexcept>
#include <vector>

#include "../tasks.cuh"
#include "any_comparison.cuh"
#include "batch.cuh"
#include "compare_tools.cuh"
#include "gemtc.cuh"
#include "successors.cuh"
#include "work.cuh"

namespace raddle::tasks {

template <class... Works>
class Comparison final : public AnyComparison {
 public:
  /// `in` is copied before the task runs, `out` after; tasks in `after` have to end before it
  /// starts, and were added before. `cpu` does the same on the CPU.
  template <class Work>
  Task add(const Launch& how, const Work& work, const Transfer& in, const Transfer& out,
           std::function<void()> cpu, std::vector<Task> after = {}) {
    static_assert(std::is_trivially_copyable_v<Work>, "parameters are copied as bytes");
    Packed packed = {};
    packed.kind = kind_of<Work, Works...>();
    packed.threads = how.threads;
    packed.blocks = how.blocks;
    std::memcpy(packed.bytes, &work, sizeof work);
    const Task task = add_job({how, in, out, std::move(cpu), std::move(after), {}});
    packed_.push_back(packed);
    return task;
  }

 private:
  using Packed = detail::Packed<Works...>;
  using Runtime = tasks::Runtime<as_task<Works>...>;

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

  void run_tasks() override {
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
        for (const Task task : bring_next(runtime, ready, spawned)) {
          const Id id = spawn(runtime, task);
          if (!id) detail::must(runtime.refusal());
          by_id[id] = task;
          collect(runtime.take_ended(++spawned % options_.ask_every == 0));
        }
      } else {
        runtime.flush();
        collect(runtime.wait_ended());
        detail::must(runtime.error());
      }
    }
    back.wait();
    measure(first, clock_->mark());
    done_ = 0;
    detail::must(runtime.shut_down());
    count(runtime.counts(), runtime.masters(), runtime.kilohertz());
  }

  /// Dependences are the GPU's own affair: see successors.cuh.
  void run_successors() override {
    if (options_.latency || options_.lock_step || options_.by_warps) {
      throw std::runtime_error(
          "tasks that spawn others: no latencies, lock-step or copies by their warps");
    }
    const detail::GraphOnBothSides<Works...> graph(jobs_, packed_);
    Options wants = options_.runtime;
    wants.subtasks = graph.room();
    tasks::Runtime<detail::in_graph<Works...>> runtime(wants);
    detail::must(runtime.error());
    detail::Streams back(1);
    const auto copy = [&](void* to, const void* from, std::size_t bytes) {
      detail::must(runtime.copy_in(to, from, bytes));
    };
    std::vector<Id> spawned;
    const unsigned first = clock_->mark();
    for (const Job& job : jobs_) {
      if (options_.copies_in && job.in.bytes != 0) copy(job.in.to, job.in.from, job.in.bytes);
    }
    graph.send(copy);
    for (Task task = 0; task < jobs_.size(); ++task) {
      if (!jobs_[task].after.empty()) continue;
      spawned.push_back(runtime.template spawn<detail::in_graph<Works...>>(jobs_[task].how,
                                                                           graph.on_gpu(), task));
      if (!spawned.back()) detail::must(runtime.refusal());
    }
    detail::must(runtime.wait_all());
    for (const Job& job : jobs_) fetch(job, back[0]);
    back.wait();
    measure(first, clock_->mark());
    detail::must(runtime.shut_down());
    for (Id root : spawned) {
      if (runtime.code_of(root) == detail::kNoRoomForSuccessor)
        throw std::runtime_error("a task could not spawn one that had waited for it");
    }
    count(runtime.counts(), runtime.masters(), runtime.kilohertz());
  }

  /// The tasks that are spawned next, whose inputs are on their way: one, or with merge_copies as many
  /// as between two questions for ends, in as few copies as their memory allows.
  std::vector<Task> bring_next(Runtime& runtime, std::vector<Task>& ready, std::size_t spawned) {
    std::size_t count = 1;
    if (options_.merge_copies) count = options_.ask_every - spawned % options_.ask_every;
    if (options_.lock_step && count > batch_size() - spawned % batch_size()) {
      count = batch_size() - spawned % batch_size();
    }
    std::vector<Task> next;
    for (; count != 0 && !ready.empty(); --count) {
      next.push_back(ready.back());
      ready.pop_back();
      begin(next.back());
    }
    if (!options_.copies_in || options_.by_warps) return next;
    each_copy(next, &Job::in,
              [&](const Transfer& in) { detail::must(runtime.copy_in(in.to, in.from, in.bytes)); });
    return next;
  }
  Id spawn(Runtime& runtime, Task task) {
    Id id;
    with_work(packed_[task], [&](const auto& work) {
      using Work = std::decay_t<decltype(work)>;
      const Job& job = jobs_[task];
      if (!options_.by_warps) {
        id = runtime.template spawn<as_task<Work>>(job.how, work);
        return;
      }
      id = runtime.template spawn<as_task<Work>>(job.how, moves_of(job), work);
    });
    return id;
  }
  Moves moves_of(const Job& job) const {
    Moves moves;
    if (options_.copies_in) moves.in(job.in.to, job.in.from, job.in.bytes);
    if (options_.copies_out) moves.out(job.out.to, job.out.from, job.out.bytes);
    return moves;
  }

  void start(Task task, cudaStream_t stream) override {
    const Launch& how = jobs_[task].how;
    with_work(packed_[task], [&](const auto& work) {
      using Work = std::decay_t<decltype(work)>;
      const auto kernel = options_.bounded ? as_bounded_kernel<Work> : as_kernel<Work>;
      kernel<<<how.blocks, how.threads, how.shared, stream>>>(work);
    });
  }

  void run_batches(bool fuse) override {
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
    const unsigned workers = resident(super_kernel<Works...>, threads, shared);
    const unsigned first = clock_->mark();
    for (Task from = 0; from < all; from += batch) {
      const Task to = all - from < batch ? all : from + batch;
      unsigned count = 0;
      for (Task task = from; task < to; ++task) {
        begin(task);
        packed.host[task - from] = packed_[task];
        for (unsigned block = 0; block < jobs_[task].how.blocks; ++block) {
          map.host[count++] = {task - from, block};
        }
      }
      if (options_.copies_in) move_all(from, to, &Job::in, cudaMemcpyHostToDevice, stream[0]);
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
      if (options_.copies_out) move_all(from, to, &Job::out, cudaMemcpyDeviceToHost, stream[0]);
      stream.wait();
      const unsigned now = clock_->mark();
      for (Task task = from; task < to; ++task) end(task, now);
    }
    measure(first, clock_->mark());
  }

  void run_known() override {
    Batch<as_batched<Works>...> batch;
    const unsigned first = clock_->mark();
    for (Task task = 0; task < jobs_.size(); ++task) {
      begin(task);
      with_work(packed_[task], [&](const auto& work) {
        using Work = std::decay_t<decltype(work)>;
        const Job& job = jobs_[task];
        const Moves moves = moves_of(job);
        detail::must(batch.template add<as_batched<Work>>(job.how, moves, work));
      });
    }
    detail::must(batch.run());
    const unsigned last = clock_->mark();
    for (Task task = 0; task < jobs_.size(); ++task) end(task, last);
    measure(first, last);
  }

  void run_gemtc() override {
    unsigned threads = 0, shared = 0;
    for (const Job& job : jobs_) {
      if (job.how.blocks != 1) throw std::runtime_error("a task of GeMTC is one block");
      threads = std::max(threads, job.how.threads);
      shared = std::max(shared, job.how.shared);
    }
    const auto all = static_cast<Task>(jobs_.size());
    const Task capacity = std::min(all, batch_size());
    detail::Gemtc<Works...> gemtc(capacity, resident(detail::gemtc<Works...>, threads, shared),
                                  threads, shared);
    const unsigned first = clock_->mark();
    Task pushed = 0, ended = 0;
    while (ended < all) {
      if (pushed < all && pushed - ended < capacity) {
        begin(pushed);
        if (options_.copies_in) gemtc.copy(jobs_[pushed].in, cudaMemcpyHostToDevice);
        gemtc.push(packed_[pushed++]);
      } else if (const Task task = gemtc.poll(); task != detail::kNoTask) {
        if (options_.copies_out) gemtc.copy(jobs_[task].out, cudaMemcpyDeviceToHost);
        end(task, options_.latency ? clock_->mark() : 0);
        ++ended;
      }
    }
    measure(first, clock_->mark());
  }

  template <class Kernel>
  static unsigned resident(Kernel kernel, unsigned threads, unsigned shared) {
    int device = 0, multiprocessors = 0, blocks = 0;
    detail::must(cudaGetDevice(&device));
    detail::must(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    detail::must(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel,
                                                               static_cast<int>(threads), shared));
    return static_cast<unsigned>(multiprocessors * blocks);
  }

  std::vector<Packed> packed_;  // by task
};

}  // namespace raddle::tasks
