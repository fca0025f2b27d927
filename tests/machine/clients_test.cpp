// Programs that share a GPU (machine/clients.h): each has memory of its own. Errors and the end of
// one program do not affect the others.
#include "machine/clients.h"

#include <map>
#include <set>

#include "kernels.h"
#include "machine/observer.h"

namespace raddle::machine {
namespace {

using test::Settings;

/// Goes round for ever, with atomics or without.
constexpr const char* kEndless = R"(
.visible .entry endless(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<4>;
  ld.param.u64 %rd2, [out];
AGAIN:
  atom.global.add.u32 %r2, [%rd2], 1;
  setp.ge.u32 %p1, %r2, 0;
  @%p1 bra AGAIN;
  ret;
}
.visible .entry counts(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .pred %p<4>;
  mov.u32 %r1, 0;
AGAIN:
  add.u32 %r1, %r1, 1;
  setp.ge.u32 %p1, %r1, 0;
  @%p1 bra AGAIN;
  ret;
})";

/// Several programs of the same kernels on one GPU.
class Shared {
 public:
  static constexpr std::uint32_t kValues = 1 << 14;

  explicit Shared(unsigned clients, const Settings& settings = {}) {
    for (const auto& entry : config_.passes.entries) entry.on->set("false");
    config_.set("gpu.keep_going", "true");
    for (const auto& [path, value] : settings) config_.set(path, value);
    gpu_ = std::make_unique<Gpu>(config_, nobodys_);
    const std::string text = std::string(test::kHeader) + test::kAddIndex + test::kStuck + kEndless;
    for (unsigned n = 1; n <= clients; ++n) {
      const memory::SharedWindows windows{n, -1, -1, true};
      auto one = std::make_unique<One>(windows);
      const ptx::Module module = ptx::parse("test.ptx", text);
      one->program = make_loader(config_).load({&module, 1}, one->space);
      one->in = one->space.allocate(4 * kValues, memory::Kind::device, "in");
      one->out = one->space.allocate(4 * kValues, memory::Kind::device, "out");
      gpu_->set_client(n, one->space);
      for (std::uint32_t i = 0; i < kValues; ++i) value(*one, one->in, i) = n * 1000 + i;
      clients_.push_back(std::move(one));
    }
  }

  Launch prepare(unsigned client, const char* kernel, std::uint32_t blocks) {
    One& one = *clients_[client - 1];
    Launch launch;
    launch.program = one.program.get();
    launch.kernel = one.program->find_kernel(kernel);
    launch.grid.x = blocks;
    launch.block.x = 64;
    launch.client = client;
    launch.parameters.resize(16);
    std::memcpy(launch.parameters.data(), &one.in, 8);
    std::memcpy(launch.parameters.data() + 8, &one.out, 8);
    return launch;
  }
  void launch(unsigned client, const char* kernel, std::uint32_t blocks) {
    gpu_->launch(prepare(client, kernel, blocks), 0);
  }
  /// Until nothing runs; what has ended and what was at fault is kept.
  void run(Cycle limit = kNever) {
    while (!gpu_->idle() && gpu_->now() < limit) {
      gpu_->advance(limit);
      for (GridRecord& one : gpu_->take_ended()) ended.push_back(std::move(one));
      for (FaultReport& one : gpu_->take_faults()) faults.push_back(std::move(one));
    }
  }
  bool right(unsigned client, std::uint32_t values) {
    One& one = *clients_[client - 1];
    for (std::uint32_t i = 0; i < values; ++i) {
      if (value(one, one.out, i) != client * 1000 + 2 * i) return false;
    }
    return true;
  }
  Address in_of(unsigned client) { return clients_[client - 1]->in; }
  Gpu& gpu() { return *gpu_; }

  std::vector<GridRecord> ended;
  std::vector<FaultReport> faults;

 private:
  struct One {
    explicit One(const memory::SharedWindows& windows) : space(1 << 20, {}, &windows) {}
    memory::AddressSpace space;
    std::unique_ptr<isa::Program> program;
    Address in = 0, out = 0;
  };
  static std::uint32_t& value(One& one, Address base, std::uint32_t i) {
    return *reinterpret_cast<std::uint32_t*>(one.space.values(base + 4 * i, 4));
  }

