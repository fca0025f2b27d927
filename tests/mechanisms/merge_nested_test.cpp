// Branches within the sides of a branch (irregular-control-flow, section 4.9): which of them are
// merged, and the cost of a side with branches of its own.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "isa/loader.h"
#include "isa/passes/pass.h"
#include "machine/kernels.h"
#include "machine/settings.h"

namespace raddle::machine {
namespace {

using test::Machine;
using test::Settings;

constexpr std::uint32_t kOuterLine = 10, kInnerLine = 12;  // of the branches below, behind kHeader

std::string instructions(const char* text, unsigned count) {
  std::string all;
  for (unsigned n = 0; n < count; ++n) all += text;
  return all;
}

/// Figure 43-B: of the lanes without bit `outer_bit` of their number those with bit 0 take another way
/// than the others. The outer sides have `outer` opcodes in common, the inner ones `inner`.
std::string nested(unsigned outer_bit, unsigned outer, unsigned inner) {
  const std::string add = instructions("add.u32 %r4, %r4, %r3; ", outer);
  const std::string shift = instructions("xor.b32 %r4, %r4, %r3; ", inner);
  return fmt::format(R"(.visible .entry nested(.param .u64 in, .param .u64 out) {{
  .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<4>;
  ld.param.u64 %rd2, [out]; mov.u32 %r3, %tid.x;
  mul.wide.u32 %rd3, %r3, 4; add.s64 %rd4, %rd2, %rd3; mov.u32 %r4, 1;
  and.b32 %r5, %r3, {}; setp.ne.u32 %p1, %r5, 0;
  and.b32 %r5, %r3, 1; setp.ne.u32 %p2, %r5, 0;
  @%p1 bra C;
  {}
  @%p2 bra E;
  {} popc.b32 %r4, %r4;
  bra F;
E:
  {} clz.b32 %r4, %r4;
F:
  not.b32 %r4, %r4;
  bra MEET;
C:
  {} mul.lo.u32 %r4, %r4, 3;
MEET:
  st.global.u32 [%rd4], %r4;
  ret;
}})",
                     outer_bit, add, shift, shift, add);
}

std::uint32_t expected(std::uint32_t thread, unsigned outer_bit, unsigned outer, unsigned inner) {
  std::uint32_t value = 1;
  for (unsigned n = 0; n < outer; ++n) value += thread;
  if ((thread & outer_bit) != 0) return value * 3;
  for (unsigned n = 0; n < inner; ++n) value ^= thread;
  return ~static_cast<std::uint32_t>((thread & 1) != 0 ? std::countl_zero(value)
                                                       : std::popcount(value));
}

/// The line of each branch that is joined.
std::vector<std::uint32_t> joined(const std::string& kernel) {
  GpuConfig config;
  for (const auto& entry : config.passes.entries) entry.on->set("false");
  config.set("gpu.mechanisms", "merge");
  isa::Loader loader = make_loader(config);
  std::vector<std::uint32_t> lines;
  loader.observe([&](const isa::PassRecord& record) {
    if (record.pass->name() != std::string_view("merging")) return;
    const auto json = nlohmann::json::parse(record.notes.json);
    for (const auto& branch : json.at("branches")) {
      if (branch.at("why_not") == "") lines.push_back(branch.at("ptx_line"));
    }
  });
  const ptx::Module module = ptx::parse("test.ptx", test::kHeader + kernel);
  memory::AddressSpace space(std::uint64_t{1} << 24);
  static_cast<void>(loader.load({&module, 1}, space));
  return lines;
}

// The outer one costs a turn, by which lanes of C go past D and E.
TEST(MergeNested, WhatSavesMoreIsJoined) {
  EXPECT_EQ(joined(nested(2, 7, 5)), std::vector{kOuterLine});
  EXPECT_EQ(joined(nested(2, 5, 5)), std::vector{kInnerLine});
}
TEST(MergeNested, TheOuterBranchIsJoinedWhereBothSaveAsMuch) {
  EXPECT_EQ(joined(nested(2, 6, 5)), std::vector{kOuterLine});
}

