// Helpers of the workloads that launch work: their valid inputs, and a reference.
#include <cmath>

#include "bht/direct_sum.h"
#include "common/options.h"
#include "join/relation.h"
#include "message_of.h"
#include "pre/ratings.h"
#include "regx/texts.h"

namespace raddle::workloads {
namespace {

TEST(References, DirectSumOfEverySecondBody) {
  // On a line, at 0, 1 and 3; a body of mass m at distance d pulls by m d / (d^2 + 1)^1.5.
  const std::vector<Body> bodies = {{0, 0, 0, 1}, {1, 0, 0, 2}, {3, 0, 0, 4}};
  const double first = 2 * 1 / std::pow(2, 1.5) + 4 * 3 / std::pow(10, 1.5);
  const double last = -1 * 3 / std::pow(10, 1.5) - 2 * 2 / std::pow(5, 1.5);
  const std::vector<double> sums = direct_sum(bodies, 1, 2);
  ASSERT_EQ(sums.size(), 6u);
  EXPECT_DOUBLE_EQ(sums[0], first);
  EXPECT_DOUBLE_EQ(sums[3], last);
}

TEST(Limits, PairsOfRowsCanBeMoreThan32BitsCount) {
  EXPECT_EQ(count_pairs({1, 2, 2, 9}, {1, 1, 2, 3}), 4u);
  EXPECT_EQ(count_pairs(Relation(1 << 17, 5), Relation(1 << 16, 5)), std::uint64_t{1} << 33);
}

TEST(Limits, ReplayedTextsHave32BitOffsets) {
  Texts texts;
  texts.add(std::string(1 << 17, 'a').data(), 1 << 17);
  EXPECT_EQ(replayed(texts, 2, 65535).bytes.size(), 2u * 65535);
  // 4 GiB: one more than the last offset.
  EXPECT_EQ(message_of([&] { replayed(texts, 1 << 15, 1 << 17); }),
            "texts: more than 4 GiB together");
}

TEST(Limits, PlacesOfUsersAndFilmsAre32BitNumbers) {
  EXPECT_EQ(count_places(65535, 65537), 0xffffffff);
  EXPECT_THROW(count_places(65536, 65536), UsageError);
}

}  // namespace
}  // namespace raddle::workloads