  GpuConfig config_;
  static constexpr memory::SharedWindows kNobodys{.client = memory::SharedWindows::kMostClients};
  memory::AddressSpace nobodys_{1 << 20, {}, &kNobodys};
  std::vector<std::unique_ptr<One>> clients_;
  std::unique_ptr<Gpu> gpu_;
};

TEST(Clients, KernelsWorkInTheMemoryOfTheirOwnClient) {
  Shared shared(3);
  for (unsigned client = 1; client <= 3; ++client) shared.launch(client, "add_index", 40);
  shared.run();
  EXPECT_EQ(shared.ended.size(), 3u);
  for (unsigned client = 1; client <= 3; ++client) EXPECT_TRUE(shared.right(client, 40 * 64));
}

TEST(Clients, NoTwoHaveTheSameAddresses) {
  Shared shared(3);
  EXPECT_NE(shared.in_of(1), shared.in_of(2));
  EXPECT_NE(shared.in_of(2), shared.in_of(3));
}

TEST(Clients, AnAddressOfAnothersMemoryIsAFault) {
  Shared shared(2);
  Launch thief = shared.prepare(2, "add_index", 1);
  const Address of_first = shared.in_of(1);
  std::memcpy(thief.parameters.data(), &of_first, 8);
  shared.gpu().launch(std::move(thief), 0);
  shared.run();
  ASSERT_EQ(shared.faults.size(), 1u);
  EXPECT_EQ(shared.faults[0].kind, isa::Fault::Kind::out_of_bounds);
  EXPECT_EQ(shared.faults[0].client, 2u);
}

/// The faulting kernel, one beside it, and one behind them in its queue end; the other client's do not.
TEST(Clients, AFaultEndsAllGridsOfItsClientAndNoOthers) {
  Shared shared(2);
  shared.launch(1, "endless", 20);
  Launch bad = shared.prepare(1, "add_index", 400);
  const Address nowhere = 64;
  std::memcpy(bad.parameters.data(), &nowhere, 8);
  bad.queue = 0;
  Launch behind = shared.prepare(1, "add_index", 4);
  behind.queue = 0;
  shared.gpu().launch(std::move(bad), 0);
  shared.gpu().launch(std::move(behind), 0);
  shared.launch(2, "add_index", 256);
  shared.run();
  EXPECT_EQ(shared.faults.size(), 1u);  // the first alone is told
  ASSERT_EQ(shared.ended.size(), 4u);
  for (const GridRecord& one : shared.ended) EXPECT_EQ(one.completed, one.client == 2) << one.id;
  EXPECT_TRUE(shared.right(2, 256 * 64));
  EXPECT_TRUE(shared.gpu().client(1).ended);
  EXPECT_EQ(shared.gpu().client(1).grids, 0u);
}

/// At any moment: while its grid waits, is on its way, fills the GPU, or is about to end.
TEST(Clients, AClientMayEndAtAnyTime) {
  for (const Cycle when : {1, 100, 1000, 3000, 5000, 8000, 20000}) {
    for (const char* kernel : {"add_index", "endless", "counts"}) {
      Shared shared(2);
      shared.launch(1, kernel, 200);
      shared.launch(1, kernel, 200);
      shared.launch(2, "add_index", 256);
      shared.run(when);
      shared.gpu().end_client(1);
      shared.run();
      EXPECT_EQ(shared.gpu().client(1).grids, 0u) << kernel << " at " << when;
      EXPECT_TRUE(shared.right(2, 256 * 64)) << kernel << " at " << when;
      EXPECT_TRUE(shared.faults.empty()) << kernel << " at " << when;
    }
  }
}

TEST(Clients, AClientMayEndWhileItsBlocksLeaveAndComeBack) {
  for (const Cycle when : {2000, 4000, 6000, 9000, 15000}) {
    Shared shared(2, {{"gpu.preempt_every", "100"}});
    shared.launch(1, "endless", 100);
    shared.launch(2, "add_index", 256);
    shared.run(when);
    shared.gpu().end_client(1);
    shared.run();
    EXPECT_EQ(shared.gpu().client(1).grids, 0u) << "at " << when;
    EXPECT_TRUE(shared.right(2, 256 * 64)) << "at " << when;
  }
}

TEST(Clients, ANewOneTakesThePlaceOfOneThatHasEnded) {
  Shared shared(1);
  shared.launch(1, "endless", 100);
  shared.run(5000);
  shared.gpu().end_client(1);
  shared.run();
  const memory::SharedWindows windows{1, -1, -1, true};
  memory::AddressSpace space(1 << 20, {}, &windows);
  shared.gpu().set_client(1, space);
  EXPECT_FALSE(shared.gpu().client(1).ended);
  EXPECT_EQ(shared.gpu().client(1).warp_instructions, 0u);
}

/// A deadlock is of those whose blocks wait: who waits for their places has done nothing.
TEST(Clients, ADeadlockEndsWhoIsInItAlone) {
  Shared shared(2, {{"gpu.sms", "1"}});
  Launch stuck = shared.prepare(1, "stuck", 64);  // more than fit
  stuck.block.x = 32;
  shared.gpu().launch(std::move(stuck), 0);
  shared.launch(2, "add_index", 100);
  shared.run();
  ASSERT_EQ(shared.faults.size(), 1u);
  EXPECT_EQ(shared.faults[0].kind, isa::Fault::Kind::deadlock);
  EXPECT_EQ(shared.faults[0].client, 1u);
  EXPECT_TRUE(shared.right(2, 100 * 64));
}

TEST(Clients, ThreadsAndSkippingChangeNoEnd) {
  const auto ends = [](const Settings& settings) {
    Shared shared(2, settings);
    shared.launch(1, "endless", 200);
    shared.launch(2, "add_index", 256);
    shared.run(4000);
    shared.gpu().end_client(1);
    shared.launch(2, "add_index", 100);
    shared.run();
    std::string text;
    for (const GridRecord& one : shared.ended) {
      text += std::to_string(one.id) + "@" + std::to_string(one.end_cycle) + "/" +
              std::to_string(one.warp_instructions) + " ";
    }
    return text;
  };
  const std::string expected = ends({});
  EXPECT_EQ(ends({{"gpu.threads", "2"}}), expected);
  EXPECT_EQ(ends({{"gpu.skip_idle", "false"}}), expected);
}

// Policies between programs.

TEST(Clients, UrgencyComesBeforePrioritiesOfStreams) {
  for (int urgency = -2; urgency <= 2; ++urgency) {
    for (int of_stream = -5; of_stream <= 0; ++of_stream) {
      EXPECT_EQ(urgency_of(priority_of(urgency, of_stream)), urgency) << of_stream;
    }
    EXPECT_LT(priority_of(urgency, 0), priority_of(urgency + 1, -5));
  }
}

/// When the blocks of each client were on the GPU.
class Presence : public Observer {
 public:
  void grid_ended(const GridRecord&) override {}
  void block_started(const GridRecord& grid, const Dim3&, unsigned sm, unsigned slot,
                     Cycle) override {
    on_[{sm, slot}] = grid.client;
    ++count_[grid.client];
    together |= count_[1] != 0 && count_[2] != 0;
    sms[grid.client].insert(sm);
  }
  void block_ended(unsigned sm, unsigned slot, std::uint64_t, Cycle) override {
    --count_[on_[{sm, slot}]];
  }
  void sample(Cycle, const QueueDepths&) override {}

