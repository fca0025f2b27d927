// A batch of tasks that are known in advance: their functions see what they see in a Runtime, of blocks of any
// size, of one and of many; failures are told by task; inputs and results come and go with few copies; a batch is
// run again, cleared and filled again.
#include <raddle/tasks.cuh>
#include <raddle/tasks/batch.cuh>

#include <vector>

#include "check.h"

namespace tasks = raddle::tasks;

__device__ void mark(unsigned* places, unsigned threads, unsigned blocks) {
  if (tasks::block_size() != threads || tasks::blocks() != blocks) tasks::fail(1);
  if (tasks::thread() >= threads || tasks::block() >= blocks) tasks::fail(2);
  if (__popc(__ballot_sync(tasks::lanes(), true)) != __popc(tasks::lanes())) tasks::fail(3);
  atomicAdd(&places[tasks::getTid()], 1u);
}

// The sum of a block's values, through memory that its threads share.
__device__ void sum_up(const unsigned* values, unsigned* sums) {
  auto* const mine = tasks::shared<unsigned>();
  const unsigned i = tasks::thread(), n = tasks::block_size();
  mine[i] = values[tasks::block() * n + i];
  tasks::sync_block();
  for (unsigned step = n / 2; step != 0; step /= 2) {
    if (i < step) mine[i] += mine[i + step];
    tasks::sync_block();
  }
  if (i == 0) sums[tasks::block()] = mine[0];
}

__device__ void fail_with(unsigned code) {
  if (tasks::getTid() == 70) tasks::fail(code);
}

using Batch = tasks::Batch<mark, sum_up, fail_with>;
using Runtime = tasks::Runtime<mark, sum_up, fail_with>;

template <class T>
struct Both {
  T *host = nullptr, *device = nullptr;
  explicit Both(std::size_t count) : device(device_array<T>(count)) {
    CHECK(cudaMallocHost(&host, count * sizeof(T)));
    CHECK(cudaMemset(device, 0, count * sizeof(T)));
    for (std::size_t i = 0; i < count; ++i) host[i] = 0;
  }
};

// Every thread of every block runs once.
void marks() {
  constexpr unsigned kPlaces = 1 << 16;
  Both<unsigned> places(kPlaces);
  Batch batch;
  unsigned used = 0, tasks_added = 0;
  for (const tasks::Launch how : {tasks::Launch{32}, {1, 7}, {100, 3}, {992, 2}, {64, 40}, {31}}) {
    for (unsigned again = 0; again < 9; ++again) {
      const unsigned threads = how.threads * how.blocks;
      CHECK(batch.add<mark>(how, places.device + used, how.threads, how.blocks));
      used += threads;
      ++tasks_added;
    }
  }
  EXPECT_EQ(batch.size(), tasks_added);
  EXPECT_EQ(batch.add<mark>({1000}, places.device, 1u, 1u), cudaErrorInvalidConfiguration);
  EXPECT_EQ(batch.add<mark>({40, 1, 0, true}, places.device, 1u, 1u),
            cudaErrorInvalidConfiguration);
  EXPECT_EQ(batch.size(), tasks_added);
  CHECK(batch.run());
  CHECK(batch.run());
  for (unsigned task = 0; task < tasks_added; ++task) EXPECT_EQ_AT(task, batch.code_of(task), 0u);
  CHECK(cudaMemcpy(places.host, places.device, kPlaces * sizeof(unsigned), cudaMemcpyDeviceToHost));
  unsigned wrong = 0;
  for (unsigned i = 0; i < kPlaces; ++i) wrong += places.host[i] != (i < used ? 2u : 0u);
  EXPECT_EQ(wrong, 0u);
}

// Inputs and results side by side, and with gaps between them; the same task in a Runtime.
void moves() {
  constexpr unsigned kTasks = 40, kBlocks = 3, kThreads = 64, kValues = kBlocks * kThreads;
  Both<unsigned> values(kTasks * 2 * kValues), sums(kTasks * 8);
  const auto value = [](unsigned i) { return i * 3 + i / 64; };
  const tasks::Launch how{kThreads, kBlocks, kThreads * sizeof(unsigned), true};
  const auto moves_of = [&](unsigned at, unsigned task) {
    return tasks::Moves()
        .in(values.device + at, values.host + at, kValues * sizeof(unsigned))
        .out(sums.host + 4 * task, sums.device + 4 * task, kBlocks * sizeof(unsigned));
  };
  Batch batch;
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (unsigned round = 0; round < 3; ++round) {
    const unsigned step = round == 0 ? kValues : 2 * kValues;
    for (unsigned i = 0; i < kTasks * step; ++i) values.host[i] = value(i + round);
    for (unsigned i = 0; i < kTasks * 8; ++i) sums.host[i] = 7;
    CHECK(cudaMemset(sums.device, 0, kTasks * 8 * sizeof(unsigned)));
    CHECK(cudaDeviceSynchronize());
    batch.clear();
    for (unsigned task = 0; task < kTasks; ++task) {
      const unsigned at = task * step;
      CHECK(batch.add<sum_up>(how, moves_of(at, task), values.device + at, sums.device + 4 * task));
    }
    if (round == 1) {
      CHECK(batch.run());
    } else {
      CHECK(batch.launch(stream));
      CHECK(batch.wait());
    }
    for (unsigned task = 0; task < kTasks; ++task) {
      for (unsigned block = 0; block < kBlocks; ++block) {
        unsigned expected = 0;
        for (unsigned i = 0; i < kThreads; ++i) {
          expected += values.host[task * step + block * kThreads + i];
        }
        EXPECT_EQ_AT(task, sums.host[4 * task + block], expected);
      }
      EXPECT_EQ_AT(task, sums.host[4 * task + kBlocks], 7u);
    }
  }
  const unsigned expected = sums.host[0];
  sums.host[0] = 0;
  Runtime runtime;
  CHECK(runtime.wait(runtime.spawn<sum_up>(how, moves_of(0, 0), values.device, sums.device)));
  EXPECT_EQ(sums.host[0], expected);
  CHECK(runtime.shut_down());
  CHECK(cudaStreamDestroy(stream));
}

void failures_are_told() {
  Batch batch;
  for (unsigned task = 0; task < 30; ++task) {
    CHECK(batch.add<fail_with>({40, task % 3 + 1}, task % 3 == 1 ? 5 + task : 300u));
  }
  CHECK(batch.run());
  for (unsigned task = 0; task < 30; ++task) {
    EXPECT_EQ_AT(task, batch.code_of(task), task % 3 == 0 ? 0u : task % 3 == 1 ? 5 + task : 255u);
  }
  EXPECT_EQ(batch.code_of(30), 0u);
}

int main() {
  marks();
  moves();
  failures_are_told();
  Batch nothing;
  CHECK(nothing.run());
  EXPECT_EQ(nothing.code_of(0), 0u);
  return finish();
}
