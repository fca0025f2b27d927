// stays: as narrow_tasks.cu
// varies: several host threads spawn, and their order is the host's
// Tasks whose own warps bring their inputs from host memory and take their results there: of any size and
// alignment, of one block and of many, with and without a barrier and shared memory, one by one and many
// together, from several host threads; and without a call of CUDA for a task.
#include <cuda_runtime.h>

#include <atomic>

// Calls that a runtime makes for tasks.
std::atomic<unsigned> calls{0};
#define COUNTED(name)                       \
  template <class... A>                     \
  cudaError_t counted_##name(A... values) { \
    ++calls;                                \
    return name(values...);                 \
  }
COUNTED(cudaMemcpyAsync)
COUNTED(cudaStreamQuery)
COUNTED(cudaEventRecord)
COUNTED(cudaEventQuery)
COUNTED(cudaLaunchHostFunc)
#define cudaMemcpyAsync counted_cudaMemcpyAsync
#define cudaStreamQuery counted_cudaStreamQuery
#define cudaEventRecord counted_cudaEventRecord
#define cudaEventQuery counted_cudaEventQuery
#define cudaLaunchHostFunc counted_cudaLaunchHostFunc
#include <raddle/tasks.cuh>
#undef cudaMemcpyAsync
#undef cudaStreamQuery
#undef cudaEventRecord
#undef cudaEventQuery
#undef cudaLaunchHostFunc

#include <thread>
#include <tuple>
#include <vector>

#include "check.h"

namespace tasks = raddle::tasks;
using Byte = unsigned char;

// Each byte is needed by another thread than that which may have brought it.
__device__ void reverse(const Byte* from, Byte* to, unsigned bytes) {
  const unsigned step = tasks::block_size() * tasks::blocks();
  for (unsigned i = tasks::task_thread(); i < bytes; i += step) to[i] = from[bytes - 1 - i] ^ 0x5a;
}
// The same, through shared memory, a block at a time; the last is as long as the others.
__device__ void reverse_blocks(const Byte* from, Byte* to) {
  auto* const mine = tasks::shared<Byte>();
  const unsigned n = tasks::block_size(), first = tasks::block() * n;
  mine[tasks::thread()] = from[first + tasks::thread()];
  tasks::sync_block();
  to[first + tasks::thread()] = mine[n - 1 - tasks::thread()] ^ 0x5a;
  tasks::sync_block();
}
// The task itself fetches from host memory into its block's memory.
__device__ void sum_of_pinned(const unsigned* pinned, unsigned count, unsigned* sum) {
  auto* const mine = tasks::shared<unsigned>();
  tasks::copy(mine, pinned, count * sizeof(unsigned));
  tasks::sync_block();
  unsigned all = 0;
  for (unsigned i = tasks::thread(); i < count; i += tasks::block_size()) all += mine[i];
  atomicAdd(sum, all);
}
__device__ void add_up(const unsigned* a, const unsigned* b, unsigned* sum, unsigned* product) {
  const unsigned i = tasks::task_thread();
  sum[i] = a[i] + b[i];
  product[i] = a[i] * b[i];
}

using Runtime = tasks::Runtime<reverse, reverse_blocks, sum_of_pinned, add_up>;

constexpr std::size_t kBytes = 1 << 18;

template <class T>
struct Both {
  T *host = nullptr, *device = nullptr;
  explicit Both(std::size_t count) : device(device_array<T>(count)) {
    CHECK(cudaHostAlloc(&host, count * sizeof(T), cudaHostAllocMapped));
    CHECK(cudaMemset(device, 0, count * sizeof(T)));
    for (std::size_t i = 0; i < count; ++i) host[i] = static_cast<T>(i * 7 + i / 256);
  }
};

struct Memory {
  Both<Byte> in{kBytes}, out{kBytes};
};

// What lies before and behind the result stays as it was.
void expect_reversed(const Memory& memory, std::size_t in, std::size_t out, std::size_t bytes) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < bytes; ++i) {
    wrong += memory.out.host[out + i] != (memory.in.host[in + bytes - 1 - i] ^ 0x5a);
  }
  for (std::size_t i = 0; i < 16; ++i) {
    if (out > i) wrong += memory.out.host[out - 1 - i] != 0xee;
    wrong += memory.out.host[out + bytes + i] != 0xee;
  }
  EXPECT_EQ_AT(bytes, wrong, 0u);
}
void wipe(const Memory& memory) {
  for (std::size_t i = 0; i < kBytes; ++i) memory.out.host[i] = 0xee;
}

