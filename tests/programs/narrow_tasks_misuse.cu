// Errors of users of raddle/tasks.cuh are reported, and no thread waits for ever: tasks after the
// end, Ids of another runtime, tasks that spawn without a queue or into a full one, two runtimes
// that share the GPU, one that ends first, a refused copy, earlier errors, comparisons of jobs that
// no runtime can run, and comparisons without jobs.
#include <raddle/tasks.cuh>
#include <raddle/tasks/compare.cuh>

#include <atomic>
#include <string>
#include <vector>

#include "check.h"

namespace tasks = raddle::tasks;

__device__ void add(unsigned* sum) {
  if (tasks::task_thread() == 0) atomicAdd(sum, 1u);
}

__device__ void spawn_some(unsigned* sum, unsigned* refused, unsigned count);
using List = tasks::Kernels<add, spawn_some>;
using Runtime = tasks::Runtime<add, spawn_some>;

// What there is no room for, it does itself.
__device__ void spawn_some(unsigned* sum, unsigned* refused, unsigned count) {
  if (tasks::task_thread() != 0) return;
  for (unsigned i = 0; i < count; ++i) {
    if (tasks::spawn<List, add>({64}, sum)) continue;
    atomicAdd(sum, 1u);
    atomicAdd(refused, 1u);
  }
}

tasks::Options small() {
  tasks::Options options;
  options.most_masters = 1;
  options.waiting = tasks::Waiting::park;
  options.subtasks = 0;
  return options;
}

struct Large {
  unsigned words[54];
};
// As many bytes of arguments as there may be: 216 + 8.
__device__ void add_last(Large large, unsigned* sum) noexcept {
  if (tasks::task_thread() == 0) atomicAdd(sum, large.words[53]);
}

struct Numbers {
  unsigned *sum = device_array<unsigned>(2), *refused = sum + 1;
  void clear() { CHECK(cudaMemcpy(sum, zeros, sizeof zeros, cudaMemcpyHostToDevice)); }
  void fetch() { CHECK(cudaMemcpy(found, sum, sizeof found, cudaMemcpyDeviceToHost)); }
  unsigned found[2] = {}, zeros[2] = {};
};

void after_the_end(Numbers& numbers) {
  numbers.clear();
  Runtime runtime(small());
  const tasks::Id id = runtime.spawn<add>({32}, numbers.sum);
  CHECK(runtime.shut_down());
  EXPECT(runtime.check(id));
  EXPECT(!runtime.spawn<add>({32}, numbers.sum));
  CHECK(runtime.wait_all());
  CHECK(runtime.shut_down());
  numbers.fetch();
  EXPECT_EQ(numbers.found[0], 1u);
}

// A queue of no, of two and of many entries, from several tasks at once.
void queues(Numbers& numbers) {
  for (const unsigned room : {0u, 2u, 256u}) {
    numbers.clear();
    tasks::Options options = small();
    options.subtasks = room;
    Runtime runtime(options);
    for (unsigned task = 0; task < 12; ++task) {
      EXPECT(static_cast<bool>(runtime.spawn<spawn_some>({32}, numbers.sum, numbers.refused, 10u)));
    }
    CHECK(runtime.shut_down());
    numbers.fetch();
    EXPECT_EQ(numbers.found[0], 120u);
    if (room == 0) EXPECT_EQ(numbers.found[1], 120u);
    if (room == 256) EXPECT_EQ(numbers.found[1], 0u);
  }
  for (const unsigned room : {1u, 3u}) {
    tasks::Options odd = small();
    odd.subtasks = room;
    Runtime refused(odd);
    EXPECT_EQ(refused.error(), cudaErrorInvalidValue);
    EXPECT(!refused.spawn<add>({32}, numbers.sum));
    EXPECT_EQ(refused.wait_all(), cudaErrorInvalidValue);
  }
}

void two_runtimes(Numbers& numbers) {
  numbers.clear();
  tasks::Options wide = small();
  wide.most_masters = 2;
  Runtime one(small()), other(wide);
  tasks::Id last;
  for (unsigned task = 0; task < 80; ++task) {
    one.spawn<add>({96}, numbers.sum);
    last = other.spawn<add>({96}, numbers.sum);
  }
  EXPECT(one.check(tasks::Id{1000, 1}));  // it has no such entry
  EXPECT(one.check(last));                // it is the other's
  EXPECT_EQ(one.wait(last), cudaErrorInvalidValue);
  CHECK(other.wait(last));
  CHECK(one.shut_down());
  CHECK(other.shut_down());
  numbers.fetch();
  EXPECT_EQ(numbers.found[0], 160u);
}

