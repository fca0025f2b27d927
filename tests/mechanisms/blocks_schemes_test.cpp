// What every scheme of thread block management must do, whatever it learns.
#include <gtest/gtest.h>

#include "mechanisms/blocks/config.h"
#include "mechanisms/blocks/scheme.h"
#include "mechanisms/blocks/stats.h"

namespace raddle::mechanisms::blocks {
namespace {

class SchemeContract : public testing::TestWithParam<std::size_t> {
 protected:
  struct Root : ConfigGroup {
    Root() : ConfigGroup("root") {}
  };
  Root root;
  BlocksConfig config{root, "blocks"};
  StatGroup group{"gpu"};
  Steps steps{{0.01, 0.01}, Levels::doubling};
  std::unique_ptr<Scheme> scheme =
      scheme_kinds()[GetParam()].make({config, steps, group.unit<BlocksStats>("blocks")});
  const Subject block{0, 1, 5, "kernel"};
};

TEST_P(SchemeContract, PredictsNothingOfABlockThatItHasNotSeen) {
  EXPECT_EQ(scheme->estimate(block), Usage{});
}

TEST_P(SchemeContract, EstimatesHaveThreeBits) {
  for (int n = 0; n < 100; ++n) scheme->learn(block, {50, 50}, n % 2 == 0);
  EXPECT_LE(scheme->estimate(block)[Metric::memory], Usage::kMost);
  EXPECT_LE(scheme->estimate(block)[Metric::fpu], Usage::kMost);
}

TEST_P(SchemeContract, ForgetsWhatHasNotBeenSeenForLong) {
  scheme->learn(block, {0.5, 0.5}, true);
  for (int n = 0; n < 1000; ++n) scheme->learn(block, {0, 0}, true);
  EXPECT_EQ(scheme->estimate(block), Usage{});
}

// raddle corun: two programs share the GPU, with kernels of equal names.
TEST_P(SchemeContract, LearnsNothingOfOneProgramFromAnother) {
  for (int n = 0; n < 10; ++n) scheme->learn(block, {0.5, 0.5}, true);
  EXPECT_EQ(scheme->estimate({1, 1, 5, "kernel"}), Usage{});
}

INSTANTIATE_TEST_SUITE_P(Schemes, SchemeContract,
                         testing::Range(std::size_t{0}, scheme_kinds().size()),
                         [](const auto& info) {
                           return std::string(scheme_kinds()[info.param].name);
                         });

}  // namespace
}  // namespace raddle::mechanisms::blocks
