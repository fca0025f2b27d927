#include "experiment/timelines.h"

#include <gtest/gtest.h>

#include "base/timeline.h"

namespace raddle::experiment {
namespace {

struct Group : StatGroup {
  using StatGroup::StatGroup;
  Timeline<4> level{*this, "level", "lanes", "A level.", 10};
};

std::vector<double> samples(const Group& group) {
  std::vector<double> all;
  for (const StatFigure& figure : figures(group.level)) {
    if (figure.part != "distance") all.push_back(figure.value);
  }
  return all;
}

TEST(Timeline, HasAsManySamplesAsFitAndDoublesTheirDistance) {
  Group group("g");
  for (const unsigned level : {1, 3, 10, 20}) group.level.add(level);
  EXPECT_EQ(group.level.distance(), 10u);
  EXPECT_EQ(samples(group), (std::vector<double>{1, 3, 10, 20}));
  group.level.add(7);
  EXPECT_EQ(group.level.distance(), 20u);
  EXPECT_EQ(samples(group), (std::vector<double>{2, 15, 7}));
}

TEST(Timeline, ShowsNothingOfAnInterval) {
  Group group("g");
  group.level.add(1);
  const std::vector<std::uint64_t> difference(group.level.words().size(), 0);
  class None : public StatValues {
    double operator()(const Statistic&) const override { return 0; }
  };
  EXPECT_TRUE(group.level.figures(difference, None()).empty());
}

TEST(Timelines, AreDrawnAsHighAsTheirSamples) {
  Experiment experiment;
  experiment.timelines = {{"8", "Lanes", "units.x", "p", 0.5, {"v", "w"}}};
  Statistics statistics;
  statistics.add("p", "v",
                 R"({"units": {"x": {"distance": 100, "samples": {"0": 0, "1": 8, "2": 16}}}})");
  const auto series = make_timelines(experiment, statistics);
  ASSERT_EQ(series.size(), 2u);
  EXPECT_EQ(series[0].samples, (std::vector<double>{0, 4, 8}));
  EXPECT_EQ(timelines_text(series),
            "\nFigure 8: Lanes\n  p, v: at most 8.0, over 300 cycles\n  | ▄█|\n  p of w: -\n");
}

}  // namespace
}  // namespace raddle::experiment
