// PTX ISA 7 (the ABI), 11.3 and 11.4 (directives of kernels and functions).
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "parse_help.h"

namespace raddle::ptx {
namespace {

using ::testing::ElementsAre;

TEST(Function, ReadsKernelParameters) {
  const Module module = parse_text(
      ".visible .entry k(.param .u64 .ptr .global .align 16 a, .param .align 8 .b8 s[24],"
      " .param .f32 x) { ret; }");
  const Function& kernel = module.functions[0];
  EXPECT_TRUE(kernel.entry);
  EXPECT_EQ(kernel.linkage, Linkage::visible);
  ASSERT_EQ(kernel.parameters.size(), 3u);
  EXPECT_TRUE(kernel.parameters[0].pointer);
  EXPECT_EQ(kernel.parameters[0].alignment, 8u);  // of the pointer, not of what it points to
  EXPECT_EQ(kernel.parameters[1].size, 24u);
  EXPECT_EQ(kernel.parameters[1].alignment, 8u);
  EXPECT_EQ(kernel.parameters[2].type, Type::f32);
}

TEST(Function, ReadsPerformanceDirectives) {
  const Module module = parse_text(
      ".entry k .maxntid 256, 2 .reqntid 8,4,2 .minnctapersm 2 .maxnreg 64 .maxclusterrank 8"
      " .reqnctapercluster 2 .explicitcluster .pragma \"x\"; { ret; }");
  const Function& kernel = module.functions[0];
  EXPECT_THAT(kernel.maxntid, ElementsAre(256, 2, 1));
  EXPECT_THAT(kernel.reqntid, ElementsAre(8, 4, 2));
  EXPECT_EQ(kernel.minnctapersm, 2u);
  EXPECT_EQ(kernel.maxnreg, 64u);
  EXPECT_EQ(kernel.maxclusterrank, 8u);
  EXPECT_THAT(kernel.reqnctapercluster, ElementsAre(2, 1, 1));
  EXPECT_TRUE(kernel.explicitcluster);
}

TEST(Function, KnowsWhichLoopsAreNotToBeUnrolled) {
  const Module module = parse_text(
      ".entry a { ret; L: .pragma \"nounroll\"; bra L; }\n"
      ".entry b .pragma \"nounroll\"; { ret; }\n.entry c { ret; }");
  EXPECT_THAT(module.functions[0].nounroll, ElementsAre(1));
  EXPECT_FALSE(module.functions[0].nounroll_all);
  EXPECT_TRUE(module.functions[1].nounroll_all);
  EXPECT_FALSE(module.functions[2].nounroll_all);
  EXPECT_TRUE(parse_text(".entry a { ret; }\n.pragma \"nounroll\";").functions[0].nounroll_all);
}

TEST(Function, MergesADeclarationWithItsDefinition) {
  const Module module = parse_text(
      ".visible .func (.param .b32 r) f(.param .b64 a);\n"
      ".visible .func (.param .b32 result) f(.param .b64 arg) { st.param.b32 [result], 1; ret; }");
  ASSERT_EQ(module.functions.size(), 1u);
  const Function& function = module.functions[0];
  EXPECT_TRUE(function.defined);
  EXPECT_EQ(function.linkage, Linkage::visible);
  EXPECT_EQ(function.parameters[0].name, "arg");
}

TEST(Function, ReachesFormalParametersByTheirOwnScope) {
  const Module module = parse_text(
      ".func (.param .b32 r) f(.param .b32 a, .param .b32 b) { .reg .b32 t;"
      " ld.param.b32 t, [b]; st.param.b32 [r+0], t; ret; }");
  const auto& instructions = module.functions[0].instructions;
  const Operand& b = instructions[0].operands[1].elements[0];
  EXPECT_EQ(b.scope, Operand::Scope::parameter);
  EXPECT_EQ(b.id, 1u);
  const Operand& r = instructions[1].operands[0].elements[0];
  EXPECT_EQ(r.scope, Operand::Scope::return_value);
  EXPECT_EQ(r.id, 0u);
}

TEST(Function, KeepsParametersInRegisters) {
  const Module module =
      parse_text(".func (.reg .u32 r) f(.reg .u64 a) { .reg .u32 t; cvt.u32.u64 r, a; ret; }");
  const Function& function = module.functions[0];
  EXPECT_EQ(function.returns[0].register_id, 0u);
  EXPECT_EQ(function.parameters[0].register_id, 1u);
  EXPECT_EQ(function.instructions[0].operands[0].id, 0u);
  EXPECT_EQ(function.instructions[0].operands[1].id, 1u);
}

TEST(Function, ReadsCallsAsCompilersPrintThem) {
  const Module module = parse_text(
      ".extern .func (.param .b32 r) vprintf\n(\n\t.param .b64 a,\n\t.param .b64 b\n)\n;\n"
      ".entry k {\n.reg .b32 %r<4>; .reg .b64 %rd<4>;\n"
      "{ // callseq 0, 0\n\t.param .b64 param0;\n\tst.param.b64 \t[param0], %rd1;\n"
      "\t.param .b64 param1;\n\t.param .b32 retval0;\n"
      "\tcall.uni (retval0), \n\tvprintf, \n\t(\n\tparam0, \n\tparam1\n\t);\n"
      "\tld.param.b32 \t%r1, [retval0];\n} // callseq 0\nret; }");
  const Function& kernel = module.functions[1];
  const Instruction& call = kernel.instructions[1];
  EXPECT_THAT(call.modifiers, ElementsAre("uni"));
  ASSERT_EQ(call.operands.size(), 3u);
  EXPECT_EQ(call.operands[0].kind, Operand::Kind::list);
  EXPECT_EQ(call.operands[0].elements[0].scope, Operand::Scope::function_variable);
  EXPECT_EQ(call.operands[1].scope, Operand::Scope::function);
  EXPECT_EQ(call.operands[1].id, 0u);
  EXPECT_EQ(call.operands[2].elements.size(), 2u);
  EXPECT_EQ(kernel.variables.size(), 3u);
}

TEST(Function, ReadsEveryFormOfCall) {
  const Module module = parse_text(
      ".func f; .func (.param .b32 r) g(.param .b32 a);\n"
      ".entry k { .reg .b64 %p; .param .b32 a; .param .b32 b;\n"
      "proto: .callprototype (.param .b32 _) _ (.param .b32 _) .noreturn;\n"
      "targets: .calltargets g, f;\n"
      "call f; call.uni (_), g, (7); call (b), %p, (a), proto; call %p, targets; call f, (); }");
  const Function& kernel = module.functions[2];
  const auto kinds_of = [&](int i) {
    std::vector<Operand::Kind> kinds;
    for (const Operand& operand : kernel.instructions[i].operands) kinds.push_back(operand.kind);
    return kinds;
  };
  using Kind = Operand::Kind;
  EXPECT_THAT(kinds_of(0), ElementsAre(Kind::symbol));
  EXPECT_THAT(kinds_of(1), ElementsAre(Kind::list, Kind::symbol, Kind::list));
  EXPECT_EQ(kernel.instructions[1].operands[0].elements[0].kind, Kind::sink);
  EXPECT_THAT(kinds_of(2), ElementsAre(Kind::list, Kind::reg, Kind::list, Kind::label));
  EXPECT_THAT(kinds_of(3), ElementsAre(Kind::reg, Kind::label));
  EXPECT_THAT(kinds_of(4), ElementsAre(Kind::symbol, Kind::list));
  const Label& proto = kernel.labels[kernel.instructions[2].operands[3].id];
  EXPECT_EQ(proto.kind, Label::Kind::prototype);
  EXPECT_TRUE(kernel.prototypes[proto.index].noreturn);
  EXPECT_EQ(kernel.prototypes[proto.index].parameters[0].size, 4u);
  const Label& targets = kernel.labels[kernel.instructions[3].operands[1].id];
  EXPECT_EQ(kernel.target_lists[targets.index][1].id, 0u);
}

TEST(Function, ReplacesAliases) {
  const Module module = parse_text(
      ".visible .func f { ret; } .visible .func g; .alias g, f;\n"
      ".global .u64 t = g; .entry k { call g; }");
  EXPECT_EQ(module.functions[1].alias_of, 0u);
  EXPECT_EQ(module.functions[2].instructions[0].operands[0].id, 0u);
  EXPECT_EQ(module.variables[0].initializer[0].symbol, 0u);
}

}  // namespace
}  // namespace raddle::ptx