  bool together = false;  // blocks of both at once
  std::map<unsigned, std::set<unsigned>> sms;

 private:
  std::map<std::pair<unsigned, unsigned>, unsigned> on_;
  std::map<unsigned, int> count_;
};

TEST(Clients, TimeSlicesGiveTheWholeGpuToOneAtATime) {
  Shared shared(2, {{"dispatch.placement", "time_slices/round_robin"},
                    {"time_slices.cycles", "5000"},
                    {"gpu.sms", "2"}});
  Presence presence;
  shared.gpu().observe(presence, kNever);
  shared.launch(1, "endless", 8);
  shared.launch(2, "add_index", 256);
  shared.run(2'000'000);
  EXPECT_FALSE(presence.together);
  EXPECT_TRUE(shared.right(2, 256 * 64)) << "the first never ends, and gives its turn up";
  shared.gpu().end_client(1);
  shared.run();
}

TEST(Clients, SharedPlacementLetsBothOn) {
  Shared shared(2, {{"gpu.sms", "2"}});
  Presence presence;
  shared.gpu().observe(presence, kNever);
  shared.launch(1, "add_index", 100);
  shared.launch(2, "add_index", 100);
  shared.run();
  EXPECT_TRUE(presence.together);
}

TEST(Clients, PartitionsHaveMultiprocessorsOfTheirOwn) {
  Shared shared(2, {{"dispatch.placement", "partition/round_robin"}, {"gpu.sms", "4"}});
  Presence presence;
  shared.launch(1, "endless", 4);
  shared.launch(2, "endless", 4);
  shared.run(3000);  // both have come
  shared.gpu().observe(presence, kNever);
  shared.launch(1, "add_index", 100);
  shared.launch(2, "add_index", 100);
  shared.run(200'000);
  EXPECT_EQ(presence.sms[1], (std::set<unsigned>{0, 1}));
  EXPECT_EQ(presence.sms[2], (std::set<unsigned>{2, 3}));
  for (const unsigned client : {1, 2}) shared.gpu().end_client(client);
  shared.run();
}

/// The less urgent one fills the GPU and never ends.
TEST(Clients, AMoreUrgentProgramDrivesALessUrgentOneOut) {
  Shared shared(2, {{"dispatch.placement", "client_priority/round_robin"}, {"gpu.sms", "2"}});
  Launch less = shared.prepare(1, "counts", 1000);
  less.priority = priority_of(1, 0);
  shared.gpu().launch(std::move(less), 0);
  shared.run(10'000);
  shared.launch(2, "add_index", 256);
  shared.run(1'000'000);
  EXPECT_TRUE(shared.right(2, 256 * 64));
  shared.gpu().end_client(1);
  shared.run();
}

}  // namespace
}  // namespace raddle::machine
