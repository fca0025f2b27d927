#include "report/statistics_table.h"

#include <gmock/gmock-matchers.h>

#include "base/error.h"

namespace raddle::report {
namespace {

using Of = StatisticsView::Of;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kDocument = R"({
  "kernel_sums": [
    {"name": "_Z3addIiiEvPiS0_", "launches": 3, "overlapped": 1,
     "statistics": {"cycles": 90, "sm": {"lanes": {"count": 8, "mean": 20.5, "median": 32,
                                                   "bins": {"1": 2, "32": 6}}}}}],
  "kernels": [
    {"name": "_Z3addIiiEvPiS0_", "overlapped": true, "statistics": {"cycles": 30, "sm": {"l1": 1}}},
    {"name": "_Z3addIiiEvPiS0_", "overlapped": false}],
  "merged": {"cycles": 1234567, "sm": {"l1": {"hits": 0, "rate": null}, "l10": {"hits": 5}}}})";

std::string csv(Of of, std::vector<std::string> paths = {}) {
  return statistics_csv(kDocument, {.of = of, .paths = std::move(paths)});
}

TEST(StatisticsCsv, HasEveryStatisticAndNothingForNone) {
  EXPECT_EQ(csv(Of::run),
            "kernel,launch,statistic,value\n"
            ",,cycles,1234567\n,,sm.l1.hits,0\n,,sm.l1.rate,\n,,sm.l10.hits,5\n");
}

TEST(StatisticsCsv, QuotesKernelNames) {
  EXPECT_THAT(csv(Of::kernels, {"cycles"}), HasSubstr("\n\"add<int, int>\",,cycles,90\n"));
}

TEST(StatisticsCsv, NumbersTheLaunchesThatHaveStatistics) {
  EXPECT_EQ(csv(Of::launches, {"sm"}),
            "kernel,launch,statistic,value\n\"add<int, int>\",1,sm.l1,1\n");
}

TEST(StatisticsCsv, APathIsAWholeUnit) {
  EXPECT_THAT(csv(Of::run, {"sm.l1"}), Not(HasSubstr("l10")));
  EXPECT_THROW(csv(Of::run, {"sm.l"}), Error);
}

TEST(StatisticsTable, ShowsSharesAndWhatRanMeanwhile) {
  const std::string text = statistics_table(kDocument, {.of = Of::kernels});
  EXPECT_THAT(text, HasSubstr("add<int, int> (3 launches, other kernels ran during 1)\n"));
  EXPECT_THAT(text, testing::ContainsRegex("sm.lanes.bins.32 +6 +75.0 %"));
}

TEST(StatisticsTable, HidesWhatIsNothing) {
  EXPECT_THAT(statistics_table(kDocument, {}), HasSubstr("2 statistics are 0 or none"));
  EXPECT_THAT(statistics_table(kDocument, {.all = true}), HasSubstr("none\n"));
}

TEST(StatisticsTable, RefusesOtherText) {
  EXPECT_THROW(statistics_table("{", {}), Error);
  EXPECT_THROW(statistics_table("{}", {}), Error);
  EXPECT_THROW(statistics_table(R"({"kernel_sums": [], "merged": {}})", {.of = Of::kernels}),
               Error);
}

}  // namespace
}  // namespace raddle::report
