// PTX ISA 4.3 (statements), 9.3 (predication), labels and their scopes.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "parse_help.h"

namespace raddle::ptx {
namespace {

using ::testing::ElementsAre;

TEST(Statement, ReadsSeveralOnALineAndOneOverSeveral) {
  const Module module = parse_body("add.u32 %r1,%r2,%r3;ret;\r\n\tadd .s32\n%r1\n,\t%r2,1\n;");
  const auto& instructions = module.functions[0].instructions;
  ASSERT_EQ(instructions.size(), 3u);
  EXPECT_EQ(instructions[2].opcode, "add");
  EXPECT_THAT(instructions[2].modifiers, ElementsAre("s32"));
}

TEST(Statement, ReadsGuards) {
  const Module module = parse_body("@%p1 ret; @!%p2 ret; ret;");
  const Function& kernel = module.functions[0];
  const auto guard = [&](int i) { return kernel.registers[kernel.instructions[i].guard].name; };
  EXPECT_EQ(guard(0), "%p1");
  EXPECT_FALSE(kernel.instructions[0].guard_negated);
  EXPECT_EQ(guard(1), "%p2");
  EXPECT_TRUE(kernel.instructions[1].guard_negated);
  EXPECT_EQ(kernel.instructions[2].guard, kNoId);
}

/// The instruction to which branch number `i` of a kernel goes.
std::uint32_t target_of(const Function& kernel, int i) {
  return kernel.labels.at(kernel.instructions.at(i).operands.at(0).id).instruction;
}

TEST(Statement, FindsLabelsBeforeAndBehind) {
  const Module module = parse_body("A: bra B; bra A; B: ret; bra END; END:");
  const Function& kernel = module.functions[0];
  EXPECT_EQ(target_of(kernel, 0), 2u);
  EXPECT_EQ(target_of(kernel, 1), 0u);
  EXPECT_EQ(target_of(kernel, 3), 4u);  // past the last instruction
}

TEST(Statement, PrefersTheInnermostLabelWhereverItStands) {
  const Module module = parse_body("L: ret; { bra L; ret; L: ret; } bra L; { bra L; }");
  const Function& kernel = module.functions[0];
  EXPECT_EQ(target_of(kernel, 1), 3u);
  EXPECT_EQ(target_of(kernel, 4), 0u);
  EXPECT_EQ(target_of(kernel, 5), 0u);
}

TEST(Statement, HidesLabelsOfOtherScopes) {
  EXPECT_NE(error_of(kHeader + ".entry k { { bra L; } { L: ret; } }"), "");
  EXPECT_NE(error_of(kHeader + ".entry k { bra L; } .entry j { L: ret; }"), "");
}

TEST(Statement, ReadsBranchTables) {
  const Module module =
      parse_body("table_: .branchtargets A, B;\nbrx.idx.uni %r1, table_; A: ret; B: ret;");
  const Function& kernel = module.functions[0];
  const Label& table = kernel.labels[kernel.instructions[0].operands[1].id];
  EXPECT_EQ(table.kind, Label::Kind::targets);
  const auto& targets = kernel.target_lists[table.index];
  ASSERT_EQ(targets.size(), 2u);
  EXPECT_EQ(kernel.labels[targets[0].id].name, "A");
  EXPECT_EQ(kernel.labels[targets[1].id].instruction, 2u);
}

TEST(Statement, RemembersTheSourceLine) {
  const Module module = parse_text(
      ".file 1 \"a.cu\"\n.entry k {\n.loc 1 7 3\n ret;\n"
      ".loc 1 9 1, function_name $L__info_string0+4, inlined_at 1 7 3\nret; } .entry j { ret; }");
  const auto& instructions = module.functions[0].instructions;
  EXPECT_EQ(instructions[0].at.source_file, 1u);
  EXPECT_EQ(instructions[0].at.source_line, 7u);
  EXPECT_EQ(instructions[0].at.line, 7u);
  EXPECT_EQ(instructions[0].at.column, 2u);
  EXPECT_EQ(instructions[1].at.source_line, 9u);
  EXPECT_EQ(module.functions[1].instructions[0].at.source_line, 0u);
}

TEST(Statement, RemembersWhereABodyWasInlined) {
  // g is inlined into f (line 5), and f into the kernel (line 7).
  const Module module = parse_text(
      ".file 1 \"a.cu\"\n.entry k {\n.loc 1 7 3\n"
      ".loc 1 5 2, function_name $L__info_string0, inlined_at 1 7 3\n"
      ".loc 1 2 1, function_name $L__info_string1, inlined_at 1 5 2\nret;\n"
      ".loc 1 8 1\nret; }");
  const auto& instructions = module.functions[0].instructions;
  EXPECT_EQ(instructions[0].at.source_line, 2u);
  ASSERT_NE(instructions[0].at.inlined, 0u);
  const Inlining& inner = module.inlinings[instructions[0].at.inlined - 1];
  EXPECT_EQ(inner.source_line, 5u);
  ASSERT_NE(inner.outer, 0u);
  EXPECT_EQ(module.inlinings[inner.outer - 1].source_line, 7u);
  EXPECT_EQ(module.inlinings[inner.outer - 1].outer, 0u);
  EXPECT_EQ(instructions[1].at.inlined, 0u);
}

TEST(Statement, KeepsInstructionsThatItDoesNotKnow) {
  const Module module = parse_body("wl.pull.u32 %r1, _; tcgen05.mma.cta_group::1 [%r1], %rd1;");
  EXPECT_EQ(module.functions[0].instructions[0].opcode, "wl");
  EXPECT_THAT(module.functions[0].instructions[1].modifiers, ElementsAre("mma", "cta_group::1"));
}

}  // namespace
}  // namespace raddle::ptx
