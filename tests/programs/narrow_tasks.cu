// stays: moving the state of its blocks, of 1024 threads, takes longer than they are left alone;
//        narrow_tasks_spawners.cu is preempted
// Tasks of raddle/tasks.cuh: every thread of every block runs once, with its own index, for every
// size of a task. Blocks have their own shared memory and barrier. Full tables delay the spawner.
// Failures are reported by task. Tasks that a task spawns count as part of it. Uses both transports
// and each way in which idle warps wait.
#include <raddle/tasks.cuh>

#include "check.h"

namespace tasks = raddle::tasks;

// Adds 1 to the place of each thread of the task.
__device__ void mark(unsigned* places, unsigned threads, unsigned blocks) {
  if (tasks::block_size() != threads || tasks::blocks() != blocks) tasks::fail(1);
  if (tasks::thread() >= threads || tasks::block() >= blocks) tasks::fail(2);
  atomicAdd(&places[tasks::getTid()], 1u);
}

// What other threads of the block have written is there after the barrier; nobody else writes to
// the block's shared memory.
__device__ void reverse(unsigned* values, unsigned seed) {
  auto* const mine = tasks::shared<unsigned>();
  const unsigned i = tasks::thread(), n = tasks::block_size();
  for (unsigned round = 0; round < 3; ++round) {
    mine[i] = seed + tasks::block() * n + i + round;
    tasks::sync_block();
    values[tasks::block() * n + i] = mine[n - 1 - i];
    tasks::sync_block();
  }
}

__device__ void fail_with(unsigned code) {
  if (tasks::thread() == 7) tasks::fail(code);
}

__device__ void nothing() {}

__device__ void count_one(unsigned* count) {
  if (tasks::getTid() == 0) atomicAdd(count, 1u);
}

__device__ void tree(unsigned depth, unsigned* count);
__device__ void crowd(unsigned* counts);
__device__ void count_slowly(unsigned* count);
__device__ void note_count(unsigned* count);
__device__ void hold();
__device__ void spawn_note(unsigned* count);
using List = tasks::Kernels<mark, reverse, fail_with, nothing, count_one, tree, crowd, count_slowly,
                            note_count, spawn_note, hold>;

// Two children each; the leaves of the right edge fail.
__device__ void tree(unsigned depth, unsigned* count) {
  if (tasks::getTid() != 0) return;
  atomicAdd(count, 1u);
  for (unsigned child = 0; depth > 0 && child < 2; ++child) {
    if (!tasks::spawn<List, tree>({child == 0 ? 32u : 64u}, depth - 1, count)) tasks::fail(99);
  }
  if (depth == 0 && tasks::block_size() == 64) tasks::fail(5);
}

// All threads spawn at once: what is taken, what is refused, and what has run.
__device__ void crowd(unsigned* counts) {
  const bool taken = tasks::spawn<List, count_one>({32}, counts + 2);
  atomicAdd(&counts[taken ? 0 : 1], 1u);
}

// Spawned first, how many other tasks have ended when it runs.
__device__ void count_slowly(unsigned* count) {
  for (unsigned round = 0; round < 200; ++round) asm volatile("membar.cta;" ::: "memory");
  if (tasks::getTid() == 0) atomicAdd(count, 1u);
}
__device__ void note_count(unsigned* count) {
  if (tasks::getTid() == 0) count[1] = atomicAdd(count, 0u);
}
__device__ void spawn_note(unsigned* count) {
  if (tasks::getTid() == 0 && !tasks::spawn<List, note_count>({32}, count)) tasks::fail(1);
}

