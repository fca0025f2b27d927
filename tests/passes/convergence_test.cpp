// BSSY and BSYNC: where ptxas 11.8 has them in code for sm_70, and where not.
#include "isa/passes/convergence.h"

#include "../machine/kernels.h"
#include "pass_help.h"

namespace raddle::tests {
namespace {

using machine::test::Machine;

/// What the pass leaves: "S" BSSY, "W" BSYNC, "b" a branch, "|" the begin of a block.
std::string marks(const std::string& body, unsigned compute_major = 7) {
  struct Record : isa::Pass {
    explicit Record(std::string& out) : out(out) {}
    const char* name() const override { return "record"; }
    const char* meaning() const override { return "lists what is left"; }
    void run(isa::FunctionBody& body, isa::PassNotes&) const override {
      for (const isa::BlockId block : body.blocks()) {
        for (const isa::InstructionId id : body.instructions(block)) {
          if (isa::is_barrier_set(body[id])) out += 'S';
          if (isa::is_barrier_wait(body[id])) out += 'W';
          if (body[id].row != nullptr && body[id].row->mnemonic == "bra") out += 'b';
        }
        out += '|';
      }
    }
    std::string& out;
  };
  isa::PassTarget target;
  target.compute_major = compute_major;
  std::string found;
  after({isa::convergence_barriers(target), std::make_shared<Record>(found)}, kernel(body));
  return found.substr(0, found.find_last_not_of('|') + 1);
}

/// Whether there is one around a branch by whether %r2 is 5, with a barrier behind it.
bool is_needed(const std::string& value) {
  const std::string found = marks(value + R"(
setp.eq.u32 %p1, %r2, 5;
@%p1 bra DONE;
atom.global.add.u32 %r9, [%rd1], 1;
DONE: bar.sync 0;
st.global.u32 [%rd2], %r9;)");
  EXPECT_TRUE(found == "Sb||W" || found == "b") << found;
  return found == "Sb||W";
}

TEST(Convergence, IsNeededWhereThreadsDiffer) {
  for (const char* value :
       {"mov.u32 %r2, %tid.x;", "mov.u32 %r2, %tid.y;", "mov.u32 %r2, %laneid;",
        "mov.u32 %r2, %warpid;", "mov.u32 %r2, %lanemask_lt;", "shr.u32 %r2, %r1, 5;",
        "atom.global.add.u32 %r2, [%rd1], 1;", "shfl.sync.down.b32 %r2, %r1, 1, 31, -1;",
        "shfl.sync.idx.b32 %r2, %r1, %r1, 31, -1;", "match.any.sync.b32 %r2, %r1, -1;",
        "mul.wide.u32 %rd4, %r1, 4; add.u64 %rd3, %rd1, %rd4; ld.global.u32 %r2, [%rd3];",
        "setp.eq.u32 %p5, %r1, 7; selp.u32 %r2, 4, 5, %p5;",
        "setp.eq.u32 %p5, %r1, 7; mov.u32 %r2, 4; @%p5 mov.u32 %r2, 5;"}) {
    EXPECT_TRUE(is_needed(value)) << value;
  }
}

TEST(Convergence, IsNotNeededWhereAWarpGoesOneWay) {
  for (const char* value :
       {"mov.u32 %r2, %ctaid.x;", "mov.u32 %r2, %ntid.x;", "mov.u32 %r2, %smid;",
        "mov.u32 %r2, %clock;", "ld.param.u32 %r2, [a];", "ld.global.u32 %r2, [%rd1];",
        "ld.shared.u32 %r2, [tile];", "shfl.sync.idx.b32 %r2, %r1, 0, 31, -1;",
        "setp.eq.u32 %p5, %r1, 7; vote.sync.ballot.b32 %r2, %p5, -1;",
        "setp.eq.u32 %p5, %r1, 7; bar.red.popc.u32 %r2, 0, %p5;",
        "mov.u32 %r3, %ctaid.x; mad.lo.u32 %r2, %r3, 77, 5;"}) {
    EXPECT_FALSE(is_needed(value)) << value;
  }
}

// Each of the values is the same for all that have it.
TEST(Convergence, IsNeededForWhatDependsOnTheWayTaken) {
  EXPECT_EQ(marks(R"(setp.eq.u32 %p2, %r1, 3;
mov.u32 %r2, 4;
@%p2 bra OVER;
mov.u32 %r2, 5;
OVER: setp.eq.u32 %p1, %r2, 5;
@%p1 bra DONE;
atom.global.add.u32 %r9, [%rd1], 1;
DONE: bar.sync 0;
st.global.u32 [%rd2], %r9;)"),
            "Sb||W|Sb||W");
}

// The counter of a loop that lanes leave in different rounds.
TEST(Convergence, IsNeededForACounterBehindALoop) {
  EXPECT_EQ(marks(R"(mov.u32 %r2, 0;
L: add.u32 %r2, %r2, 1;
add.u32 %r3, %r2, %r1;
setp.lt.u32 %p2, %r3, 99;
@%p2 bra L;
setp.eq.u32 %p1, %r2, 5;
@%p1 bra DONE;
atom.global.add.u32 %r9, [%rd1], 1;
DONE: bar.sync 0;
st.global.u32 [%rd2], %r9;)"),
            "S|b|W|Sb||W");
}

// All lanes that are in the outer loop are in the same round of the inner one.
TEST(Convergence, IsNotNeededForALoopOfConstantRoundsInOneThatLanesLeave) {
  EXPECT_EQ(marks(R"(mov.u32 %r4, %r1;
L: mov.u32 %r2, 0;
M: add.u32 %r2, %r2, 1;
atom.global.add.u32 %r9, [%rd1], 1;
setp.lt.u32 %p1, %r2, 99;
@%p1 bra M;
add.u32 %r4, %r4, 32;
setp.lt.u32 %p2, %r4, 99;
@%p2 bra L;
bar.sync 0;
st.global.u32 [%rd2], %r9;)"),
            "S||b|b|W");
}

/// A branch around a loop, and the loop.
const std::string kLoop = R"(mov.u32 %r2, %r1;
setp.ge.u32 %p1, %r2, 99;
@%p1 bra DONE;
L: atom.global.add.u32 %r9, [%rd1], 1;
add.u32 %r2, %r2, 32;
setp.lt.u32 %p2, %r2, 99;
@%p2 bra L;
)";

// One pair for the branch around a loop and the loop's own.
TEST(Convergence, IsOneForBranchesThatMeetInOnePlace) {
  EXPECT_EQ(marks(kLoop + R"(DONE: bar.sync 0;
st.global.u32 [%rd2], %r9;)"),
            "Sb|b|W");
}

// A block that only leads on is none to meet in.
TEST(Convergence, IsOneWhereABlockOnlyLeadsOn) {
  EXPECT_EQ(marks(kLoop + R"(bra.uni NEXT;
NEXT: bra.uni DONE;
DONE: bar.sync 0;
st.global.u32 [%rd2], %r9;)"),
            "Sb|b|b|b|W");
}

// Who comes from elsewhere does not wait.
TEST(Convergence, IsPassedByWhoDoesNotComeFromWithin) {
  EXPECT_EQ(marks(R"(mov.u32 %r2, %ctaid.x;
setp.eq.u32 %p2, %r2, 4;
@%p2 bra DONE;
setp.eq.u32 %p1, %r1, 5;
@%p1 bra DONE;
atom.global.add.u32 %r9, [%rd1], 1;
DONE: bar.sync 0;
st.global.u32 [%rd2], %r9;)"),
            "b|Sb||W");
}

/// A branch of lanes, and what follows it to the end.
std::string with_rest(const std::string& rest) {
  return marks(R"(setp.eq.u32 %p1, %r1, 5;
mov.u32 %r2, 6;
@%p1 bra DONE;
atom.global.add.u32 %r2, [%rd1], 1;
DONE: )" + rest);
}

TEST(Convergence, IsNotNeededBeforeArithmeticAndStores) {
  EXPECT_EQ(with_rest("add.u32 %r3, %r2, %r1;\nst.global.u32 [%rd1], %r3;"), "b");
}

TEST(Convergence, IsNeededBeforeWhatLanesShouldDoTogether) {
  for (const char* rest :
       {"bar.sync 0;", "ld.global.u32 %r3, [%rd1]; st.global.u32 [%rd1], %r3;",
        "ld.shared.u32 %r3, [tile]; st.global.u32 [%rd1], %r3;", "red.global.add.u32 [%rd1], 1;",
        "st.volatile.global.u32 [%rd1], %r2;",
        "shfl.sync.idx.b32 %r3, %r1, 0, 31, -1; st.global.u32 [%rd1], %r3;",
        "mov.u32 %r3, %ctaid.y; st.global.u32 [%rd1], %r3;",
        "st.global.u32 [%rd2], %r2;",  // %rd2 is a parameter that nobody else needs
        "setp.eq.u32 %p3, %r1, 4; @%p3 st.global.u32 [%rd1], %r2;"}) {
    EXPECT_EQ(with_rest(rest), "Sb||W") << rest;
  }
}

TEST(Convergence, IsThatOfComputeCapability7) {
  EXPECT_EQ(marks("setp.eq.u32 %p1, %r1, 5;\n@%p1 bra DONE;\natom.global.add.u32 %r9, [%rd1], 1;\n"
                  "DONE: bar.sync 0;",
                  6),
            "b");
}

// Code by ptxas 11.8 for sm_70, sm_72 and sm_75 has a BMOV before each BSSY, for sm_80 none.
TEST(Convergence, ClearsItsBarrierFirstOnComputeCapability7) {
  for (const unsigned major : {7u, 8u}) {
    isa::PassTarget target;
    target.compute_major = major;
    const auto program = after({isa::convergence_barriers(target)}, kernel(R"(
setp.eq.u32 %p1, %r1, 5;
@%p1 bra DONE;
atom.global.add.u32 %r9, [%rd1], 1;
DONE: bar.sync 0;)"));
    std::vector<unsigned> more;
    for (const isa::Instruction& one : program->code) {
      if (one.kind == isa::Kind::compute && one.klass == isa::Class::branch) {
        more.push_back(one.unit);
      }
    }
    EXPECT_EQ(more, std::vector<unsigned>{major == 7 ? 1u : 0u});
  }
}

TEST(Convergence, TakesTwoInstructions) {
  const char* text = R"(.visible .entry k(.param .u64 in, .param .u64 out) {
.reg .b32 %r<9>; .reg .b64 %o; .reg .pred %p;
ld.param.u64 %o, [out];
mov.u32 %r1, %tid.x;
setp.lt.u32 %p, %r1, 7;
@%p bra DONE;
red.global.add.u32 [%o], 1;
DONE: bar.sync 0;
st.global.u32 [%o+4], 3;
ret; })";
  std::uint64_t issued[2] = {};
  for (const bool on : {false, true}) {
    Machine machine(text, {{"gpu.sms", "1"},
                           {"gpu.compute_major", "7"},
                           {"passes.convergence", on ? "true" : "false"}});
    machine.launch("k", 1, 32);
    machine.run();
    EXPECT_EQ(machine.out(0), 25u);
    EXPECT_EQ(machine.out(1), 3u);
    issued[on ? 1 : 0] = machine.gpu().take_ended().at(0).warp_instructions;
  }
  EXPECT_EQ(issued[1], issued[0] + 2);
}

}  // namespace
}  // namespace raddle::tests
