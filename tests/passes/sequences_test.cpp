// Instructions that are several machine instructions, and the pipes that these use.
#include "pass_help.h"

namespace raddle::tests {
namespace {

using testing::ElementsAre;

/// Machine instructions beyond the first of each of the body's.
std::vector<unsigned> sequences(unsigned compute_major, const std::string& body) {
  isa::PassTarget target;
  target.compute_major = compute_major;
  const auto program = after({isa::machine_sequences(target)}, kernel("\n" + body));
  const isa::Function& k = *program->find_kernel("k");
  std::vector<unsigned> found;
  for (std::uint32_t n = k.first; n < k.end; ++n) {
    if (program->info[n].at.line > 9 && program->code[n].kind == isa::Kind::compute) {
      found.push_back(program->code[n].unit);
    }
  }
  return found;
}

// Counted in the output of ptxas 13.0 for sm_75, on the path of usual operands.
TEST(Sequences, AreThoseOfMachineCode) {
  const std::string divisions = R"(div.rn.f32 %f1, %f2, %f3;
div.approx.ftz.f32 %f1, %f2, %f3;
rcp.rn.f32 %f1, %f2;
sqrt.rn.f32 %f1, %f2;
rsqrt.approx.ftz.f32 %f1, %f2;
ex2.approx.f32 %f1, %f2;
sin.approx.f32 %f1, %f2;
div.s32 %r2, %r3, %r4;
div.u32 %r2, %r3, %r4;
fma.rn.f32 %f1, %f2, %f3, %f4;
mul.lo.u32 %r2, %r3, %r4;)";
  EXPECT_THAT(sequences(7, divisions), ElementsAre(10, 1, 10, 10, 0, 3, 1, 23, 17, 0, 0));
  EXPECT_THAT(sequences(7, R"(add.s64 %rd3, %rd1, %rd2;
mul.wide.u32 %rd3, %r1, %r1;
mul.lo.u64 %rd3, %rd1, %rd2;
setp.lt.u64 %p1, %rd1, %rd2;
selp.b64 %rd3, %rd1, %rd2, %p1;
shl.b64 %rd3, %rd1, 3;)"),
              ElementsAre(1, 0, 3, 1, 1, 1));
  EXPECT_THAT(sequences(7, R"(div.full.f32 %f1, %f2, %f3;
div.full.ftz.f32 %f1, %f2, %f3;
div.rn.f64 %rd3, %rd1, %rd2;
div.s64 %rd3, %rd1, %rd2;
div.u64 %rd3, %rd1, %rd2;)"),
              ElementsAre(7, 4, 16, 83, 67));
  EXPECT_THAT(sequences(6, divisions), testing::Each(0u)) << "not known of older machine code";
}

// 16 bytes each in the code, and so for its caches.
TEST(Sequences, TakeTheRoomOfTheirMachineInstructions) {
  isa::PassTarget target;
  target.compute_major = 7;
  const auto program =
      after({isa::machine_sequences(target)}, kernel("\ndiv.rn.f32 %f1, %f2, %f3;"));
  const isa::Function& k = *program->find_kernel("k");
  for (std::uint32_t n = k.first; n < k.end; ++n) {
    const unsigned expected = program->info[n].text.starts_with("div") ? 11 : 1;
    EXPECT_EQ(program->words[n + 1] - program->words[n], expected) << program->info[n].text;
  }
  const auto plain = after({}, kernel("\ndiv.rn.f32 %f1, %f2, %f3;"));
  EXPECT_TRUE(plain->words.empty());
}

// Of ptxas 11.8 for sm_70, sm_80 and sm_90; powers of two are no better.
TEST(Sequences, DivisionsByConstantsAreShorter) {
  EXPECT_THAT(sequences(7, R"(div.u32 %r2, %r1, 10;
rem.u32 %r2, %r1, 8;
div.s32 %r2, %r1, 10;
rem.s32 %r2, %r1, 8;)"),
              ElementsAre(13, 12, 17, 15));
}

// BREV is with POPC in machine code for sm_75 (control codes of eight cycles), and as late (PPT, Volta).
TEST(Sequences, ReversalsOfBitsRunWhereBitsAreCounted) {
  for (const unsigned major : {7u, 6u}) {
    isa::PassTarget target;
    target.compute_major = major;
    const auto program = after({isa::machine_sequences(target)}, kernel("\nbrev.b32 %r2, %r1;"));
    bool counted = false;
    for (std::size_t n = 0; n < program->code.size(); ++n) {
      if (program->info[n].text.starts_with("brev")) {
        counted = program->code[n].klass == isa::Class::bit_count;
      }
    }
    EXPECT_EQ(counted, major == 7);
  }
}

}  // namespace
}  // namespace raddle::tests
