// Accesses to host memory use the bus: its latency, its bandwidth, and its limit of requests at a
// time.
#include "machine/host_bus/host_bus.h"

#include <gtest/gtest.h>

#include "machine/host_bus/config.h"
#include "machine/host_config.h"
#include "memory/address_space.h"
#include "rig.h"

namespace raddle::machine {
namespace {

struct BusRigConfig : RigConfig {
  HostConfig host{*this, "host"};
  HostBusConfig host_bus{*this, "host_bus"};
};

constexpr double kCyclesPerNs = 0.706;  // of RigConfig's clock
constexpr Cycle kNetwork = 400;         // there and back, and L2 and DRAM, at most

class BusRig {
 public:
  explicit BusRig(const BusRigConfig& config, bool skip = true)
      : skip_(skip),
        memory_({.interconnect = config.interconnect,
                 .l2 = config.l2,
                 .dram = config.dram,
                 .core_mhz = config.core_mhz,
                 .dram_mhz = config.dram_mhz,
                 .host = &config.host,
                 .host_bus = &config.host_bus,
                 .space = &space_},
                {&port_}, root_) {}

  memory::AddressSpace& space() { return space_; }
  std::uint64_t sum(const char* counter) const { return total(root_, "host_bus", counter); }

  /// Cycles until all of `count` accesses, a line after the other from `base` on, are answered.
  Cycle run(Address base, unsigned count, AccessType type, SectorMask sectors = kWholeLine) {
    const Cycle begin = now_;
    unsigned sent = 0, answered = 0;
    for (;; ++now_) {
      for (; port_.replies.can_receive(now_); ++answered) port_.replies.receive();
      if (answered == count) return now_ - begin;
      for (; sent < count && port_.requests.can_send(); ++sent) {
        const Address line = base / kLineBytes * kLineBytes + Address{sent} * kLineBytes;
        const SectorMask whole = type == AccessType::store ? sectors : SectorMask{0};
        port_.requests.send({.line = line, .sectors = sectors, .whole = whole, .type = type}, now_);
      }
      memory_.requested(0);
      if (skip_ && memory_.wake() > now_) continue;
      for (unsigned p = 0; p < memory_.partitions(); ++p) memory_.cycle_partition(p, now_);
      memory_.exchange(now_);
    }
  }

 private:
  bool skip_;
  memory::AddressSpace space_{64 << 20};
  StatGroup root_{"gpu"};
  MemoryPort port_{8, 8};
  MemorySystem memory_;
  Cycle now_ = 0;
};

Address pinned(BusRig& rig, std::uint64_t bytes) {
  return rig.space().allocate_shared_with_host(bytes, memory::Kind::host, "cudaHostAlloc");
}

TEST(HostBus, ALoadTakesTheBusesLatency) {
  const BusRigConfig config;
  BusRig rig(config);
  const Cycle cycles = rig.run(pinned(rig, 4096), 1, AccessType::load);
  EXPECT_GE(cycles, 1300 * kCyclesPerNs);
  EXPECT_LE(cycles, 1300 * kCyclesPerNs + kNetwork);
  EXPECT_EQ(rig.sum("bytes_to_device"), 128u);
}

TEST(HostBus, AStoreHasArrivedAfterHalfOfThat) {
  const BusRigConfig config;
  BusRig rig(config);
  const Cycle cycles = rig.run(pinned(rig, 4096), 1, AccessType::store);
  EXPECT_GE(cycles, 650 * kCyclesPerNs);
  EXPECT_LE(cycles, 650 * kCyclesPerNs + kNetwork);
  EXPECT_EQ(rig.sum("bytes_to_host"), 128u);
}

TEST(HostBus, ManagedAndDeviceMemoryAreNotBehindIt) {
  const BusRigConfig config;
  BusRig rig(config);
  const Address device = rig.space().allocate(4096, memory::Kind::device, "cudaMalloc");
  EXPECT_LE(rig.run(device, 1, AccessType::load), kNetwork);
  const Address managed =
      rig.space().allocate_shared_with_host(4096, memory::Kind::managed, "cudaMallocManaged");
  EXPECT_LE(rig.run(managed, 1, AccessType::load), kNetwork);
  EXPECT_EQ(rig.sum("reads"), 0u);
}

TEST(HostBus, RegisteredMemoryIsBehindItFromItsFirstByteOn) {
  const BusRigConfig config;
  BusRig rig(config);
  alignas(256) static std::byte memory[512];
  // From the middle of a line to the middle of the next.
  ASSERT_TRUE(rig.space().register_host(memory + 100, 100));
  const auto base = reinterpret_cast<Address>(memory);
  rig.run(base, 2, AccessType::load);
  EXPECT_EQ(rig.sum("reads"), 2u);
  rig.run(base + 256, 1, AccessType::load);
  EXPECT_EQ(rig.sum("reads"), 2u);
  ASSERT_TRUE(rig.space().unregister_host(memory + 100));
  rig.run(base, 1, AccessType::load);
  EXPECT_EQ(rig.sum("reads"), 2u);
}

TEST(HostBus, StreamsAreAsFastAsCopies) {
  constexpr unsigned kLines = 8192;
  BusRigConfig config;
  config.host.pcie_to_device.set("6.0");
  config.host.pcie_to_host.set("3.0");
  for (const auto& [type, bandwidth] :
       {std::pair{AccessType::load, 6.0}, std::pair{AccessType::store, 3.0}}) {
    BusRig rig(config);
    const Cycle cycles = rig.run(pinned(rig, kLines * kLineBytes), kLines, type);
    const double expected = kLines * kLineBytes / bandwidth * kCyclesPerNs;
    EXPECT_NEAR(cycles / expected, 1, 0.02);
  }
}

TEST(HostBus, ReadsOfASectorAreBoundByHowManyAreUnderWay) {
  // EMOGI, section 3: 256 reads of 32 bytes in 1.3 us are 6.3 GB/s, whatever the bus could move.
  constexpr unsigned kReads = 65536;
  BusRigConfig config;
  config.host.pcie_to_device.set("1000");
  config.host.pcie_to_host.set("1000");
  BusRig rig(config);
  const Cycle cycles = rig.run(pinned(rig, kReads * kLineBytes), kReads, AccessType::load, 1);
  const double expected = kReads / 256.0 * 1300 * kCyclesPerNs;
  EXPECT_NEAR(cycles / expected, 1, 0.1);  // and what the network takes
  EXPECT_GT(rig.sum("wait_cycles"), 0u);
}

TEST(HostBus, SkippingChangesNothing) {
  BusRigConfig config;
  config.host_bus.reads.set("4");
  config.host_bus.queue.set("2");
  std::string seen[2];
  for (const bool skip : {false, true}) {
    BusRig rig(config, skip);
    const Address base = pinned(rig, 1 << 20);
    for (const AccessType type : {AccessType::load, AccessType::store, AccessType::atomic}) {
      seen[skip] += std::to_string(rig.run(base, 300, type)) + " ";
    }
    for (const char* name : {"reads", "writes", "atomics", "wait_cycles"}) {
      seen[skip] += std::to_string(rig.sum(name)) + " ";
    }
  }
  EXPECT_EQ(seen[false], seen[true]);
}

}  // namespace
}  // namespace raddle::machine
