// Which of several threads has the lock when.
#include "cuda/device/call_lock.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace raddle::cuda
