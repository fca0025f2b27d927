// The passes that rewrite atomics: which become reductions, which are combined within a warp, and
// which become loops. Expected is the code of ptxas 13.0 for sm_90, as Nsight Compute counts it.
#include "isa/semantics/memory.h"
#include "listed_rows.h"

namespace raddle::tests {
namespace {

using testing::Contains;
using testing::ElementsAre;

isa::PassTarget of_capability(unsigned major) {
  isa::PassTarget target;
  target.compute_major = major;
  return target;
}

const isa::PassList kReductions = {isa::reductions(of_capability(9))};

TEST(Reductions, AreAtomicsWhoseResultNobodyReads) {
  EXPECT_THAT(rows(kReductions, "atom.global.add.u32 %r2, [%rd1], %r1;"), ElementsAre("red+0"));
  EXPECT_THAT(rows(kReductions, "atom.global.max.s32 %r2, [%rd1+4], %r1;"), ElementsAre("red+4"));
  EXPECT_THAT(rows(kReductions, "atom.relaxed.gpu.global.add.f32 %f2, [%rd1], %f1;"),
              ElementsAre("red+0"));
}

TEST(Reductions, AreNotThoseWhoseResultIsReadOrThatHaveNoSuchForm) {
  EXPECT_THAT(rows(kReductions, R"(atom.global.add.u32 %r2, [%rd1], %r1;
st.global.u32 [%rd2], %r2;)"),
              ElementsAre("atom+0", "st+0"));
  EXPECT_THAT(rows(kReductions, "atom.global.exch.b32 %r2, [%rd1], %r1;"), ElementsAre("atom+0"));
  EXPECT_THAT(rows(kReductions, "atom.global.cas.b32 %r2, [%rd1], %r1, 1;"), ElementsAre("atom+0"));
  EXPECT_THAT(rows(kReductions, "atom.shared.add.u32 %r2, [tile], %r1;"), Contains("atom+0"));
}

/// How many atomics of the kernel are joined.
unsigned joined(const std::string& body, unsigned major = 9) {
  const auto program =
      after({isa::reductions(of_capability(major)), isa::joined_atomics(of_capability(major))},
            kernel(body));
  unsigned found = 0;
  for (const isa::Instruction& one : program->code) {
    found += one.klass == isa::Class::atomic && (one.extra & isa::kJoined) != 0;
  }
  return found;
}

TEST(JoinedAtomics, AreIntegersAddedToOneAddress) {
  EXPECT_EQ(joined("red.global.add.u32 [%rd1], 1;"), 1u);
  EXPECT_EQ(joined("red.global.add.u32 [%rd1], %r1;"), 1u) << "REDUX";
  EXPECT_EQ(joined("red.global.add.u32 [%rd1], %r1;", 7), 1u) << "SHFL";
  EXPECT_EQ(joined("red.global.add.u64 [%rd1], 1;"), 1u);
  EXPECT_EQ(joined(R"(atom.global.add.u32 %r2, [%rd1], 1;
st.global.u32 [%rd2], %r2;)"),
            1u)
      << "SHFL hands the result back";
}

TEST(JoinedAtomics, AreNotThoseOfOtherKinds) {
  EXPECT_EQ(joined("red.global.add.u32 [%rd1], 1;", 6), 0u) << "an older assembler";
  EXPECT_EQ(joined("red.global.max.u32 [%rd1], 1;"), 0u);
  EXPECT_EQ(joined("red.global.add.f32 [%rd1], 0f3F800000;"), 0u);
  EXPECT_EQ(joined(R"(mul.wide.u32 %rd3, %r1, 4;
add.s64 %rd4, %rd1, %rd3;
red.global.add.u32 [%rd4], 1;)"),
            0u)
      << "addresses of threads";
  EXPECT_EQ(joined(R"(atom.global.add.u32 %r2, [%rd1], %r1;
st.global.u32 [%rd2], %r2;)"),
            0u)
      << "sums of varying addends would have to be handed back";
  EXPECT_EQ(joined(R"(cvt.u64.u32 %rd3, %r1;
red.global.add.u64 [%rd1], %rd3;)"),
            0u)
      << "REDUX adds 32 bits";
}

TEST(SharedFloatAdds, AreLoopsOfCompareAndSwap) {
  const isa::PassList loops = {isa::shared_float_adds(of_capability(9))};
  EXPECT_THAT(rows(loops, "atom.shared.add.f32 %f2, [tile], %f1;"),
              ElementsAre("ld+0", "add", "atom+0", "setp"));
  EXPECT_THAT(rows(loops, R"(setp.eq.u32 %p1, %r1, 0;
@%p1 red.shared.add.f32 [tile+8], %f1;)"),
              ElementsAre("setp", "ld+8", "add", "atom+8", "setp"));
}

TEST(SharedFloatAdds, AreNoLoopsInGlobalMemoryForIntegersAndOnOldGpus) {
  const isa::PassList loops = {isa::shared_float_adds(of_capability(9))};
  EXPECT_THAT(rows(loops, "red.global.add.f32 [%rd1], %f1;"), ElementsAre("red+0"));
  EXPECT_THAT(rows(loops, "red.shared.add.u32 [tile], %r1;"), ElementsAre("red+0"));
  EXPECT_THAT(rows({isa::shared_float_adds(of_capability(3))}, "red.shared.add.f32 [tile], %f1;"),
              ElementsAre("red+0"));
}

}  // namespace
}  // namespace raddle::tests