void all_bytes_of_arguments(Numbers& numbers) {
  numbers.clear();
  tasks::Runtime<add_last> runtime(small());
  Large large = {};
  large.words[53] = 7;
  runtime.spawn<add_last>({32}, large, numbers.sum);
  CHECK(runtime.shut_down());
  numbers.fetch();
  EXPECT_EQ(numbers.found[0], 7u);
}

// cudaFree would wait for the MasterKernel that goes on.
void one_runtime_outlives_another(Numbers& numbers) {
  numbers.clear();
  Runtime one(small());
  {
    Runtime other(small());
    other.spawn<add>({32}, numbers.sum);
  }
  one.spawn<add>({32}, numbers.sum);
  CHECK(one.shut_down());
  numbers.fetch();
  EXPECT_EQ(numbers.found[0], 2u);
}

// A copy that is refused is the caller's affair; the other tasks are not concerned.
void a_refused_copy(Numbers& numbers, tasks::Transport transport) {
  numbers.clear();
  tasks::Options options = small();
  options.transport = transport;
  Runtime runtime(options);
  EXPECT(static_cast<bool>(runtime.spawn<add>({32}, numbers.sum)));
  EXPECT(runtime.copy_in(reinterpret_cast<void*>(16), numbers.zeros, 4) != cudaSuccess);
  EXPECT(static_cast<bool>(runtime.spawn<add>({32}, numbers.sum)));
  CHECK(runtime.shut_down());
  (void)cudaGetLastError();
  numbers.fetch();
  EXPECT_EQ(numbers.found[0], 2u);
}

// An error that the program has not asked for yet is not the runtime's.
void an_older_error(Numbers& numbers) {
  numbers.clear();
  void* memory = nullptr;
  EXPECT(cudaMalloc(&memory, ~std::size_t{0} / 2) != cudaSuccess);
  Runtime runtime(small());
  CHECK(runtime.error());
  EXPECT(static_cast<bool>(runtime.spawn<add>({32}, numbers.sum)));
  CHECK(runtime.shut_down());
  EXPECT(cudaGetLastError() != cudaSuccess);  // it is still there
  numbers.fetch();
  EXPECT_EQ(numbers.found[0], 1u);
}

struct Nothing {
  template <class At>
  __device__ void operator()(const At& at) const {
    at.sync();
  }
};

// A task that was refused has not run: nobody says that it has.
void refused_tasks(Numbers& numbers) {
  numbers.clear();
  tasks::Options options = small();
  options.most_ends = 1;
  Runtime runtime(options);
  CHECK(runtime.refusal());
  for (const tasks::Launch& how :
       std::vector<tasks::Launch>{{0}, {993}, {1024}, {32, 0}, {33, 1, 0, true}}) {
    EXPECT_EQ(runtime.wait(runtime.spawn<add>(how, numbers.sum)), cudaErrorInvalidValue);
    EXPECT_EQ(runtime.refusal(), cudaErrorInvalidConfiguration);
  }
  CHECK(runtime.wait(runtime.spawn<add>({32}, numbers.sum)));
  EXPECT(!runtime.spawn<add>({32}, numbers.sum));
  EXPECT_EQ(runtime.refusal(), cudaErrorLaunchOutOfResources);  // an end that nobody has taken
  CHECK(runtime.shut_down());
  EXPECT(!runtime.spawn<add>({32}, numbers.sum));
  EXPECT_EQ(runtime.refusal(), cudaErrorNotPermitted);
  EXPECT_EQ(runtime.counts().refused, 7u);
  numbers.fetch();
  EXPECT_EQ(numbers.found[0], 1u);
}

// Whoever only asks for ends gets all of them, the last one's too.
void ends_of_few(Numbers& numbers) {
  tasks::Options options = small();
  options.most_ends = 10;
  Runtime runtime(options);
  for (unsigned task = 0; task < 3; ++task) runtime.spawn<add>({32}, numbers.sum);
  std::size_t told = 0;
  for (unsigned polls = 0; polls < 10000 && told < 3; ++polls) told += runtime.take_ended().size();
  EXPECT_EQ(told, 3u);
  CHECK(runtime.shut_down());
}

