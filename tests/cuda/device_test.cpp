// Streams, events and copy engines on the virtual clock: when work starts, waits and ends.
#include <gtest/gtest.h>
#include <sys/time.h>

#include <csignal>

#include "base/error.h"
#include "cuda/device/device.h"
#include "isa/loader.h"
#include "ptx/parser.h"

namespace raddle::cuda {
namespace {

struct DeviceTest : ::testing::Test {
  DeviceTest() : config(machine::load_gpu("k20c")), space(1 << 20), device(*config, space) {}

  Command work(Engine engine, Nanoseconds duration) {
    Command command;
    command.engine = engine;
    command.duration = duration;
    return command;
  }

  std::unique_ptr<machine::GpuConfig> config;
  memory::AddressSpace space;
  Device device;
};

TEST_F(DeviceTest, AStreamIsInOrder) {
  Stream* stream = device.create_stream(0, 0);
  const auto first = device.submit(*stream, work(Engine::to_device, 1000));
  const auto second = device.submit(*stream, work(Engine::on_device, 500));
  EXPECT_FALSE(first->done);
  EXPECT_TRUE(device.wait_for(second));
  EXPECT_DOUBLE_EQ(first->time, 1000);
  EXPECT_DOUBLE_EQ(second->time, 1500);
  EXPECT_DOUBLE_EQ(device.host_time(), 1500);
}

TEST_F(DeviceTest, CopiesInBothDirectionsOverlap) {
  Stream *one = device.create_stream(1, 0), *two = device.create_stream(1, 0);
  const auto up = device.submit(*one, work(Engine::to_device, 1000));
  const auto down = device.submit(*two, work(Engine::to_host, 1000));
  device.wait_for_all();
  EXPECT_DOUBLE_EQ(up->time, 1000);
  EXPECT_DOUBLE_EQ(down->time, 1000);
}

TEST_F(DeviceTest, CopiesInOneDirectionQueue) {
  Stream *one = device.create_stream(1, 0), *two = device.create_stream(1, 0);
  const auto first = device.submit(*one, work(Engine::to_device, 1000));
  const auto second = device.submit(*two, work(Engine::to_device, 1000));
  device.wait_for_all();
  EXPECT_DOUBLE_EQ(first->time, 1000);
  EXPECT_DOUBLE_EQ(second->time, 2000);
}

/// A call is charged for another stream than the last call's, once.
TEST_F(DeviceTest, AChangeOfStreamTakesTime) {
  config->set("host.stream_change", "700");
  Stream *one = device.create_stream(1, 0), *two = device.create_stream(1, 0);
  const auto call = [&](std::initializer_list<Stream*> streams) {
    const Nanoseconds begin = device.host_time();
    device.spend(100);
    for (Stream* stream : streams) device.submit(*stream, work(Engine::to_device, 1));
    return device.host_time() - begin;
  };
  call({one});
  EXPECT_DOUBLE_EQ(call({one, two}), 100);
  EXPECT_DOUBLE_EQ(call({two, one}), 800);
  EXPECT_DOUBLE_EQ(call({}), 100);
  EXPECT_DOUBLE_EQ(call({two}), 100);
}

/// A warp that never ends.
struct Endless {
  explicit Endless(memory::AddressSpace& space)
      : module(ptx::parse("endless.ptx",
                          ".version 6.0\n.target sm_30\n.address_size 64\n"
                          ".visible .entry endless() {\n.reg .u32 %r;\nmov.u32 %r, 0;\n"
                          "again: add.u32 %r, %r, 1;\nbra again;\n}\n")),
        program(isa::load_program({&module, 1}, space)) {}

  Command command() const {
    Command command;
    command.engine = Engine::sms;
    command.launch.program = program.get();
    command.launch.kernel = program->find_kernel("endless");
    command.launch.block = {32, 1, 1};
    return command;
  }

