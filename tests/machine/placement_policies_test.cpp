// The decisions of single placement policies. Expected places follow from their publications and
// from the settings (docs/reference/settings.md).
#include <gmock/gmock-matchers.h>

#include <map>
#include <set>

#include "base/error.h"
#include "kernels.h"
#include "machine/observer.h"

namespace raddle::machine {
namespace {

using test::Machine;
using ::testing::ElementsAre;

const std::string kTwoKernels = std::string(test::kAddIndex) + test::kReverse;

/// Where the blocks of each kernel were, and how many at most on one multiprocessor.
class Places : public Observer {
 public:
  std::vector<std::string> order;
  std::map<std::string, std::set<unsigned>> sms;
  std::map<unsigned, unsigned> resident;
  unsigned most = 0;

  void block_started(const GridRecord& grid, const Dim3&, unsigned sm, unsigned, Cycle) override {
    order.push_back(grid.kernel);
    sms[grid.kernel].insert(sm);
    most = std::max(most, ++resident[sm]);
  }
  void block_ended(unsigned sm, unsigned, std::uint64_t, Cycle) override { --resident[sm]; }
  void grid_ended(const GridRecord&) override {}
  void sample(Cycle, const QueueDepths&) override {}
};

/// Two big blocks, of which one fits at a time, and a small one, which would fit beside the first.
std::vector<std::string> order(const char* policy) {
  Machine machine(kTwoKernels.c_str(), {{"gpu.sms", "1"}, {"dispatch.placement", policy}});
  Places places;
  machine.gpu().observe(places, kNever);
  Launch big = machine.prepare("reverse", 2, 256);
  big.dynamic_shared_bytes = 40 << 10;
  machine.launch(std::move(big));
  machine.launch("add_index", 1, 32);
  machine.run();
  return places.order;
}

TEST(FirstFit, AGridThatDoesNotFitHoldsUpNoOther) {
  EXPECT_THAT(order("round_robin"), ElementsAre("reverse", "reverse", "add_index"));
  EXPECT_THAT(order("first_fit"), ElementsAre("reverse", "add_index", "reverse"));
}

TEST(Spatial, DividesTheSmsAmongTheKernelsThatRun) {
  Machine machine(kTwoKernels.c_str(), {{"gpu.sms", "5"}, {"dispatch.placement", "spatial"}});
  Places places;
  machine.gpu().observe(places, kNever);
  machine.launch("add_index", 40, 64);
  machine.launch("reverse", 40, 256);
  machine.run();
  EXPECT_THAT(places.sms["add_index"], ElementsAre(0, 1));
  EXPECT_THAT(places.sms["reverse"], ElementsAre(2, 3, 4));
  places.sms.clear();
  machine.launch("reverse", 40, 256);
  machine.run();
  EXPECT_THAT(places.sms["reverse"], ElementsAre(0, 1, 2, 3, 4)) << "it runs alone";
}

TEST(Throttle, PlacesAtMostSoManyBlocks) {
  for (const unsigned most : {1u, 3u}) {
    Machine machine(kTwoKernels.c_str(), {{"gpu.sms", "2"},
                                          {"dispatch.placement", "throttle"},
                                          {"throttle.period", "0"},
                                          {"throttle.blocks", most == 1 ? "1" : "3"}});
    Places places;
    machine.gpu().observe(places, kNever);
    machine.launch("add_index", 40, 32);
    machine.run();
    EXPECT_EQ(places.most, most);
    EXPECT_EQ(places.order.size(), 40u);
  }
}

/// How often the number of blocks was raised and lowered.
std::pair<std::uint64_t, std::uint64_t> changes(const char* memory_low, const char* memory_high) {
  Machine machine(kTwoKernels.c_str(), {{"gpu.sms", "1"},
                                        {"dispatch.placement", "throttle"},
                                        {"throttle.period", "100"},
                                        {"throttle.idle", "101"},  // never
                                        {"throttle.memory_low", memory_low},
                                        {"throttle.memory_high", memory_high}});
  machine.launch("add_index", 200, 64);
  machine.run();
  const StatGroup& all = machine.gpu().statistics();
  return {total(all, "throttle", "raised"), total(all, "throttle", "lowered")};
}

TEST(Throttle, FollowsHowLongWarpsWaitForMemory) {
  const auto [raised, unchanged] = changes("101", "101");  // it never is too much
  EXPECT_GT(raised, 3u);
  EXPECT_EQ(unchanged, 0u);
  const auto [never, lowered] = changes("0", "0");  // it always is
  EXPECT_EQ(never, 0u);
  EXPECT_EQ(lowered, 3u) << "from four blocks to one";
}

// "throttle/spatial": the one around the other.
TEST(Around, APolicyNarrowsWhatAnotherIsOffered) {
  Machine machine(kTwoKernels.c_str(), {{"gpu.sms", "5"},
                                        {"dispatch.placement", "throttle/spatial"},
                                        {"throttle.period", "0"},
                                        {"throttle.blocks", "2"}});
  Places places;
  machine.gpu().observe(places, kNever);
  machine.launch("add_index", 40, 64);
  machine.launch("reverse", 40, 256);
  machine.run();
  EXPECT_EQ(places.most, 2u);
  EXPECT_THAT(places.sms["add_index"], ElementsAre(0, 1));
  EXPECT_THAT(places.sms["reverse"], ElementsAre(2, 3, 4));
}

TEST(Around, OnlyPoliciesThatGoAroundOthersCanStandFirst) {
  const auto with = [](const char* policy) {
    return [policy] { Machine(kTwoKernels.c_str(), {{"dispatch.placement", policy}}); };
  };
  EXPECT_THAT(with("spatial/throttle"),
              testing::ThrowsMessage<Error>("dispatch.placement = spatial/throttle: 'spatial' goes "
                                            "around no other policy"));
  EXPECT_THAT(with("throttle/spatal"),
              testing::ThrowsMessage<Error>(testing::HasSubstr("did you mean spatial?")));
}

}  // namespace
}  // namespace raddle::machine
