// A task finds the inputs that were copied for it, or earlier for others, while the host continues.
// It runs without another call after a flush, or with one of the next spawns. Blocks smaller than a
// warp exchange values with lanes(). Numbers of threads may have any integral type.
#include <raddle/tasks.cuh>

#include <vector>

#include "check.h"

namespace tasks = raddle::tasks;

// The sum of what was copied: 0 what was there before.
__device__ void sum_up(const unsigned* values, unsigned count, unsigned* sum) {
  unsigned mine = 0;
  for (unsigned i = tasks::task_thread(); i < count; i += tasks::block_size()) mine += values[i];
  atomicAdd(sum, mine);
}

// By the lanes that there are.
__device__ void count_threads(unsigned* sum) {
  const unsigned mask = tasks::lanes();
  unsigned ones = 1;
  for (unsigned step = 16; step != 0; step /= 2) {
    const unsigned other = __shfl_down_sync(mask, ones, step);
    const unsigned from = tasks::thread() % 32 + step;
    if (from < 32 && (mask >> from & 1) != 0) ones += other;
    tasks::sync_warp();
  }
  const unsigned all = __popc(__ballot_sync(mask, true));
  if (tasks::thread() % 32 == 0 && ones == all) atomicAdd(sum, ones);
}

using Runtime = tasks::Runtime<sum_up, count_threads>;

constexpr unsigned kTasks = 20, kWords = 1 << 18;

struct Memory {
  unsigned *host = nullptr, *device = device_array<unsigned>(kWords), *sums = nullptr;
  Memory() {
    CHECK(cudaMallocHost(&host, kWords * sizeof(unsigned)));
    CHECK(cudaHostAlloc(&sums, kTasks * sizeof(unsigned), cudaHostAllocMapped));
    for (unsigned i = 0; i < kWords; ++i) host[i] = 1;
  }
  void clear() {
    CHECK(cudaMemset(device, 0, kWords * sizeof(unsigned)));
    CHECK(cudaDeviceSynchronize());
    for (unsigned task = 0; task < kTasks; ++task) sums[task] = 0;
  }
};

tasks::Options one_column(tasks::Transport transport) {
  tasks::Options options;
  options.transport = transport;
  options.most_masters = 1;
  options.subtasks = 0;
  return options;
}

// Each task reads what was copied before it; every other one has nothing copied of its own.
void inputs_come_first(Memory& memory, tasks::Transport transport, bool gather = false) {
  memory.clear();
  tasks::Options options = one_column(transport);
  options.gather = gather;
  options.most_masters = 4;  // entries of one column come one after the other in any case
  Runtime runtime(options);
  CHECK(runtime.wait(runtime.spawn<sum_up>({32}, memory.device, 0u, memory.sums)));  // it is there
  constexpr unsigned kPart = 2 * (kWords / kTasks);
  for (unsigned task = 0; task < kTasks; ++task) {
    unsigned* const part = memory.device + task / 2 * kPart;
    if (task % 2 == 0) {
      CHECK(runtime.copy_in(part, memory.host, kPart * sizeof(unsigned)));
    }
    EXPECT(static_cast<bool>(runtime.spawn<sum_up>({64}, part, kPart, memory.sums + task)));
  }
  CHECK(runtime.shut_down());
  for (unsigned task = 0; task < kTasks; ++task) EXPECT_EQ_AT(task, memory.sums[task], kPart);
}

// The host asks another stream, and nothing of the runtime.
void flushed_once(Memory& memory, tasks::Transport transport, bool gather = false) {
  memory.clear();
  tasks::Options options = one_column(transport);
  options.gather = gather;
  Runtime runtime(options);
  CHECK(runtime.copy_in(memory.device, memory.host, kWords * sizeof(unsigned)));
  runtime.spawn<sum_up>({64}, memory.device, kWords, memory.sums);
  runtime.flush();
  runtime.flush();
  cudaStream_t other = nullptr;
  CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  const volatile unsigned* const sum = memory.sums;
  for (unsigned looks = 0; looks < 100000 && *sum != kWords; ++looks) {
    CHECK(cudaMemsetAsync(memory.device + kWords - 1, 1, 0, other));
    CHECK(cudaStreamSynchronize(other));
  }
  EXPECT_EQ(*sum, kWords);
  CHECK(cudaStreamDestroy(other));
  CHECK(runtime.shut_down());
}

