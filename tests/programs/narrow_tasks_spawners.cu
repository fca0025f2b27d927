// varies: several host threads spawn, and their order is the host's
// Several host threads spawn tasks at the same time; each waits for its own. A task that no other
// follows, and nobody waits for, runs after a time.
#include <raddle/tasks.cuh>

#include <chrono>
#include <thread>

#include "check.h"

namespace tasks = raddle::tasks;

__device__ void add(unsigned* sum, unsigned value) {
  if (tasks::getTid() == 0) atomicAdd(sum, value);
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

  options.flush_after = std::chrono::milliseconds(1);
  tasks::Runtime<add> alone(options);
  EXPECT(static_cast<bool>(alone.spawn<add>({32}, sums, 1u)));
  while (alone.counts().empty == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK(alone.shut_down());
  unsigned found[kThreads] = {};
  CHECK(cudaMemcpy(found, sums, sizeof found, cudaMemcpyDeviceToHost));
  for (unsigned t = 0; t < kThreads; ++t) {
    EXPECT_EQ_AT(t, lost[t], 0u);
    EXPECT_EQ_AT(t, found[t], kTasks * (kTasks + 1) / 2 + (t == 0 ? 1 : 0));
  }
  return finish();
}
