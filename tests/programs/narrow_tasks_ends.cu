// The host learns of ends while it continues. take_ended() and check() never wait. Each end is
// reported once, also when rows of the table are reused. wait_ended() reports other ends while one
// task runs for long. The number of ends that are not taken has a bound. Failures are counted.
#include <raddle/tasks.cuh>

#include <map>

#include "check.h"

namespace tasks = raddle::tasks;

__device__ void add(unsigned* sum, unsigned value) {
  if (tasks::task_thread() == 0) atomicAdd(sum, value);
  if (value % 8 == 3) tasks::fail(value);
}

// Until the host says so.
__device__ void until(const unsigned* word) {
  while (*static_cast<const volatile unsigned*>(word) == 0) {
  }
}

using Runtime = tasks::Runtime<add, until>;

unsigned* const sum = device_array<unsigned>(2);
unsigned* const word = sum + 1;

void clear() {
  const unsigned zeros[2] = {};
  CHECK(cudaMemcpy(sum, zeros, sizeof zeros, cudaMemcpyHostToDevice));
}
unsigned found() {
  unsigned value = 0;
  CHECK(cudaMemcpy(&value, sum, sizeof value, cudaMemcpyDeviceToHost));
  return value;
}

tasks::Options one_column(tasks::Transport transport, std::size_t most_ends) {
  tasks::Options options;
  options.transport = transport;
  options.most_masters = 1;
  options.waiting = tasks::Waiting::park;
  options.subtasks = 0;
  options.most_ends = most_ends;
  return options;
}

// 31 rows for 150 tasks; some questions between.
void each_once(tasks::Transport transport) {
  constexpr unsigned kTasks = 150;
  clear();
  Runtime runtime(one_column(transport, kTasks));
  std::map<tasks::Id, unsigned> known;  // times told
  unsigned told = 0;
  const auto count = [&](const std::vector<tasks::Id>& ended) {
    for (tasks::Id id : ended) {
      EXPECT(known.count(id) == 1);
      ++known[id];
      EXPECT(runtime.check(id));
    }
    told += static_cast<unsigned>(ended.size());
  };
  for (unsigned task = 0; task < kTasks; ++task) {
    const tasks::Id id = runtime.spawn<add>({64}, sum, task);
    EXPECT(static_cast<bool>(id));
    known[id] = 0;
    count(runtime.take_ended(task % 4 == 0));
  }
  runtime.flush();
  while (told < kTasks) {
    const std::vector<tasks::Id> ended = runtime.wait_ended();
    if (ended.empty()) break;
    count(ended);
  }
  EXPECT_EQ(told, kTasks);
  for (const auto& [id, times] : known) EXPECT_EQ(times, 1u);
  EXPECT(runtime.wait_ended().empty());
  EXPECT_EQ(runtime.counts().tasks, kTasks);
  EXPECT_EQ(runtime.counts().failed, 19u);  // 3, 11 ... 147
  CHECK(runtime.shut_down());
  EXPECT_EQ(found(), kTasks * (kTasks - 1) / 2);
}

// Of a task that does not end, nobody who only looks has to wait; others end and are told.
void beside_an_endless_one(tasks::Transport transport) {
  clear();
  Runtime runtime(one_column(transport, 100));
  const tasks::Id endless = runtime.spawn<until>({32}, word);
  unsigned others = 0;
  for (unsigned task = 0; task < 40; ++task) {
    EXPECT(static_cast<bool>(runtime.spawn<add>({32}, sum, 1u)));
    EXPECT(!runtime.check(endless));
    for (tasks::Id id : runtime.take_ended()) others += id == endless ? 1000 : 1;
  }
  runtime.flush();
  while (others < 40) {
    for (tasks::Id id : runtime.wait_ended()) others += id == endless ? 1000 : 1;
  }
  EXPECT_EQ(others, 40u);
  EXPECT_EQ(runtime.outstanding().size(), std::size_t{1});
  unsigned* one = nullptr;
  CHECK(cudaMallocHost(reinterpret_cast<void**>(&one), sizeof *one));
  *one = 1;
  CHECK(runtime.copy_in(word, one, sizeof *one));
  CHECK(runtime.wait(endless));
  EXPECT(runtime.take_ended() == std::vector<tasks::Id>{endless});
  EXPECT(runtime.outstanding().empty());
  CHECK(runtime.shut_down());
  CHECK(cudaFreeHost(one));
}

// Whoever takes no ends is refused more tasks than he said; who never asked for ends gets none.
void bounds() {
  clear();
  {
    Runtime runtime(one_column(tasks::Transport::copies, 5));
    for (unsigned task = 0; task < 5; ++task) {
      EXPECT(static_cast<bool>(runtime.spawn<add>({32}, sum, 1u)));
    }
    EXPECT(!runtime.spawn<add>({32}, sum, 1u));
    CHECK(runtime.wait_all());
    EXPECT(!runtime.spawn<add>({32}, sum, 1u));
    CHECK(runtime.error());
    EXPECT_EQ(runtime.take_ended().size(), std::size_t{5});
    EXPECT(static_cast<bool>(runtime.spawn<add>({32}, sum, 1u)));
    CHECK(runtime.shut_down());
    EXPECT_EQ(runtime.take_ended().size(), std::size_t{1});
  }
  Runtime silent(one_column(tasks::Transport::copies, 0));
  for (unsigned task = 0; task < 70; ++task) silent.spawn<add>({32}, sum, 1u);
  CHECK(silent.wait_all());
  EXPECT(silent.take_ended().empty());
  EXPECT(silent.wait_ended().empty());
  CHECK(silent.shut_down());
  EXPECT_EQ(found(), 76u);
}

int main() {
  for (const tasks::Transport transport : {tasks::Transport::copies, tasks::Transport::mapped}) {
    each_once(transport);
    beside_an_endless_one(transport);
  }
  bounds();
  return finish();
}