// What is gathered while a copy is under way comes with what is asked for later, in places side by side and
// apart; for no task at all when the runtime ends. Only by the table in host memory.
void gathered(Memory& memory) {
  memory.clear();
  tasks::Options options = one_column(tasks::Transport::mapped);
  options.gather = true;
  Runtime runtime(options);
  for (unsigned task = 0; task < kTasks; ++task) {
    const unsigned at = task * (task < kTasks / 2 ? 100 : 300);
    CHECK(runtime.copy_in(memory.device + at, memory.host, 60 * sizeof(unsigned)));
    CHECK(runtime.copy_in(memory.device + at + 60, memory.host + 60, 40 * sizeof(unsigned)));
    EXPECT(static_cast<bool>(
        runtime.spawn<sum_up>({32}, memory.device + at, 100u, memory.sums + task)));
    if (task == kTasks / 2) CHECK(runtime.wait_all());
  }
  CHECK(runtime.wait_all());
  for (unsigned task = 0; task < kTasks; ++task) EXPECT_EQ_AT(task, memory.sums[task], 100u);
  CHECK(runtime.copy_in(memory.device + kWords - 1, memory.host, sizeof(unsigned)));
  CHECK(runtime.shut_down());
  unsigned last = 0;
  CHECK(cudaMemcpy(&last, memory.device + kWords - 1, sizeof last, cudaMemcpyDeviceToHost));
  EXPECT_EQ(last, 1u);
  options.transport = tasks::Transport::copies;
  Runtime refused(options);
  EXPECT_EQ(refused.error(), cudaErrorInvalidValue);
}

// Who only spawns lets a task run, whose input has come, with the third spawn after its own at the
// latest: `every`-th tasks have inputs of their own.
void released_by_spawns(Memory& memory, unsigned every) {
  memory.clear();
  tasks::Options options = one_column(tasks::Transport::mapped);
  Runtime runtime(options);
  cudaStream_t other = nullptr;
  CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  const volatile unsigned* const sums = memory.sums;
  for (unsigned task = 0; task < kTasks; ++task) {
    if (task % every == 0)
      CHECK(runtime.copy_in(memory.device + task, memory.host, sizeof(unsigned)));
    EXPECT(static_cast<bool>(
        runtime.spawn<sum_up>({32}, memory.device + task / every * every, 1u, memory.sums + task)));
    const unsigned runs = task < 3 ? 0 : task - 3;
    for (unsigned looks = 0; looks < 2000 && task >= 3 && sums[runs] == 0; ++looks) {
      CHECK(cudaMemsetAsync(memory.device + kWords - 1, 1, 1, other));
      CHECK(cudaStreamSynchronize(other));
    }
    if (task >= 3) EXPECT_EQ_AT(task, sums[runs], 1u);
    for (unsigned i = 0; i < 20; ++i)
      CHECK(cudaStreamSynchronize(other));  // the input comes meanwhile
  }
  CHECK(cudaStreamDestroy(other));
  CHECK(runtime.shut_down());
}

void blocks_of_any_size(Memory& memory, tasks::Waiting waiting) {
  memory.clear();
  tasks::Options options = one_column(tasks::Transport::mapped);
  options.waiting = waiting;
  Runtime runtime(options);
  unsigned* sum = memory.sums;
  for (int threads : {1, 31, 33, 100, 991}) {
    for (std::size_t blocks : {1, 5}) {
      EXPECT(static_cast<bool>(runtime.spawn<count_threads>({threads, blocks}, sum)));
      CHECK(runtime.wait_all());
      EXPECT_EQ_AT(threads, *sum, static_cast<unsigned>(threads) * blocks);
      ++sum;
    }
  }
  const int negative = -32;
  const std::size_t large = std::size_t{1} << 32 | 64;
  EXPECT(!runtime.spawn<count_threads>({negative}, sum));
  EXPECT(!runtime.spawn<count_threads>({large}, sum));
  EXPECT(!runtime.spawn<count_threads>({64, 1, large}, sum));
  CHECK(runtime.shut_down());
}

int main() {
  Memory memory;
  for (const tasks::Transport transport : {tasks::Transport::copies, tasks::Transport::mapped}) {
    inputs_come_first(memory, transport);
    flushed_once(memory, transport);
  }
  inputs_come_first(memory, tasks::Transport::mapped, true);
  flushed_once(memory, tasks::Transport::mapped, true);
  gathered(memory);
  for (const unsigned every : {1u, 3u, 100u}) released_by_spawns(memory, every);
  for (const tasks::Waiting waiting :
       {tasks::Waiting::park, tasks::Waiting::sleep, tasks::Waiting::poll}) {
    blocks_of_any_size(memory, waiting);
  }
  return finish();
}
