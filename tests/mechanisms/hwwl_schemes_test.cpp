// Which banks give work ids to which, by the rules of hardware-worklists, section III.C.
#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "mechanisms/hwwl/scheme.h"

namespace raddle::mechanisms::hwwl {
namespace {

constexpr unsigned kThreshold = 5;

using Work = std::vector<unsigned>;

Plan local(const char* name, const Work& work) {
  Plan plan;
  scheme("hwwl.redistribution", name).make_local()->plan({work, kThreshold}, plan);
  return plan;
}

/// The work after the plan, within the core.
Work after(const Plan& plan, Work work) {
  std::set<unsigned> used;
  for (const Plan::Donation& donation : plan.donations) {
    EXPECT_TRUE(used.insert(donation.from).second)
        << "bank " << unsigned{donation.from} << " twice";
    EXPECT_TRUE(used.insert(donation.to).second) << "bank " << unsigned{donation.to} << " twice";
    EXPECT_GT(work[donation.from], 0u);
    --work[donation.from];
    ++work[donation.to];
  }
  for (const Plan::Send& send : plan.sends) EXPECT_TRUE(used.insert(send.from).second);
  return work;
}

TEST(ThresholdScheme, GreedyBanksGiveToNeedyOnes) {
  const Work work{9, 0, 5, 7};
  EXPECT_EQ(after(local("threshold", work), work), (Work{8, 1, 5, 7}));
}

TEST(ThresholdScheme, BanksAtTheThresholdNeitherGiveNorGet) {
  const Plan plan = local("threshold", {5, 5, 5, 5});
  EXPECT_TRUE(plan.donations.empty());
  EXPECT_TRUE(plan.sends.empty());
}

TEST(ThresholdScheme, GivesNothingBelowTheThreshold) {
  // "banks with more work than the threshold donate": three is not enough.
  EXPECT_TRUE(local("threshold", {3, 0, 0, 0}).donations.empty());
}

TEST(ThresholdScheme, SendsToAnotherCoreWhenGreedyBanksOutnumberNeedyOnes) {
  const Plan plan = local("threshold", {9, 8, 7, 0});
  EXPECT_EQ(plan.donations.size(), 1u);
  EXPECT_EQ(plan.sends.size(), 1u);
  EXPECT_TRUE(local("threshold", {9, 0, 0, 0}).sends.empty());
}

TEST(ThresholdScheme, GivesInTurnWhateverEachHas) {
  // The weakness that the paper finds: a bank with 6 is as greedy as one with 60.
  const Work work{6, 60, 0, 9};
  auto scheme_of_core = scheme("", "threshold").make_local();
  std::set<unsigned> first;
  for (int interval = 0; interval < 4; ++interval) {
    Plan plan;
    scheme_of_core->plan({work, kThreshold}, plan);
    ASSERT_EQ(plan.donations.size(), 1u);
    first.insert(plan.donations[0].from);
  }
  EXPECT_EQ(first, (std::set<unsigned>{0, 1, 3}));
}

TEST(LocalSort, TheBankWithMostGivesToThatWithLeast) {
  const Work work{6, 60, 0, 9};
  EXPECT_EQ(after(local("local_sort", work), work), (Work{6, 59, 1, 9}));
}

TEST(LocalSort, NeedyBanksGiveToNeedierOnes) {
  // "When all banks are needy, the half with the most work donate to the half with the least."
  const Work work{3, 0, 4, 0};
  EXPECT_EQ(after(local("local_sort", work), work), (Work{2, 1, 3, 1}));
}

TEST(LocalSort, SendsWhatIsGreedyBeyondTheNeedyBanks) {
  const Plan plan = local("local_sort", {9, 8, 7, 0});
  ASSERT_EQ(plan.donations.size(), 1u);
  EXPECT_EQ(plan.donations[0].from, 0);
  ASSERT_EQ(plan.sends.size(), 1u);
  EXPECT_EQ(plan.sends[0].from, 1u);
  EXPECT_TRUE(local("local_sort", {4, 4, 4, 0}).sends.empty());
}

TEST(GlobalSort, ExcessOfOneCoreGoesToAnother) {
  const Work rich{9, 9, 9, 9}, poor{0, 0, 0, 0};
  const CoreWork cores[] = {{rich, kThreshold}, {poor, kThreshold}};
  std::vector<Plan> plans(2);
  std::vector<Transfer> transfers;
  scheme("", "global_sort").make_global()->plan(cores, plans, transfers);
  EXPECT_TRUE(plans[0].donations.empty());
  // "Any excess greedy banks send work to another core."
  EXPECT_EQ(plans[0].sends.size(), 4u);
  for (const Plan::Send& send : plans[0].sends) EXPECT_EQ(send.to, 1u);
  EXPECT_TRUE(plans[1].sends.empty());
}

TEST(GlobalSort, ACoreWithABacklogGetsNothing) {
  const Work rich{9, 9, 9, 9}, poor{0, 0, 0, 0};
  const CoreWork cores[] = {{rich, kThreshold}, {poor, kThreshold, true}, {poor, kThreshold}};
  std::vector<Plan> plans(3);
  std::vector<Transfer> transfers;
  scheme("", "global_sort").make_global()->plan(cores, plans, transfers);
  ASSERT_EQ(plans[0].sends.size(), 4u);
  for (const Plan::Send& send : plans[0].sends) EXPECT_EQ(send.to, 2u);
}

TEST(EveryLocalScheme, ACoreWithABacklogIsGreedyAndSends) {
  for (const char* name : {"threshold", "local_sort"}) {
    const Work work{1, 0, 2, 0};
    const auto scheme_of_core = scheme("", name).make_local();
    EXPECT_FALSE(scheme_of_core->greedy({work, kThreshold})) << name;
    EXPECT_TRUE(scheme_of_core->greedy({work, kThreshold, true})) << name;
    const Work even{2, 2, 2, 2};
    Plan plan;
    scheme_of_core->plan({even, kThreshold}, plan);
    EXPECT_TRUE(plan.sends.empty()) << name;
    scheme_of_core->plan({even, kThreshold, true}, plan);
    EXPECT_EQ(plan.sends.size(), 1u) << name;
    Plan of_none;
    scheme_of_core->plan({Work{0, 0, 0, 0}, kThreshold, true}, of_none);
    EXPECT_TRUE(of_none.sends.empty()) << name;
  }
}

TEST(GlobalSort, GivesWithinTheCoreFirst) {
  const Work work{20, 0, 0, 0}, other{0, 0, 0, 0};
  const CoreWork cores[] = {{work, kThreshold}, {other, kThreshold}};
  std::vector<Plan> plans(2);
  std::vector<Transfer> transfers;
  scheme("", "global_sort").make_global()->plan(cores, plans, transfers);
  ASSERT_EQ(plans[0].donations.size(), 1u);
  EXPECT_EQ(plans[0].donations[0].from, 0);
  EXPECT_TRUE(plans[0].sends.empty());
}

TEST(IdealScheme, AllBanksOfAllCoresHaveTheSame) {
  std::vector<Work> work{{31, 0, 4, 1}, {0, 0, 0, 6}, {2, 2, 2, 2}};
  std::vector<CoreWork> cores;
  for (const Work& one : work) cores.push_back({one, kThreshold});
  std::vector<Plan> plans(3);
  std::vector<Transfer> transfers;
  scheme("", "ideal").make_global()->plan(cores, plans, transfers);
  for (const Transfer& t : transfers) {
    ASSERT_GE(work[t.from_core][t.from_bank], t.ids);
    work[t.from_core][t.from_bank] -= t.ids;
    work[t.to_core][t.to_bank] += t.ids;
  }
  unsigned total = 0;
  for (const Work& core : work) {
    for (const unsigned bank : core) {
      EXPECT_GE(bank, 50u / 12);
      EXPECT_LE(bank, 50u / 12 + 1);
      total += bank;
    }
  }
  EXPECT_EQ(total, 50u);
}

TEST(Schemes, OfUnknownNamesTellNearOnes) {
  try {
    scheme("hwwl.redistribution", "localsort");
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean local_sort?"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace raddle::mechanisms::hwwl
