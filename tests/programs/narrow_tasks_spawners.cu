// varies: several host threads spawn, and their order is the host's
// Several host threads spawn tasks at the same time. Each waits for its own, or others take the
// ends of all, each once. A task runs after a time even if no other task follows and no thread
// waits for it. Several threads may shut down.
#include <raddle/tasks.cuh>

#include <atomic>
#include <chrono>
#include <set>
#include <thread>

#include "check.h"

namespace tasks = raddle::tasks;

__device__ void add(unsigned* sum, unsigned value) {
  if (tasks::getTid() == 0) atomicAdd(sum, value);
}

// Two threads spawn, two take ends, of which only a few may be left.
void takers(const tasks::Options& like, unsigned* sum) {
  constexpr unsigned kTasks = 150;
  tasks::Options options = like;
  options.most_ends = 20;
  tasks::Runtime<add> runtime(options);
  std::set<tasks::Id> told[2];
  std::atomic<unsigned> taken{0}, twice{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 2; ++t) {
    threads.emplace_back([&runtime, sum] {
      for (unsigned i = 0; i < kTasks; ++i) {
        while (!runtime.spawn<add>({64}, sum, 1u)) {
          if (runtime.error() != cudaSuccess) return;
          runtime.flush();
          std::this_thread::yield();
        }
      }
      runtime.flush();
    });
    threads.emplace_back([&, t] {
      while (taken < 2 * kTasks && runtime.error() == cudaSuccess) {
        const std::vector<tasks::Id> ended = t == 0 ? runtime.wait_ended() : runtime.take_ended();
        for (tasks::Id id : ended) twice += !told[t].insert(id).second;
        taken += static_cast<unsigned>(ended.size());
      }
    });
  }
  for (std::thread& one : threads) one.join();
  CHECK(runtime.shut_down());
  for (tasks::Id id : told[0]) twice += told[1].count(id) != 0;
  EXPECT_EQ(twice.load(), 0u);
  EXPECT_EQ(taken.load(), 2 * kTasks);
}

void shut_down_twice(const tasks::Options& options, unsigned* sum) {
  for (unsigned round = 0; round < 5; ++round) {
    tasks::Runtime<add> runtime(options);
    EXPECT(static_cast<bool>(runtime.spawn<add>({32}, sum, 1u)));
    std::thread other([&runtime] { CHECK(runtime.shut_down()); });
    CHECK(runtime.shut_down());
    other.join();
  }
}

// By an update of its own, or, where its input is on its way, by the stream that brings this.
void released_after_a_time(tasks::Options options, tasks::Transport transport, unsigned* sum) {
  options.transport = transport;
  tasks::Runtime<add> alone(options);
  constexpr std::size_t kBytes = 1 << 22;
  void *input = nullptr, *memory = nullptr;
  CHECK(cudaMallocHost(&input, kBytes));
  CHECK(cudaMalloc(&memory, kBytes));
  CHECK(alone.copy_in(memory, input, kBytes));
  EXPECT(static_cast<bool>(alone.spawn<add>({32}, sum, 1u)));
  while (alone.counts().empty == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK(alone.shut_down());
  CHECK(cudaFree(memory));
  CHECK(cudaFreeHost(input));
}

int main() {
  constexpr unsigned kThreads = 4, kTasks = 40;
  auto* const sums = device_array<unsigned>(kThreads);
  CHECK(cudaMemcpy(sums, std::vector<unsigned>(kThreads).data(), kThreads * sizeof(unsigned),
                   cudaMemcpyHostToDevice));
  tasks::Options options;
  options.most_masters = 2;  // whose table is often full
  options.waiting = tasks::Waiting::park;
  tasks::Runtime<add> runtime(options);
  std::vector<std::thread> threads;
  unsigned lost[kThreads] = {};
  for (unsigned t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      std::vector<tasks::Id> ids;
      for (unsigned i = 1; i <= kTasks; ++i) {
        ids.push_back(runtime.spawn<add>({32 + i}, sums + t, i));
        if (!ids.back()) ++lost[t];
        if (i % 16 == 0 && runtime.wait(ids.back()) != cudaSuccess) ++lost[t];
      }
      for (tasks::Id id : ids) {
        if (runtime.wait(id) != cudaSuccess || !runtime.check(id)) ++lost[t];
      }
    });
  }
  for (std::thread& one : threads) one.join();
  CHECK(runtime.shut_down());
  takers(options, sums + 1);

  options.flush_after = std::chrono::milliseconds(1);
  released_after_a_time(options, tasks::Transport::copies, sums);
  released_after_a_time(options, tasks::Transport::mapped, sums);
  options.flush_after = std::chrono::microseconds(20);
  shut_down_twice(options, sums + 2);
  unsigned found[kThreads] = {};
  CHECK(cudaMemcpy(found, sums, sizeof found, cudaMemcpyDeviceToHost));
  for (unsigned t = 0; t < kThreads; ++t) {
    EXPECT_EQ_AT(t, lost[t], 0u);
    const unsigned more = t == 0 ? 2 : t == 1 ? 300 : t == 2 ? 5 : 0;
    EXPECT_EQ_AT(t, found[t], kTasks * (kTasks + 1) / 2 + more);
  }
  return finish();
}
