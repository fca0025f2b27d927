// A function as a pass sees it, and the effect of a pass's changes, compared with graphs drawn by
// hand.
#include "isa/passes/function_body.h"

#include <gmock/gmock-matchers.h>
#include <gmock/gmock-more-matchers.h>

#include "base/error.h"
#include "isa/loader.h"
#include "memory/address_space.h"

namespace raddle::isa {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// B0: a diamond's top, B1 and B2 its sides, B3 its bottom.
constexpr const char* kDiamond = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry diamond(.param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .pred %p<2>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.lo.u32 %r5, %r1, 7;
  setp.lt.u32 %p1, %r1, 3;
  @%p1 bra LOW;
  add.u32 %r2, %r1, 10;
  bra JOIN;
LOW:
  add.u32 %r2, %r1, 20;
  add.u32 %r6, %r5, 1;
JOIN:
  st.global.u32 [%rd1], %r2;
  ret;
})";

/// A pass that is a function.
class Do : public Pass {
 public:
  explicit Do(std::function<void(FunctionBody&)> what) : what_(std::move(what)) {}
  const char* name() const override { return "do"; }
  const char* meaning() const override { return "what a test says"; }
  void run(FunctionBody& body, PassNotes&) const override { what_(body); }

 private:
  std::function<void(FunctionBody&)> what_;
};

std::unique_ptr<Program> load(Loader loader, const char* text = kDiamond) {
  memory::AddressSpace space(std::uint64_t{1} << 26);
  const ptx::Module module = ptx::parse("test.ptx", text);
  return loader.load({&module, 1}, space);
}

std::unique_ptr<Program> with(std::function<void(FunctionBody&)> what,
                              const char* text = kDiamond) {
  Loader loader;
  loader.add(std::make_shared<Do>(std::move(what)));
  return load(std::move(loader), text);
}

std::vector<std::string> mnemonics(const FunctionBody& body, BlockId block) {
  std::vector<std::string> names;
  for (const InstructionId id : body.instructions(block)) {
    names.emplace_back(body[id].row == nullptr ? "-" : body[id].row->mnemonic);
  }
  return names;
}

TEST(FunctionBody, BlocksAndTheirNeighbours) {
  with([](FunctionBody& body) {
    EXPECT_EQ(body.name(), "diamond");
    EXPECT_THAT(body.blocks(), ElementsAre(0, 1, 2, 3, 4));  // 4: the exit that lowering adds
    EXPECT_THAT(mnemonics(body, 1), ElementsAre("add", "bra"));
    EXPECT_THAT(body.successors(0), ElementsAre(1, 2));
    EXPECT_THAT(body.successors(1), ElementsAre(3));
    EXPECT_THAT(body.successors(2), ElementsAre(3));
    EXPECT_THAT(body.predecessors(3), testing::UnorderedElementsAre(1, 2));
    EXPECT_THAT(body.successors(3), IsEmpty());
  });
}

TEST(FunctionBody, Dominators) {
  with([](FunctionBody& body) {
    EXPECT_EQ(body.immediate_dominator(0), kNoBlock);
    EXPECT_EQ(body.immediate_dominator(3), 0u);
    EXPECT_EQ(body.immediate_post_dominator(0), 3u);
    EXPECT_EQ(body.immediate_post_dominator(3), kNoBlock);
    EXPECT_TRUE(body.dominates(0, 2));
    EXPECT_FALSE(body.dominates(1, 3));
    EXPECT_TRUE(body.post_dominates(3, 1));
    EXPECT_EQ(body.immediate_dominator(4), kNoBlock);  // nothing reaches it
  });
}

