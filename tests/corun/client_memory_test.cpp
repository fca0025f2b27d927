// An address space that is told of the changes of another one with the same windows equals it.
#include "corun/client_memory.h"

#include <gtest/gtest.h>

#include <random>

#include "base/error.h"

namespace raddle::corun {
namespace {

using memory::AddressSpace;
using memory::Kind;

constexpr std::uint64_t kDeviceBytes = 64 << 20;

// The test has both sides' windows of host memory, which lie at the same addresses: it asks device memory alone.
class ClientMemoryTest : public testing::Test {
 protected:
  ClientMemoryTest() {
    theirs_.tell_changes([this](const memory::SpaceChange& one) {
      ours_.apply(
          {one.what, one.kind, one.freed, one.base, one.bytes, one.alignment, one.name, {}});
    });
  }

  ClientMemory ours_{1, {kDeviceBytes, {}}};
  memory::SharedWindows windows_{1, ours_.descriptors()[0], -1, false};
  AddressSpace theirs_{kDeviceBytes, {}, &windows_};
};

TEST_F(ClientMemoryTest, HasTheSameAllocationsAtAnyTime) {
  std::mt19937 random(3);
  std::vector<Address> live;
  for (int n = 0; n < 3000; ++n) {
    if (live.empty() || random() % 5 < 3) {
      const Address made =
          theirs_.allocate(1 + random() % 200'000, Kind::device, "one", 256u << (random() % 4));
      if (made != 0) live.push_back(made);
    } else {
      const std::size_t which = random() % live.size();
      theirs_.free(live[which]);
      live.erase(live.begin() + static_cast<std::ptrdiff_t>(which));
    }
    ASSERT_EQ(theirs_.used(), ours_.space().used());
  }
  for (const memory::Allocation* one : theirs_.live()) {
    const memory::Allocation* other = ours_.space().find(one->base);
    ASSERT_NE(other, nullptr);
    EXPECT_EQ(other->size, one->size);
  }
}

TEST_F(ClientMemoryTest, HasTheSameValues) {
  const Address made = theirs_.allocate(1 << 20, Kind::device, "one");
  *theirs_.values(made + 5000, 1) = std::byte{7};
  EXPECT_EQ(*ours_.space().values(made + 5000, 1), std::byte{7});
  *ours_.space().values(made + 6000, 1) = std::byte{8};
  EXPECT_EQ(*theirs_.values(made + 6000, 1), std::byte{8});
}

/// What comes to lie where memory was freed must not be cleared by who hears of that later.
TEST_F(ClientMemoryTest, NewMemoryIsZeroAndKeepsWhatTheProgramWrites) {
  const Address first = theirs_.allocate(1 << 20, Kind::runtime, "first");  // of no quarantine
  *theirs_.values(first, 1) = std::byte{9};
  std::vector<memory::SpaceChange> later;
  theirs_.tell_changes([&](const memory::SpaceChange& one) { later.push_back(one); });
  theirs_.free(first);
  const Address second = theirs_.allocate(1 << 20, Kind::runtime, "second");
  ASSERT_EQ(second, first);
  EXPECT_EQ(*theirs_.values(second, 1), std::byte{0});
  *theirs_.values(second, 1) = std::byte{5};
  for (const memory::SpaceChange& one : later) {
    ours_.apply({one.what, one.kind, one.freed, one.base, one.bytes, one.alignment, one.name, {}});
  }
  EXPECT_EQ(*ours_.space().values(second, 1), std::byte{5});
}

TEST_F(ClientMemoryTest, WhatKernelsAllocateLiesApart) {
  const Address heap = ours_.space().allocate(4096, Kind::device_heap, "malloc in a kernel");
  EXPECT_NE(heap, 0u);
  EXPECT_EQ(ours_.space().used(), 0u);
  const Address made =
      theirs_.allocate(4096, Kind::device, "one");  // throws if the other end differs
  EXPECT_NE(made, heap);
  ours_.free_heap();
  EXPECT_TRUE(ours_.space().find(heap) == nullptr || ours_.space().find(heap)->freed);
}

TEST_F(ClientMemoryTest, AnotherResultIsAnError) {
  const Change wrong{.what = memory::SpaceChange::What::allocate,
                     .base = 12345,
                     .bytes = 64,
                     .alignment = 256,
                     .name = "x",
                     .pages = {}};
  EXPECT_THROW(ours_.apply(wrong), Error);
}

}  // namespace
}  // namespace raddle::corun
