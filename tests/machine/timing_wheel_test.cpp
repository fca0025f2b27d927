#include "machine/scoreboard/timing_wheel.h"

#include <gtest/gtest.h>

namespace raddle::machine {
namespace {

std::vector<int> take(TimingWheel<int>& wheel, Cycle now) {
  std::vector<int> taken;
  wheel.take(now, [&](int event) { taken.push_back(event); });
  return taken;
}

TEST(TimingWheel, GivesEventsAtTheirCycleInOrder) {
  TimingWheel<int> wheel;
  wheel.put(1, 10);
  wheel.put(2, 5);
  wheel.put(3, 10);
  EXPECT_EQ(wheel.next_after(0), 5u);
  EXPECT_TRUE(take(wheel, 4).empty());
  EXPECT_EQ(take(wheel, 5), std::vector<int>{2});
  EXPECT_EQ(wheel.next_after(5), 10u);
  EXPECT_EQ(take(wheel, 10), (std::vector<int>{1, 3}));
  EXPECT_TRUE(wheel.empty());
  EXPECT_EQ(wheel.next_after(10), kNever);
}

TEST(TimingWheel, FindsEventsAcrossTheWrap) {
  constexpr Cycle kSpan = TimingWheel<int>::kSpan;
  TimingWheel<int> wheel;
  for (const Cycle start : {Cycle{0}, kSpan - 1, kSpan, 3 * kSpan + 63, 3 * kSpan + 64}) {
    for (const Cycle ahead : {Cycle{1}, Cycle{63}, Cycle{64}, Cycle{65}, kSpan - 1}) {
      wheel.put(7, start + ahead);
      EXPECT_EQ(wheel.next_after(start), start + ahead) << start << " + " << ahead;
      EXPECT_EQ(take(wheel, start + ahead).size(), 1u);
    }
  }
}

TEST(TimingWheel, ForgetsWhatIsUnwantedAndKeepsTheOrderOfTheRest) {
  TimingWheel<int> wheel;
  for (int event = 1; event <= 6; ++event) wheel.put(event, event <= 4 ? 10 : 20 + event);
  wheel.remove_if([](int event) { return event == 1 || event == 3 || event == 5; });
  EXPECT_EQ(wheel.next_after(0), 10u);
  EXPECT_EQ(take(wheel, 10), (std::vector<int>{2, 4}));
  EXPECT_EQ(wheel.next_after(10), 26u);
  EXPECT_EQ(take(wheel, 26), std::vector<int>{6});
  EXPECT_TRUE(wheel.empty());
  wheel.put(7, 30);  // storage that was freed is used again
  wheel.put(8, 30);
  wheel.put(9, 30);
  EXPECT_EQ(take(wheel, 30), (std::vector<int>{7, 8, 9}));
}

TEST(TimingWheel, TakingMayPut) {
  TimingWheel<int> wheel;
  wheel.put(1, 1);
  wheel.take(1, [&](int) { wheel.put(2, 2); });
  EXPECT_EQ(take(wheel, 2), std::vector<int>{2});
}

}  // namespace
}  // namespace raddle::machine