TEST(FunctionBody, WhatInstructionsReadWriteAndDo) {
  with([](FunctionBody& body) {
    const LirInstruction& load = body[body.instructions(0)[0]];
    EXPECT_EQ(load.memory.access, MemoryBehaviour::Access::load);
    EXPECT_EQ(load.memory.space, Space::param);
    const LirInstruction& store = body[body.instructions(3)[0]];
    EXPECT_EQ(store.memory.access, MemoryBehaviour::Access::store);
    EXPECT_EQ(store.memory.space, Space::global);
    EXPECT_TRUE(has_side_effects(store));
    EXPECT_EQ(store.from->at.line, 17u);
    const LirInstruction& branch = body[body.instructions(0).back()];
    EXPECT_NE(branch.guard, ptx::kNoId);
    EXPECT_TRUE(branch.jumps());
  });
}

TEST(FunctionBody, LivenessFollowsChanges) {
  with([](FunctionBody& body) {
    const InstructionId compare = body.instructions(0)[3], low = body.instructions(2)[0];
    const std::uint32_t tid = body[compare].s[0].id, sum = body[low].d.id;
    EXPECT_TRUE(body.live_after(compare)[tid]);
    EXPECT_TRUE(body.live_after(low)[sum]);
    EXPECT_THAT(body.live_in(3), testing::Contains(sum));
    // Without the store nobody needs the sum.
    body.erase(body.instructions(3)[0]);
    EXPECT_FALSE(body.live_after(low)[sum]);
    EXPECT_THAT(body.live_in(3), testing::Not(testing::Contains(sum)));
  });
}

TEST(FunctionBody, AnInsertedInstructionKeepsTheLine) {
  const auto program = with([](FunctionBody& body) {
    const InstructionId store = body.instructions(3)[0];
    LirInstruction add = body.make("add", {"u32"}, body[store]);
    add.d = body[store].d;
    add.s[0] = body[store].d;
    add.s[1] = body.constant(5, 4);
    EXPECT_EQ(body.constant_value(add.s[1]), 5u);
    body.insert(3, 0, add);
  });
  const Function& kernel = *program->find_kernel("diamond");
  unsigned on_line_17 = 0;
  for (std::uint32_t n = kernel.first; n < kernel.end; ++n) {
    on_line_17 += program->info[n].at.line == 17;
  }
  EXPECT_EQ(on_line_17, 2u);
}

TEST(FunctionBody, ASplitBlockFallsThrough) {
  with([](FunctionBody& body) {
    const BlockId rest = body.split(0, 2);
    EXPECT_THAT(body.blocks(), ElementsAre(0, rest, 1, 2, 3, 4));
    EXPECT_THAT(body.successors(0), ElementsAre(rest));
    EXPECT_THAT(body.successors(rest), ElementsAre(1, 2));
    EXPECT_EQ(body.immediate_dominator(3), rest);
    EXPECT_EQ(body.block_of(body.instructions(rest)[0]), rest);
  });
}

// If-conversion: both sides under a guard, without a branch.
TEST(FunctionBody, ADiamondBecomesStraightLineCode) {
  const auto program = with([](FunctionBody& body) {
    const InstructionId branch = body.instructions(0).back();
    const std::uint32_t condition = body[branch].guard;
    for (const BlockId side : {1u, 2u}) {
      for (const InstructionId id : std::vector(body.instructions(side))) {
        if (body[id].jumps()) {
          body.erase(id);
        } else {
          body.change(id).guard = condition;
          body.change(id).guard_negated = side == 1;
        }
      }
    }
    body.erase(branch);
  });
  const Function& kernel = *program->find_kernel("diamond");
  for (std::uint32_t n = kernel.first; n < kernel.end; ++n) {
    EXPECT_NE(program->code[n].kind, Kind::branch);
  }
}