tasks::Options few(tasks::Transport transport, tasks::Waiting waiting) {
  tasks::Options options;
  options.transport = transport;
  options.waiting = waiting;
  options.most_masters = 2;
  options.subtasks = 0;
  return options;
}

void sizes(Memory& memory, const tasks::Options& options) {
  Runtime runtime(options);
  for (const tasks::Launch how : {tasks::Launch{32}, {128}, {100, 3}, {992, 1}, {64, 40}}) {
    wipe(memory);
    std::size_t at = 64;
    std::vector<std::pair<std::size_t, std::size_t>> places;
    for (const std::size_t bytes : {1u, 16u, 100u, 2048u, 2049u, 8192u, 30000u}) {
      const std::size_t from = at + bytes % 5, to = at + 2 * (bytes % 7);
      const auto id = runtime.spawn<reverse>(
          how,
          tasks::Moves()
              .in(memory.in.device + from, memory.in.host + from, bytes)
              .out(memory.out.host + to, memory.out.device + to, bytes),
          memory.in.device + from, memory.out.device + to, static_cast<unsigned>(bytes));
      EXPECT(static_cast<bool>(id));
      places.emplace_back(from, to);
      at = (at + bytes + 127) / 64 * 64;
    }
    CHECK(runtime.wait_all());
    unsigned i = 0;
    for (const std::size_t bytes : {1u, 16u, 100u, 2048u, 2049u, 8192u, 30000u}) {
      expect_reversed(memory, places[i].first, places[i].second, bytes);
      ++i;
    }
  }
  // Blocks with shared memory and a barrier, more of them than teams of executors.
  wipe(memory);
  constexpr unsigned kThreads = 256, kBlocks = 50, kAll = kThreads * kBlocks;
  EXPECT(static_cast<bool>(
      runtime.spawn<reverse_blocks>({kThreads, kBlocks, kThreads, true},
                                    tasks::Moves()
                                        .in(memory.in.device, memory.in.host, kAll)
                                        .out(memory.out.host, memory.out.device, kAll),
                                    memory.in.device, memory.out.device)));
  CHECK(runtime.wait_all());
  unsigned wrong = 0;
  for (unsigned i = 0; i < kAll; ++i) {
    const unsigned from = i / kThreads * kThreads + kThreads - 1 - i % kThreads;
    wrong += memory.out.host[i] != (memory.in.host[from] ^ 0x5a);
  }
  EXPECT_EQ(wrong, 0u);
  CHECK(runtime.shut_down());
}

// More transfers than one, and more than there is room for beside the arguments.
void several(const tasks::Options& options) {
  constexpr unsigned kCount = 96;
  Both<unsigned> a(kCount), b(kCount), sum(kCount), product(kCount);
  const std::size_t bytes = kCount * sizeof(unsigned);
  const tasks::Moves moves = tasks::Moves()
                                 .in(a.device, a.host, bytes)
                                 .in(b.device, b.host, bytes)
                                 .in(b.device, b.host, 0)
                                 .out(sum.host, sum.device, bytes)
                                 .out(product.host, product.device, bytes);
  Runtime runtime(options);
  const tasks::Id id =
      runtime.spawn<add_up>({32, 3}, moves, a.device, b.device, sum.device, product.device);
  CHECK(runtime.wait(id));
  for (unsigned i = 0; i < kCount; ++i) {
    EXPECT_EQ_AT(i, sum.host[i], a.host[i] + b.host[i]);
    EXPECT_EQ_AT(i, product.host[i], a.host[i] * b.host[i]);
  }
  tasks::Moves many =
      moves;  // eight find room beside 32 bytes of arguments, but no more than eight
  for (unsigned i = 0; i < 4; ++i) many.in(a.device, a.host, bytes);
  CHECK(runtime.wait(
      runtime.spawn<add_up>({32, 3}, many, a.device, b.device, sum.device, product.device)));
  many.out(sum.host, sum.device, bytes);
  EXPECT(!runtime.spawn<add_up>({32}, many, a.device, b.device, sum.device, product.device));
  EXPECT_EQ(runtime.refusal(), cudaErrorInvalidConfiguration);
  *sum.host = 0;
  EXPECT(static_cast<bool>(runtime.spawn<sum_of_pinned>(
      {64, 1, bytes, true}, tasks::Moves().in(sum.device, sum.host, 4).out(sum.host, sum.device, 4),
      a.host, kCount, sum.device)));
  CHECK(runtime.wait_all());
  unsigned expected = 0;
  for (unsigned i = 0; i < kCount; ++i) expected += a.host[i];
  EXPECT_EQ(*sum.host, expected);
  CHECK(runtime.shut_down());
}