// For as long as a host takes to fill the table.
__device__ void hold() {
  const long long begin = clock64();
  while (clock64() - begin < 400'000) asm volatile("nanosleep.u32 10000;");
}

using Runtime = tasks::Runtime<mark, reverse, fail_with, nothing, count_one, tree, crowd,
                               count_slowly, note_count, spawn_note, hold>;

unsigned random_below(unsigned bound) {
  static unsigned state = 1;
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % bound;
}

void sizes(Runtime& runtime) {
  constexpr unsigned kTasks = 40, kMost = 992 * 3;
  auto* const places = device_array<unsigned>(kTasks * kMost);
  CHECK(cudaMemcpy(places, std::vector<unsigned>(kTasks * kMost).data(),
                   kTasks * kMost * sizeof(unsigned), cudaMemcpyHostToDevice));
  std::vector<unsigned> threads, blocks;
  std::vector<tasks::Id> ids;
  for (unsigned task = 0; task < kTasks; ++task) {
    // Some sizes that are no whole warps, and the smallest and largest.
    threads.push_back(task == 0 ? 1 : task == 1 ? 992 : 1 + random_below(992));
    blocks.push_back(1 + random_below(3));
    ids.push_back(runtime.spawn<mark>({threads[task], blocks[task]}, places + task * kMost,
                                      threads[task], blocks[task]));
    EXPECT(static_cast<bool>(ids.back()));
  }
  CHECK(runtime.wait_all());
  std::vector<unsigned> found(kTasks * kMost);
  CHECK(cudaMemcpy(found.data(), places, found.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
  for (unsigned task = 0; task < kTasks; ++task) {
    EXPECT(runtime.check(ids[task]));
    EXPECT_EQ_AT(task, runtime.code_of(ids[task]), 0u);
    for (unsigned i = 0; i < kMost; ++i) {
      EXPECT_EQ_AT(i, found[task * kMost + i], i < threads[task] * blocks[task] ? 1u : 0u);
    }
  }
}

void blocks_with_shared_memory(Runtime& runtime) {
  constexpr unsigned kTasks = 30, kMost = 31 * 32 * 2;
  auto* const values = device_array<unsigned>(kTasks * kMost);
  std::vector<unsigned> threads;
  for (unsigned task = 0; task < kTasks; ++task) {
    // Part of a warp needs no `sync`.
    const unsigned few = 1 + random_below(31), many = 32 * (1 + random_below(8));
    threads.push_back(task == 0 ? 992 : task % 4 == 3 ? few : many);
    // From what the threads need to all that there is.
    const unsigned least = threads[task] * sizeof(unsigned);
    const unsigned shared = task == 1 ? tasks::kSharedBytes : least << random_below(3);
    EXPECT(static_cast<bool>(runtime.spawn<reverse>({threads[task], 2, shared, threads[task] >= 32},
                                                    values + task * kMost, task)));
  }
  CHECK(runtime.wait_all());
  std::vector<unsigned> found(kTasks * kMost);
  CHECK(cudaMemcpy(found.data(), values, found.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
  for (unsigned task = 0; task < kTasks; ++task) {
    const unsigned n = threads[task];
    for (unsigned i = 0; i < 2 * n; ++i) {
      EXPECT_EQ_AT(i, found[task * kMost + i], task + i / n * n + (n - 1 - i % n) + 2);
    }
  }
}

// Executors go on with further warps and blocks of a task: alone, and as teams that have shared memory,
// a barrier or both in common.
void many_blocks(Runtime& runtime) {
  constexpr unsigned kBlocks = 70, kMost = kBlocks * 100;
  const tasks::Launch launches[] = {{100, kBlocks},
                                    {100, kBlocks, 700},
                                    {31, kBlocks, 100},
                                    {96, kBlocks, 0, true},
                                    {64, kBlocks, 512, true},
                                    {32, kBlocks, 128, true},
                                    {992, kBlocks / 10, 4096},
                                    {1, kBlocks}};
  constexpr unsigned kTasks = sizeof launches / sizeof *launches;
  auto* const places = device_array<unsigned>(2 * kTasks * kMost);
  std::vector<unsigned> found(2 * kTasks * kMost);
  CHECK(cudaMemcpy(places, found.data(), found.size() * sizeof(unsigned), cudaMemcpyHostToDevice));
  std::vector<tasks::Id> ids;
  for (unsigned task = 0; task < 2 * kTasks; ++task) {
    const tasks::Launch& how = launches[task % kTasks];
    ids.push_back(runtime.spawn<mark>(how, places + task * kMost, how.threads, how.blocks));
    EXPECT(static_cast<bool>(ids.back()));
  }
  auto* const values = device_array<unsigned>(kMost);
  const tasks::Launch meeting{96, kBlocks, 96 * sizeof(unsigned), true};
  EXPECT(static_cast<bool>(runtime.spawn<reverse>(meeting, values, 5u)));
  CHECK(runtime.wait_all());
  for (unsigned task = 0; task < 2 * kTasks; ++task) {
    EXPECT(runtime.check(ids[task]));
    EXPECT_EQ_AT(task, runtime.code_of(ids[task]), 0u);
  }
  CHECK(cudaMemcpy(found.data(), places, found.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < found.size(); ++i) {
    const tasks::Launch& how = launches[i / kMost % kTasks];
    EXPECT_EQ_AT(i, found[i], i % kMost < how.threads * how.blocks ? 1u : 0u);
  }
  CHECK(cudaMemcpy(found.data(), values, kMost * sizeof(unsigned), cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < 96 * kBlocks; ++i) {
    EXPECT_EQ_AT(i, found[i], 5 + i / 96 * 96 + (95 - i % 96) + 2);
  }
}

void failures_and_refusals(Runtime& runtime) {
  const tasks::Id right = runtime.spawn<fail_with>({32}, 0u);
  const tasks::Id wrong = runtime.spawn<fail_with>({128, 3}, 42u);
  CHECK(runtime.wait(wrong));
  CHECK(runtime.wait(right));
  EXPECT_EQ(runtime.code_of(wrong), 42u);
  EXPECT_EQ(runtime.code_of(right), 0u);
  EXPECT(!runtime.spawn<nothing>({0}));
  EXPECT(!runtime.spawn<nothing>({993}));
  EXPECT(!runtime.spawn<nothing>({32, 0}));
  EXPECT(!runtime.spawn<nothing>({32, tasks::kMaxBlocks + 1}));
  EXPECT(!runtime.spawn<nothing>({32, 1, tasks::kSharedBytes + 1}));
  EXPECT(!runtime.spawn<nothing>({33, 1, 0, true}));
  CHECK(runtime.error());
}

void trees(Runtime& runtime) {
  auto* const count = device_array<unsigned>(2);
  CHECK(cudaMemcpy(count, std::vector<unsigned>(2).data(), 2 * sizeof(unsigned),
                   cudaMemcpyHostToDevice));
  const tasks::Id shallow = runtime.spawn<tree>({32}, 0u, count);
  const tasks::Id deep = runtime.spawn<tree>({32}, 4u, count + 1);
  CHECK(runtime.wait(shallow));
  CHECK(runtime.wait(deep));
  unsigned found[2] = {};
  CHECK(cudaMemcpy(found, count, sizeof found, cudaMemcpyDeviceToHost));
  EXPECT_EQ(found[0], 1u);
  EXPECT_EQ(found[1], 31u);
  EXPECT_EQ(runtime.code_of(shallow), 0u);
  EXPECT_EQ(runtime.code_of(deep), 5u);
}

// More than the queue of spawned tasks has room for, from lanes of whole and of partial warps.
void crowds(Runtime& runtime) {
  constexpr unsigned kThreads = 107;
  auto* const counts = device_array<unsigned>(3);
  CHECK(cudaMemcpy(counts, std::vector<unsigned>(3).data(), 3 * sizeof(unsigned),
                   cudaMemcpyHostToDevice));
  CHECK(runtime.wait(runtime.spawn<crowd>({kThreads}, counts)));
  unsigned found[3] = {};
  CHECK(cudaMemcpy(found, counts, sizeof found, cudaMemcpyDeviceToHost));
  EXPECT_EQ(found[0] + found[1], kThreads);
  EXPECT(found[0] >= 64);
  EXPECT_EQ(found[2], found[0]);
}

// However many tasks the host spawns, those of tasks have their turn.
void turns(const tasks::Options& options) {
  tasks::Options one = options;
  one.most_masters = 1;
  constexpr unsigned kTasks = 150;
  auto* const count = device_array<unsigned>(2);
  CHECK(cudaMemcpy(count, std::vector<unsigned>(2).data(), 2 * sizeof(unsigned),
                   cudaMemcpyHostToDevice));
  Runtime runtime(one);
  EXPECT(static_cast<bool>(runtime.spawn<spawn_note>({32}, count)));
  for (unsigned task = 0; task < kTasks; ++task) {
    EXPECT(static_cast<bool>(runtime.spawn<count_slowly>({992}, count)));
  }
  CHECK(runtime.shut_down());
  unsigned found[2] = {};
  CHECK(cudaMemcpy(found, count, sizeof found, cudaMemcpyDeviceToHost));
  EXPECT_EQ(found[0], kTasks);
  EXPECT(found[1] < 64);
}

// One column of the table has room for 31 tasks.
void more_than_fit(const tasks::Options& options) {
  tasks::Options one = options;
  one.most_masters = 1;
  constexpr unsigned kTasks = 120;
  auto* const places = device_array<unsigned>(kTasks);
  CHECK(cudaMemcpy(places, std::vector<unsigned>(kTasks).data(), kTasks * sizeof(unsigned),
                   cudaMemcpyHostToDevice));
  {
    Runtime runtime(one);
    EXPECT_EQ(runtime.masters(), 1u);
    EXPECT(static_cast<bool>(runtime.spawn<hold>({992})));
    for (unsigned task = 0; task < kTasks; ++task) {
      EXPECT(static_cast<bool>(runtime.taskSpawn<mark>(1, 1, 0, false, places + task, 1u, 1u)));
    }
    EXPECT(runtime.counts().full != 0);
    // Its end waits for all of them.
  }
  std::vector<unsigned> found(kTasks);
  CHECK(cudaMemcpy(found.data(), places, sizeof(unsigned) * kTasks, cudaMemcpyDeviceToHost));
  for (unsigned task = 0; task < kTasks; ++task) EXPECT_EQ_AT(task, found[task], 1u);
}

int main() {
  for (const tasks::Transport transport : {tasks::Transport::copies, tasks::Transport::mapped}) {
    for (const tasks::Waiting waiting :
         {tasks::Waiting::park, tasks::Waiting::sleep, tasks::Waiting::poll}) {
      tasks::Options options;
      options.transport = transport;
      options.waiting = waiting;
      options.subtasks = 64;
      options.most_masters = 3;
      {
        Runtime runtime(options);
        CHECK(runtime.error());
        sizes(runtime);
        blocks_with_shared_memory(runtime);
        many_blocks(runtime);
        failures_and_refusals(runtime);
        trees(runtime);
        crowds(runtime);
        CHECK(runtime.shut_down());
        EXPECT(runtime.outstanding().empty());
      }
      more_than_fit(options);
      turns(options);
    }
  }
  return finish();
}