  const ptx::Module module;
  const std::unique_ptr<const isa::Program> program;
};

Device* g_simulates = nullptr;
volatile std::sig_atomic_t g_signals = 0, g_in_cycle = 0, g_not_paused = 0;

TEST_F(DeviceTest, SignalHandlersRunBetweenTwoCycles) {
  const Endless endless(space);
  g_simulates = &device;
  std::signal(SIGALRM, [](int) {
    g_signals = g_signals + 1;
    g_in_cycle = g_in_cycle + (g_simulates->in_cycle() ? 1 : 0);
    g_not_paused = g_not_paused + (g_simulates->paused() ? 0 : 1);
  });
  constexpr int kSignals = 5;
  device.at_safe_points([this] {
    EXPECT_FALSE(device.paused());
    if (g_signals >= kSignals) raddle::fail("enough");
  });
  const itimerval often{{0, 20'000}, {0, 20'000}}, never{};
  setitimer(ITIMER_REAL, &often, nullptr);
  device.wait_for(device.submit(*device.create_stream(1, 0), endless.command()));
  setitimer(ITIMER_REAL, &never, nullptr);
  std::signal(SIGALRM, SIG_DFL);
  EXPECT_GE(g_signals, kSignals);
  EXPECT_EQ(g_in_cycle, 0);
  EXPECT_EQ(g_not_paused, 0);
  EXPECT_FALSE(device.in_cycle()) << "nothing runs any more";
}

// Whatever throws between two cycles stands for a mechanism's mistake in one.
TEST_F(DeviceTest, AnErrorOfTheMachineIsAFaultThatAResetEnds) {
  const Endless endless(space);
  device.at_safe_points([] { raddle::fail("the machine is broken"); });
  Stream* stream = device.create_stream(1, 0);
  device.wait_for(device.submit(*stream, endless.command()));
  EXPECT_EQ(device.fault(), isa::Fault::Kind::machine);
  EXPECT_TRUE(device.submit(*stream, work(Engine::to_device, 1000))->done) << "refused";

  device.at_safe_points({});
  device.reset([] {});
  EXPECT_EQ(device.fault(), isa::Fault::Kind::none);
  Stream* fresh = device.create_stream(1, 0);
  EXPECT_TRUE(device.wait_for(device.submit(*fresh, work(Engine::to_device, 1000))));
}

// What passes between the call and the engine's begin overlaps with work before it.
TEST_F(DeviceTest, TheLeadOfACommandRunsFromItsCall) {
  Stream* stream = device.create_stream(1, 0);
  Command command = work(Engine::to_device, 100);
  command.lead = 900;
  const auto first = device.submit(*stream, command);
  command.completion = std::make_shared<Completion>();
  const auto second = device.submit(*stream, command);
  device.wait_for_all();
  EXPECT_DOUBLE_EQ(first->time, 1000);
  EXPECT_DOUBLE_EQ(second->time, 1100);
}

/// When an empty kernel ends behind a copy of `copy` ns, less when the same ends with no latency.
Nanoseconds latencies_behind(machine::GpuConfig& config, Nanoseconds copy) {
  const ptx::Module module = ptx::parse(
      "empty.ptx",
      ".version 6.0\n.target sm_30\n.address_size 64\n.visible .entry empty() { ret; }\n");
  const auto end = [&](const char* launch, const char* follow) {
    config.set("host.launch_latency", launch);
    config.set("host.follow_latency", follow);
    memory::AddressSpace space(1 << 20);
    Device device(config, space);
    const auto program = isa::load_program({&module, 1}, space);
    Stream* stream = device.create_stream(1, 0);
    Command first;
    first.engine = Engine::to_device;
    first.duration = copy;
    if (copy > 0) device.submit(*stream, std::move(first));
    Command kernel;
    kernel.engine = Engine::sms;
    kernel.launch.program = program.get();
    kernel.launch.kernel = program->find_kernel("empty");
    const auto ended = device.submit(*stream, std::move(kernel));
    device.wait_for_all();
    return ended->time;
  };
  return end("4000", "1000") - end("0", "0");
}

// What passes between the call and the launch unit overlaps with work before it.
TEST_F(DeviceTest, ALaunchIsOnItsWayWhileTheStreamWorks) {
  constexpr double cycle = 2;  // ns, rounded up: kernels begin and end in whole cycles
  EXPECT_NEAR(latencies_behind(*config, 0), 4000, cycle);
  EXPECT_NEAR(latencies_behind(*config, 2000), 2000, cycle);   // the call's latency is longer,
  EXPECT_NEAR(latencies_behind(*config, 20000), 1000, cycle);  // or the work before it
}

TEST_F(DeviceTest, TheLegacyStreamWaitsForBlockingStreamsAndTheyForIt) {
  Stream *blocking = device.create_stream(0, 0), *free = device.create_stream(1, 0);
  device.submit(*blocking, work(Engine::to_device, 1000));
  const auto legacy = device.submit(device.legacy(), work(Engine::on_device, 100));
  const auto after = device.submit(*blocking, work(Engine::to_host, 10));
  const auto aside = device.submit(*free, work(Engine::to_host, 50));
  device.wait_for_all();
  EXPECT_DOUBLE_EQ(legacy->time, 1100);
  EXPECT_DOUBLE_EQ(after->time, 1110);
  EXPECT_DOUBLE_EQ(aside->time, 50);
}

TEST_F(DeviceTest, ACommandWaitsForWhatItNames) {
  Stream *one = device.create_stream(1, 0), *two = device.create_stream(1, 0);
  const auto slow = device.submit(*one, work(Engine::to_device, 1000));
  Command wait;
  wait.after.push_back(slow);
  device.submit(*two, std::move(wait));
  const auto later = device.submit(*two, work(Engine::to_host, 10));
  device.wait_for_all();
  EXPECT_DOUBLE_EQ(later->time, 1010);
}

TEST_F(DeviceTest, TheDeviceGoesOnWhileTheHostSpendsTime) {
  Stream* stream = device.create_stream(0, 0);
  const auto end = device.submit(*stream, work(Engine::to_device, 1000));
  device.spend(999);
  EXPECT_FALSE(end->done);
  device.spend(1);
  EXPECT_TRUE(end->done);
}

TEST_F(DeviceTest, EffectsHappenWhenACommandEnds) {
  Stream* stream = device.create_stream(0, 0);
  bool happened = false;
  Command command = work(Engine::to_device, 1000);
  command.action = [&] { happened = true; };
  device.submit(*stream, std::move(command));
  device.spend(500);
  EXPECT_FALSE(happened);
  device.wait_for(*stream);
  EXPECT_TRUE(happened);
}

TEST_F(DeviceTest, ADestroyedStreamStillEndsItsWork) {
  Stream* stream = device.create_stream(0, 0);
  const auto end = device.submit(*stream, work(Engine::to_device, 1000));
  device.destroy_stream(stream);
  EXPECT_EQ(device.stream(stream), nullptr);
  EXPECT_TRUE(device.wait_for(end));
}

TEST_F(DeviceTest, WaitingForWhatNeverComesEnds) {
  Stream* stream = device.create_stream(0, 0);
  Command command;
  command.after.push_back(std::make_shared<Completion>());
  const auto never = device.submit(*stream, std::move(command));
  EXPECT_FALSE(device.wait_for(never));
}

TEST_F(DeviceTest, OneCopyEngineServesBothDirections) {
  config->set("host.copy_engines", "1");
  Device single(*config, space);
  Stream *one = single.create_stream(1, 0), *two = single.create_stream(1, 0);
  const auto up = single.submit(*one, work(Engine::to_device, 1000));
  const auto down = single.submit(*two, work(Engine::to_host, 1000));
  single.wait_for_all();
  EXPECT_DOUBLE_EQ(up->time, 1000);
  EXPECT_DOUBLE_EQ(down->time, 2000);
}

TEST_F(DeviceTest, RunningAheadLeavesTheHostsClockAndEndsWithTheWork) {
  const auto end = device.submit(*device.create_stream(0, 0), work(Engine::to_device, 2500));
  device.run_ahead(1000);
  device.run_ahead(1000);
  EXPECT_FALSE(end->done);
  EXPECT_TRUE(device.busy());
  device.run_ahead(1000);
  EXPECT_TRUE(end->done);
  EXPECT_FALSE(device.busy());
  EXPECT_DOUBLE_EQ(device.host_time(), 0);
  // What comes next starts when the device is there, not 500 ns later.
  const auto next = device.submit(*device.create_stream(0, 0), work(Engine::on_device, 100));
  device.wait_for_all();
  EXPECT_DOUBLE_EQ(next->time, 2600);
}

/// Streams looked at by a few calls while `streams` others are there, each of which has work that
/// waits for the same event when they are busy.
std::uint64_t looks_of_calls(const machine::GpuConfig& config, unsigned streams, bool busy) {
  memory::AddressSpace space(1 << 20);
  Device device(config, space);
  const auto event = std::make_shared<Completion>();
  for (unsigned i = 0; i < streams; ++i) {
    Stream* stream = device.create_stream(1, 0);
    if (!busy) continue;
    Command waits;
    waits.after.push_back(event);
    device.submit(*stream, std::move(waits));
  }
  const std::uint64_t before = device.looks();
  Stream *one = device.create_stream(0, 0), *two = device.create_stream(1, 0);
  for (int i = 0; i < 10; ++i) {
    Command copy;
    copy.engine = Engine::to_device;
    copy.duration = 100;
    Command follows;
    follows.after.push_back(device.submit(*one, std::move(copy)));
    const auto end = device.submit(*two, std::move(follows));
    device.submit(device.legacy(), Command{});
    device.spend(50);
    EXPECT_TRUE(device.wait_for(end));
    device.destroy_stream(device.create_stream(0, 0));
  }
  return device.looks() - before;
}

TEST_F(DeviceTest, CallsCostWhatTheyTouch) {
  for (const bool busy : {false, true}) {
    EXPECT_EQ(looks_of_calls(*config, 10, busy), looks_of_calls(*config, 4000, busy));
  }
}

TEST_F(DeviceTest, ManyStreamsThatWaitForOneAreLookedAtOnce) {
  const auto looks = [&](unsigned streams) {
    memory::AddressSpace memory(1 << 20);
    Device many(*config, memory);
    Command slow;
    slow.engine = Engine::to_device;
    slow.duration = 1e6;
    const auto first = many.submit(*many.create_stream(1, 0), std::move(slow));
    for (unsigned i = 0; i < streams; ++i) {
      Command waits;
      waits.after.push_back(first);
      many.submit(*many.create_stream(1, 0), std::move(waits));
    }
    EXPECT_TRUE(many.wait_for_all());
    return many.looks();
  };
  EXPECT_LT(looks(1000), 11 * looks(100));
}

TEST_F(DeviceTest, AResetEndsWorkDropsStreamsAndKeepsTheClock) {
  Stream* stream = device.create_stream(0, 0);
  const auto end = device.submit(*stream, work(Engine::to_device, 1000));
  bool freed = false;
  device.reset([&] { freed = true; });
  EXPECT_TRUE(end->done);
  EXPECT_TRUE(freed);
  EXPECT_EQ(device.stream(stream), nullptr);
  EXPECT_NE(device.stream(nullptr), nullptr);
  EXPECT_DOUBLE_EQ(device.host_time(), 1000);
}

}  // namespace
}  // namespace raddle::cuda