// Several host threads, each with more tasks than the table has room for.
void many(Memory& memory, const tasks::Options& options) {
  constexpr unsigned kThreads = 3, kTasks = 150, kPart = 160;
  wipe(memory);
  Runtime runtime(options);
  std::vector<std::thread> threads;
  std::atomic<unsigned> spawned{0};
  for (unsigned t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      std::vector<std::tuple<tasks::Moves, const Byte*, Byte*, unsigned>> list;
      for (unsigned i = 0; i < kTasks; ++i) {
        const std::size_t at = std::size_t{t * kTasks + i} * kPart;
        list.emplace_back(tasks::Moves()
                              .in(memory.in.device + at, memory.in.host + at, kPart)
                              .out(memory.out.host + at, memory.out.device + at, kPart),
                          memory.in.device + at, memory.out.device + at, kPart);
      }
      const std::vector<tasks::Id> ids = runtime.spawn_many<reverse>({64}, list);
      spawned += static_cast<unsigned>(ids.size());
      for (tasks::Id id : ids) CHECK(runtime.wait(id));
    });
  }
  for (std::thread& one : threads) one.join();
  EXPECT_EQ(spawned.load(), kThreads * kTasks);
  EXPECT(runtime.counts().full != 0);
  unsigned wrong = 0;
  for (unsigned i = 0; i < kThreads * kTasks * kPart; ++i) {
    const unsigned from = i / kPart * kPart + kPart - 1 - i % kPart;
    wrong += memory.out.host[i] != (memory.in.host[from] ^ 0x5a);
  }
  EXPECT_EQ(wrong, 0u);
  // Tasks with nothing to move; refused all alike.
  std::vector<std::tuple<const Byte*, Byte*, unsigned>> plain(
      5, {memory.in.device, memory.out.device, 1u});
  EXPECT_EQ(runtime.spawn_many<reverse>({32}, plain).size(), 5u);
  EXPECT_EQ(runtime.spawn_many<reverse>({1000}, plain).size(), 0u);
  EXPECT_EQ(runtime.refusal(), cudaErrorInvalidConfiguration);
  CHECK(runtime.shut_down());
  EXPECT_EQ(runtime.spawn_many<reverse>({32}, plain).size(), 0u);
  EXPECT_EQ(runtime.refusal(), cudaErrorNotPermitted);
}

// As many tasks as the table has room for cost no call.
void without_calls(Memory& memory) {
  Runtime runtime(few(tasks::Transport::mapped, tasks::Waiting::automatic));
  const tasks::Moves moves = tasks::Moves()
                                 .in(memory.in.device, memory.in.host, 64)
                                 .out(memory.out.host, memory.out.device, 64);
  const unsigned before = calls, room = runtime.masters() * 31;
  std::vector<std::tuple<tasks::Moves, const Byte*, Byte*, unsigned>> list(
      room / 2, {moves, memory.in.device, memory.out.device, 64u});
  for (unsigned i = 0; i < room / 2; ++i) {
    runtime.spawn<reverse>({32}, moves, memory.in.device, memory.out.device, 64u);
  }
  EXPECT_EQ(runtime.spawn_many<reverse>({32}, list).size(), list.size());
  EXPECT_EQ(calls.load(), before);
  CHECK(runtime.shut_down());
}

int main() {
  Memory memory;
  for (const tasks::Transport transport : {tasks::Transport::mapped, tasks::Transport::copies}) {
    const tasks::Options options = few(transport, tasks::Waiting::park);
    sizes(memory, options);
    several(options);
    many(memory, options);
  }
  several(few(tasks::Transport::mapped, tasks::Waiting::sleep));
  without_calls(memory);
  return finish();
}
