// Which of several threads has the lock, and when.
#include "cuda/device/call_lock.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/own_threads.h"

namespace raddle::cuda {
namespace {

void wait_until_wanted(const CallLock& lock, unsigned by) {
  while (lock.wanted() != by) std::this_thread::yield();
}

/// Waits for `lock`, and then adds its name to `order`, which the lock guards.
std::thread comer(CallLock& lock, std::string& order, char name) {
  return std::thread([&lock, &order, name] {
    const std::lock_guard held(lock);
    order += name;
  });
}

// A thread that calls without a pause leaves the lock free for no time.
TEST(CallLock, WhoWaitsForATimeHasItsTurnToo) {
  CallLock lock;
  std::atomic<bool> had{false};
  lock.lock();
  std::thread waits([&] {
    had = lock.try_lock_for(std::chrono::seconds(60));
    if (had) lock.unlock();
  });
  wait_until_wanted(lock, 1);
  lock.unlock();
  lock.lock();
  EXPECT_TRUE(had);
  lock.unlock();
  waits.join();
}

TEST(CallLock, WhoHasWaitedForItsTimeLeavesTheQueue) {
  CallLock lock;
  lock.lock();
  std::thread([&] { EXPECT_FALSE(lock.try_lock_for(std::chrono::milliseconds(1))); }).join();
  EXPECT_EQ(lock.wanted(), 0u);
  lock.unlock();
  EXPECT_TRUE(lock.try_lock());
  lock.unlock();
}

TEST(CallLock, GoesToWhoHasWaitedLongest) {
  CallLock lock;
  std::string order;
  std::vector<std::thread> threads;
  lock.lock();
  for (unsigned i = 0; i < 6; ++i) {
    threads.push_back(comer(lock, order, static_cast<char>('a' + i)));
    wait_until_wanted(lock, i + 1);
  }
  lock.unlock();
  for (std::thread& one : threads) one.join();
  EXPECT_EQ(order, "abcdef");
}

TEST(CallLock, WhoLetsOthersInComesAfterThoseWhoWaited) {
  CallLock lock;
  std::string order;
  lock.lock();
  std::thread a = comer(lock, order, 'a');
  wait_until_wanted(lock, 1);
  std::thread b = comer(lock, order, 'b');
  wait_until_wanted(lock, 2);
  lock.let_in();
  order += '-';
  lock.unlock();
  a.join();
  b.join();
  EXPECT_EQ(order, "ab-");
}

TEST(CallLock, IsHeldAsOftenAsBeforeAfterLettingOthersIn) {
  CallLock lock;
  std::string order;
  lock.lock();
  lock.lock();
  std::thread a = comer(lock, order, 'a');
  wait_until_wanted(lock, 1);
  lock.let_in();
  lock.unlock();
  EXPECT_TRUE(lock.held());
  lock.unlock();
  EXPECT_FALSE(lock.held());
  a.join();
}

TEST(CallLock, IsNotTakenBySomebodyWhoOnlyTries) {
  CallLock lock;
  lock.lock();
  bool taken = true;
  std::thread([&] { taken = lock.try_lock(); }).join();
  EXPECT_FALSE(taken);
  EXPECT_TRUE(lock.try_lock());  // again
  lock.unlock();
  lock.unlock();
  std::thread([&] {
    taken = lock.try_lock();
    lock.unlock();
  }).join();
  EXPECT_TRUE(taken);
}

TEST(CallLock, ThreadsThatSleepAreNoOthersWhoMayAct) {
  CallLock lock;
  bool asleep = false;
  std::thread sleeper([&] {
    const std::lock_guard held(lock);
    asleep = true;
    lock.sleep();
  });
  for (bool seen = false; !seen; std::this_thread::yield()) {
    const std::lock_guard held(lock);
    seen = asleep;
  }
  lock.lock();
  EXPECT_FALSE(program_has_other_threads());
  lock.wake_all();
  EXPECT_TRUE(program_has_other_threads());
  EXPECT_EQ(lock.wanted(), 1);
  lock.unlock();
  sleeper.join();
}

// One that waits for the end of a thread which waits does nothing before, either.
TEST(CallLock, ThreadsThatJoinOnesThatSleepAreNoOthersWhoMayAct) {
  CallLock lock;
  bool asleep = false;
  std::atomic<pid_t> joining{0};
  std::thread sleeper([&] {
    const std::lock_guard held(lock);
    asleep = true;
    lock.sleep();
  });
  std::thread joiner([&] {
    joining = gettid();
    sleeper.join();
  });
  for (bool seen = false; !seen; std::this_thread::yield()) {
    const std::lock_guard held(lock);
    seen = asleep && joining != 0;
  }
  const std::string call = "/proc/self/task/" + std::to_string(joining) + "/syscall";
  std::string waits;
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (!waits.starts_with(std::to_string(SYS_futex)) &&
         std::chrono::steady_clock::now() < until) {
    std::ifstream file(call);
    if (!std::getline(file, waits)) break;
  }
  lock.lock();
  // Where the system does not say what threads wait for, it may be anything.
  if (!waits.empty()) {
    EXPECT_FALSE(program_has_other_threads());
  }
  lock.wake_all();
  EXPECT_TRUE(program_has_other_threads());
  lock.unlock();
  joiner.join();
}

std::atomic<int> g_long_waits{0};

TEST(CallLock, LongWaitsAreTold) {
  CallLock lock;
  g_long_waits = 0;
  lock.at_long_waits(std::chrono::milliseconds(5), [] { ++g_long_waits; });
  lock.lock();
  std::thread waits([&] { const std::lock_guard held(lock); });
  while (g_long_waits < 3) std::this_thread::yield();
  lock.unlock();
  waits.join();
  g_long_waits = 0;
  lock.lock();  // without a wait
  lock.unlock();
  EXPECT_EQ(g_long_waits, 0);
}

}  // namespace
}  // namespace raddle::cuda