void comparison_of_what_is_not_there() {
  tasks::Comparison<Nothing> comparison;
  bool told = false;
  try {
    comparison.add({32}, Nothing{}, {}, {}, [] {}, {0});  // after itself
  } catch (const std::runtime_error&) {
    told = true;
  }
  EXPECT(told);
}

// What cannot be run is refused when it is added, and by its number; what only the runtime cannot run,
// since its barriers count whole warps, when that is to run it. The comparison goes on.
void comparison_of_refused_jobs() {
  tasks::Comparison<Nothing> comparison;
  comparison.add({32}, Nothing{}, {}, {}, [] {});
  for (const tasks::Launch& how : std::vector<tasks::Launch>{{0}, {993}, {64, 0}}) {
    std::string told;
    try {
      comparison.add(how, Nothing{}, {}, {}, [] {});
    } catch (const std::runtime_error& error) {
      told = error.what();
    }
    EXPECT(told.find("task 1 ") == 0);
  }
  tasks::ComparisonOptions options;
  options.runtime = small();
  EXPECT(comparison.run(tasks::Way::tasks, options).elapsed_us > 0);
  comparison.add({40, 1, 0, true}, Nothing{}, {}, {}, [] {});
  EXPECT(comparison.run(tasks::Way::streams, options).elapsed_us > 0);
  for (bool successors : {false, true}) {
    options.successors = successors;
    std::string told;
    try {
      comparison.run(tasks::Way::tasks, options);
    } catch (const std::runtime_error& error) {
      told = error.what();
    }
    EXPECT(told.find("task 1 ") == 0);
  }
}

void comparison_without_a_function_for_the_cpu() {
  tasks::Comparison<Nothing> comparison;
  comparison.add({32}, Nothing{}, {}, {}, {});
  for (unsigned pool : {0, 2}) {
    tasks::ComparisonOptions options;
    options.pool = pool;
    bool told = false;
    try {
      comparison.run(tasks::Way::threads, options);
    } catch (const std::runtime_error&) {
      told = true;
    }
    EXPECT(told);
  }
}

void comparison_of_few_jobs() {
  tasks::Comparison<Nothing> comparison;
  tasks::ComparisonOptions options;
  options.runtime = small();
  for (unsigned jobs = 0; jobs < 2; ++jobs) {
    options.successors = false;
    for (const auto way : {tasks::Way::tasks, tasks::Way::streams, tasks::Way::batches,
                           tasks::Way::fusion, tasks::Way::graphs, tasks::Way::threads}) {
      EXPECT(comparison.run(way, options).elapsed_us >= 0);
    }
    options.successors = true;
    EXPECT(comparison.run(tasks::Way::tasks, options).elapsed_us >= 0);
    comparison.add({64, 1, 0, true}, Nothing{}, {}, {}, [] {});
  }
}

// Threads of the CPU: each job once, after those that it waits for.
void comparison_on_a_pool() {
  constexpr unsigned kJobs = 60;
  std::vector<std::atomic<unsigned>> ran(kJobs);
  std::atomic<unsigned> early{0};
  tasks::Comparison<Nothing> comparison;
  for (unsigned job = 0; job < kJobs; ++job) {
    std::vector<unsigned> after;
    if (job >= 3) after = {job - 3, job / 2};
    const auto on_cpu = [&ran, &early, job, after] {
      for (unsigned before : after) early += ran[before] == 0 ? 1 : 0;
      ++ran[job];
    };
    comparison.add({32}, Nothing{}, {}, {}, on_cpu, after);
  }
  tasks::ComparisonOptions options;
  options.pool = 4;
  EXPECT(comparison.run(tasks::Way::threads, options).elapsed_us > 0);
  EXPECT_EQ(early.load(), 0u);
  for (unsigned job = 0; job < kJobs; ++job) EXPECT_EQ_AT(job, ran[job].load(), 1u);
}

int main() {
  Numbers numbers;
  after_the_end(numbers);
  queues(numbers);
  two_runtimes(numbers);
  all_bytes_of_arguments(numbers);
  one_runtime_outlives_another(numbers);
  a_refused_copy(numbers, tasks::Transport::copies);
  a_refused_copy(numbers, tasks::Transport::mapped);
  an_older_error(numbers);
  (void)cudaGetLastError();
  refused_tasks(numbers);
  ends_of_few(numbers);
  comparison_of_what_is_not_there();
  comparison_of_refused_jobs();
  comparison_without_a_function_for_the_cpu();
  comparison_of_few_jobs();
  comparison_on_a_pool();
  return finish();
}
