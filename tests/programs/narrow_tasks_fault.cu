// A task that faults stops all tasks: calls return the error, and no thread waits for ever. The
// tasks that may be the cause are reported; with the table in host memory, no task that ended
// before is among them. The same holds for a task whose warps do not all reach its barrier, for one
// that uses shared memory without having any, and for one that spawns by another list of kernels
// than the runtime's.
#include <raddle/tasks.cuh>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "check.h"

namespace tasks = raddle::tasks;

__device__ void nothing() {}
// When the host says so.
__device__ void fault(const unsigned* word) {
  while (*static_cast<const volatile unsigned*>(word) == 0) {
  }
  __trap();
}
__device__ void leave_before_the_barrier() {
  if (tasks::thread() >= 32) return;
  tasks::sync_block();
}

__device__ void use_memory_of_nobody() { *tasks::shared<unsigned>() = 1; }

// By a list in another order than the runtime's: what it calls `nothing` is `fault` there.
__device__ void spawn_by_another_list() {
  using Other = tasks::Kernels<fault, nothing>;
  if (tasks::thread() == 0) tasks::spawn<Other, nothing>({32});
}

using Runtime = tasks::Runtime<nothing, fault, leave_before_the_barrier, use_memory_of_nobody,
                               spawn_by_another_list>;

void run(tasks::Transport transport) {
  auto* const word = device_array<unsigned>(1);
  unsigned* one = nullptr;
  CHECK(cudaMallocHost(reinterpret_cast<void**>(&one), sizeof *one));
  *one = 0;
  CHECK(cudaMemcpy(word, one, sizeof *one, cudaMemcpyHostToDevice));
  *one = 1;
  tasks::Options options;
  options.transport = transport;
  options.most_masters = 1;
  options.waiting = tasks::Waiting::park;
  Runtime runtime(options);
  std::vector<tasks::Id> harmless;
  for (unsigned task = 0; task < 6; ++task) harmless.push_back(runtime.spawn<nothing>({64}));
  const tasks::Id culprit = runtime.spawn<fault>({32}, word);
  for (tasks::Id id : harmless) CHECK(runtime.wait(id));
  EXPECT(!runtime.check(culprit));
  CHECK(runtime.copy_in(word, one, sizeof *one));
  EXPECT(runtime.wait(culprit) != cudaSuccess);
  EXPECT(runtime.error() != cudaSuccess);
  EXPECT(!runtime.spawn<nothing>({32}));
  EXPECT(runtime.wait_all() != cudaSuccess);
  EXPECT(runtime.outstanding() == std::vector<tasks::Id>{culprit});
  EXPECT(runtime.shut_down() != cudaSuccess);
}

// A task of blocks of two warps.
template <auto kernel, unsigned blocks, bool sync>
void traps(tasks::Transport transport) {
  tasks::Options options;
  options.transport = transport;
  Runtime runtime(options);
  EXPECT(static_cast<bool>(runtime.spawn<kernel>({64, blocks, 0, sync})));
  EXPECT(runtime.wait_all() != cudaSuccess);
}

// After a fault a process is of no more use: each part has one of its own.
int main() {
  for (const tasks::Transport transport : {tasks::Transport::copies, tasks::Transport::mapped}) {
    for (const auto test :
         {run, traps<spawn_by_another_list, 1, false>, traps<leave_before_the_barrier, 3, true>,
          traps<use_memory_of_nobody, 1, false>, traps<use_memory_of_nobody, 1, true>}) {
      const pid_t child = fork();
      if (child == 0) {
        test(transport);
        return finish();
      }
      int status = -1;
      EXPECT_EQ(waitpid(child, &status, 0), child);
      EXPECT_EQ(status, 0);
    }
  }
  return finish();
}