std::uint64_t warp_instructions(unsigned outer_bit, unsigned outer, unsigned inner,
                                const char* mechanisms) {
  const std::string text = nested(outer_bit, outer, inner);
  Machine machine(text.c_str(), {{"gpu.mechanisms", mechanisms}, {"gpu.sms", "1"}});
  machine.launch("nested", 1, 64);
  machine.run();
  for (std::uint32_t n = 0; n < 64; ++n) {
    EXPECT_EQ(machine.out(n), expected(n, outer_bit, outer, inner)) << n;
  }
  return machine.gpu().take_ended().at(0).warp_instructions;
}

std::int64_t saved(unsigned outer_bit, unsigned outer, unsigned inner) {
  return static_cast<std::int64_t>(warp_instructions(outer_bit, outer, inner, "")) -
         static_cast<std::int64_t>(warp_instructions(outer_bit, outer, inner, "merge"));
}

// Two warps: seven pairs each, the jump behind F, and a turn to go past D and E.
TEST(MergeNested, ASideWithABranchOfItsOwnCostsATurn) {
  EXPECT_EQ(saved(2, 7, 5), 2 * (7 + 1 - 1));
}
TEST(MergeNested, OfTheInnerBranchPairsAndAJumpAreSaved) { EXPECT_EQ(saved(2, 3, 5), 2 * (5 + 1)); }

// One warp goes through C, which costs it nothing; the other through D, E and F, which saves it the jump.
TEST(MergeNested, WarpsThatDoNotPartPayNothing) { EXPECT_EQ(saved(32, 7, 5), 1); }

/// The branch is alone in its block, to which a loop's end jumps; one side has a branch of its own.
constexpr const char* kAloneInItsBlock = R"(.visible .entry alone(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<4>;
  ld.param.u64 %rd2, [out]; mov.u32 %r3, %tid.x;
  mul.wide.u32 %rd3, %r3, 4; add.s64 %rd4, %rd2, %rd3;
  mov.u32 %r4, 1; and.b32 %r6, %r3, 7; and.b32 %r5, %r3, 2; setp.ne.u32 %p1, %r5, 0;
  setp.eq.u32 %p2, %r6, 0; @%p2 bra TOP;
LOOP:
  add.u32 %r4, %r4, %r6; sub.u32 %r6, %r6, 1; setp.ne.u32 %p2, %r6, 0;
  @!%p2 bra TOP;
  bra LOOP;
TOP:
  @%p1 bra C;
  add.u32 %r4, %r4, %r3; add.u32 %r4, %r4, %r3; add.u32 %r4, %r4, %r3; add.u32 %r4, %r4, %r3;
  mov.u32 %r6, 3;
AGAIN:
  mad.lo.u32 %r4, %r4, 5, 1; sub.u32 %r6, %r6, 1; setp.ne.u32 %p2, %r6, 0; @%p2 bra AGAIN;
  bra MEET;
C:
  add.u32 %r4, %r4, 7; add.u32 %r4, %r4, 7; add.u32 %r4, %r4, 7; add.u32 %r4, %r4, 7;
MEET:
  st.global.u32 [%rd4], %r4;
  ret;
})";

TEST(MergeNested, WhoJumpsToTheBranchComesToItsBeginning) {
  for (const char* entries : {"0", "1", "2"}) {
    Machine machine(kAloneInItsBlock,
                    {{"gpu.mechanisms", "merge"}, {"merge.stack_entries", entries}});
    machine.launch("alone", 1, 64);
    machine.run();
    for (std::uint32_t n = 0; n < 64; ++n) {
      const std::uint32_t rounds = n & 7;
      std::uint32_t value = 1 + rounds * (rounds + 1) / 2;
      value += (n & 2) != 0 ? 28 : 4 * n;
      for (unsigned round = 0; round < 3 && (n & 2) == 0; ++round) value = value * 5 + 1;
      EXPECT_EQ(machine.out(n), value) << n << ", " << entries << " entries";
    }
  }
}

}  // namespace
}  // namespace raddle::machine