// Opcode merging: the additions of both sides become one instruction of two parts.
TEST(FunctionBody, PartsAreIssuedAsOne) {
  const auto program = with([](FunctionBody& body) {
    const InstructionId branch = body.instructions(0).back();
    const std::uint32_t condition = body[branch].guard;
    std::vector<LirInstruction> parts;
    for (const BlockId side : {1u, 2u}) {
      parts.push_back(body[body.instructions(side)[0]]);
      parts.back().guard = condition;
      parts.back().guard_negated = side == 1;
      body.erase(body.instructions(side)[0]);
    }
    const LirInstruction whole = body.merge(parts);
    unsigned reads = 0, writes = 0;
    whole.for_each_read([&](std::uint32_t) { ++reads; });
    whole.for_each_write([&](std::uint32_t) { ++writes; });
    EXPECT_EQ(reads, 4u);  // %r1 and the guard, twice
    EXPECT_EQ(writes, 2u);
    body.insert(0, body.position(branch), whole);
  });
  const Function& kernel = *program->find_kernel("diamond");
  unsigned additions = 0;
  for (std::uint32_t n = kernel.first; n < kernel.end; ++n) {
    const Instruction& one = program->code[n];
    if (one.immediate != 2) continue;
    for (std::int64_t part = 0; part < one.immediate; ++part) {
      additions += program->code[one.target + part].klass == Class::int_add;
      EXPECT_NE(program->code[one.target + part].guard, kTruePredicate);
    }
  }
  EXPECT_EQ(additions, 2u);
}

TEST(FunctionBody, WhatNothingReachesIsDropped) {
  with([](FunctionBody& body) {
    EXPECT_EQ(body.drop_unreachable(), 1u);  // the exit behind ret
    EXPECT_THAT(body.blocks(), ElementsAre(0, 1, 2, 3));
  });
}

std::string complaint(std::function<void(FunctionBody&)> what) {
  try {
    with(std::move(what));
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(FunctionBody, IllFormedCodeIsRefused) {
  EXPECT_THAT(complaint([](FunctionBody& body) { body.move(body.instructions(0).back(), 0, 0); }),
              testing::HasSubstr("behind the end of a block of 'diamond'"));
  EXPECT_THAT(complaint([](FunctionBody& body) {
                body.drop_unreachable();
                body.erase(body.instructions(3).back());
              }),
              testing::HasSubstr("taken the end off 'diamond'"));
}

TEST(Independent, OrderOfMemoryAndRegisters) {
  with([](FunctionBody& body) {
    const auto& top = body.instructions(0);
    const LirInstruction &load = body[top[0]], &tid = body[top[1]], &times = body[top[2]];
    const LirInstruction& store = body[body.instructions(3)[0]];
    EXPECT_TRUE(independent(load, tid));
    EXPECT_FALSE(independent(tid, times));
    EXPECT_TRUE(independent(load, load) == false);  // both write the same register
    EXPECT_FALSE(independent(load, store));         // the store's address
    EXPECT_FALSE(independent(times, body[top.back()]));
  });
}

// %r6 is needed by nobody, and %r5 by %r6 alone.
TEST(DeadCode, GoesWithWhatOnlyItNeeded) {
  Loader loader;
  loader.add(dead_code_elimination());
  PassRecord record;
  loader.observe([&](const PassRecord& one) { record = one; });
  const auto all = load(Loader()), rest = load(std::move(loader));
  EXPECT_EQ(all->code.size() - rest->code.size(), 2u);
  EXPECT_EQ(record.instructions_before - record.instructions_after, 2u);
  EXPECT_THAT(record.before, testing::HasSubstr("mul.lo.u32 %r5, %r1, 7"));
  EXPECT_THAT(record.after, testing::Not(testing::HasSubstr("mul.lo.u32")));
  EXPECT_THAT(record.notes, ElementsAre("removed 2 instructions in 3 rounds"));
}

// Neither loads, which may fault, nor the carry, the clock or atomics are dead.
TEST(DeadCode, LeavesWhatDoesMoreThanWrite) {
  constexpr const char* kText = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry effects(.param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  ld.global.u32 %r1, [%rd1];
  add.cc.u32 %r2, 1, 2;
  addc.u32 %r3, 1, 2;
  mov.u32 %r4, %clock;
  atom.global.add.u32 %r5, [%rd1], 1;
  st.global.u32 [%rd1], %r3;
  ret;
})";
  Loader loader;
  loader.add(dead_code_elimination());
  EXPECT_EQ(load(std::move(loader), kText)->code.size(), load(Loader(), kText)->code.size());
}

}  // namespace
}  // namespace raddle::isa
