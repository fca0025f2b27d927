// Linking, placing and decoding modules.
#include <fmt/core.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <cstring>

#include "base/error.h"
#include "isa/loader.h"
#include "isa/program.h"
#include "memory/address_space.h"

namespace raddle::isa {
namespace {

constexpr const char* kHeader = ".version 7.0\n.target sm_70\n.address_size 64\n";

struct Loaded {
  memory::AddressSpace space{std::uint64_t{1} << 26};
  std::unique_ptr<Program> program;
};

std::unique_ptr<Loaded> load(std::vector<std::string> texts) {
  auto loaded = std::make_unique<Loaded>();
  std::vector<ptx::Module> modules;
  for (std::size_t n = 0; n < texts.size(); ++n) {
    modules.push_back(ptx::parse(fmt::format("m{}.ptx", n), kHeader + texts[n]));
  }
  loaded->program = load_program(modules, loaded->space);
  return loaded;
}

std::string complaint(std::vector<std::string> texts) {
  try {
    load(std::move(texts));
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

std::uint32_t word(const Loaded& loaded, std::string_view name, unsigned index) {
  const Variable* v = loaded.program->find_variable(name);
  std::uint32_t value;
  std::memcpy(&value, loaded.space.values(v->address + 4 * index, 4), 4);
  return value;
}

// Machine code of kernels begins at multiples of 128 bytes (alignment of .text sections that ptxas
// writes): of 16 bytes each, those are 8 instructions.
TEST(LoadProgram, FunctionsBeginAtLinesOfCode) {
  Loader loader;
  loader.align_functions(8);
  memory::AddressSpace space{std::uint64_t{1} << 26};
  const ptx::Module module =
      ptx::parse("m.ptx", std::string(kHeader) +
                              ".entry a() { ret; }\n.entry b() { ret; }\n.entry c() { ret; }");
  const auto program = loader.load({&module, 1}, space);
  for (const char* name : {"a", "b", "c"}) {
    const Function* function = program->find_kernel(name);
    EXPECT_EQ(function->first % 8, 0u) << name;
    EXPECT_LT(function->end - function->first, 8u) << name;  // what is between belongs to nobody
  }
}

TEST(LoadProgram, ParametersLieAtTheirNaturalOffsets) {
  const auto loaded =
      load({".entry k(.param .u8 a, .param .u64 b, .param .align 16 .b8 c[20]) { ret; }"});
  const Function* kernel = loaded->program->find_kernel("k");
  ASSERT_NE(kernel, nullptr);
  EXPECT_EQ(kernel->parameters[0].offset, 0u);
  EXPECT_EQ(kernel->parameters[1].offset, 8u);
  EXPECT_EQ(kernel->parameters[2].offset, 16u);
  EXPECT_EQ(kernel->parameter_bytes, 36u);
}

// What reports and `raddle inspect --code` show of an instruction, however it is laid out.
TEST(LoadProgram, TheTextOfAnInstructionHasItsGuard) {
  const auto loaded =
      load({".entry k() { .reg .pred %p, q; .reg .u32 %r<4>;\n"
            "HERE: @%p add.u32 %r1, %r1, 1;@!%p\tmov.u32 %r2,\n  %r1;\n"
            "@ ! q\n  bra HERE; THERE: sub.u32 %r1, %r1, 1; // @p\n { // @p\nret; } }"});
  const Function* kernel = loaded->program->find_kernel("k");
  std::vector<std::string> texts;
  for (std::uint32_t at = kernel->first; at < kernel->end; ++at) {
    texts.push_back(loaded->program->info[at].text);
  }
  texts.resize(5);  // what is added at the end has none
  EXPECT_EQ(texts, (std::vector<std::string>{"@%p add.u32 %r1, %r1, 1", "@!%p mov.u32 %r2, %r1",
                                             "@ ! q bra HERE", "sub.u32 %r1, %r1, 1", "ret"}));
}

TEST(LoadProgram, ExternVariablesAreFoundInOtherModules) {
  const auto loaded =
      load({".extern .global .u32 v; .entry k() { .reg .u32 r; "
            "ld.global.u32 r, [v]; st.global.u32 [v], r; ret; }",
            ".visible .global .u32 v = 7;"});
  EXPECT_EQ(word(*loaded, "v", 0), 7u);
}

TEST(LoadProgram, AStrongDefinitionBeatsAWeakOne) {
  const auto loaded = load({".weak .global .u32 v = 1;", ".visible .global .u32 v = 2;"});
  EXPECT_EQ(word(*loaded, "v", 0), 2u);
}

TEST(LoadProgram, TwoStrongDefinitionsAreAnError) {
  EXPECT_THAT(
      complaint({".visible .global .u32 v = 1;", ".visible .global .u32 v = 2;"}),
      testing::AllOf(testing::HasSubstr("'v' is defined twice"), testing::HasSubstr("m0.ptx:4")));
}

TEST(LoadProgram, AnUndefinedVariableWithoutASizeIsAnError) {
  EXPECT_THAT(complaint({".extern .global .u32 v[];"}), testing::HasSubstr("'v'"));
}

/// ptxas 13: "Unresolved extern variable 'v' in whole program compilation, ignoring extern qualifier".
TEST(LoadProgram, AnUndefinedVariableIsThere) {
  EXPECT_EQ(complaint({".extern .global .u32 v;"}), "");
}

TEST(LoadProgram, KernelsOnlyCountTheSharedMemoryThatTheyUse) {
  const auto loaded =
      load({".shared .b8 a[100]; .shared .align 8 .b8 b[40];"
            ".entry first() { st.shared.u32 [a], 1; ret; }"
            ".entry second() { st.shared.u32 [b], 1; ret; }"
            ".entry neither() { ret; }"});
  EXPECT_EQ(loaded->program->find_kernel("first")->static_shared_bytes, 100u);
  EXPECT_EQ(loaded->program->find_kernel("second")->static_shared_bytes, 40u);
  EXPECT_EQ(loaded->program->find_kernel("neither")->static_shared_bytes, 0u);
}

TEST(LoadProgram, RecursionIsNoticed) {
  const auto loaded =
      load({".func f() { call f, (); ret; } .entry k() { call f, (); ret; }"
            ".entry plain() { ret; }"});
  EXPECT_TRUE(loaded->program->find_kernel("k")->recursive);
  EXPECT_FALSE(loaded->program->find_kernel("plain")->recursive);
}

TEST(LoadProgram, BranchesMeetAtTheImmediatePostDominator) {
  const auto loaded =
      load({".entry k(.param .u32 n) { .reg .u32 r; .reg .pred p;"
            "ld.param.u32 r, [n];\nsetp.eq.u32 p, r, 0;\n@p bra other;\n"
            "add.u32 r, r, 1;\nbra join;\nother: add.u32 r, r, 2;\n"
            "join: add.u32 r, r, 3;\nret; }"});
  const Program& program = *loaded->program;
  const Function* kernel = program.find_kernel("k");
  const Instruction& branch = program.code[kernel->first + 2];
  ASSERT_EQ(branch.kind, Kind::branch);
  EXPECT_EQ(branch.target, kernel->first + 5);
  EXPECT_EQ(branch.reconverge, kernel->first + 6);
}

TEST(LoadProgram, SourceRegistersAreThoseReadFromTheRegisterFile) {
  const auto loaded =
      load({".visible .global .u64 out[4];\n.entry k() { .reg .b32 %r<4>; .reg .b64 %rd<3>; .reg "
            ".pred %p;"
            "mov.u32 %r1, %tid.x;"          // 0: none
            "add.u32 %r2, %r1, %r1;"        // 1: one, though twice
            "mad.lo.u32 %r3, %r2, 5, %r1;"  // 2: two and a constant
            "mul.wide.u32 %rd1, %r3, %r1;"  // 3: two; the result is not read
            "mov.u64 %rd2, out;"            // 4: an address, none
            "st.global.u64 [%rd2], %rd1;"   // 5: two of two registers each
            "ret; }"});
  const std::vector<SourceRegisters>& sources = loaded->program->sources;
  const unsigned counts[] = {0, 1, 2, 2, 0, 4};
  for (unsigned n = 0; n < std::size(counts); ++n) {
    EXPECT_EQ(sources[n].count, counts[n]) << "instruction " << n;
    unsigned in_banks = 0;
    for (unsigned k = 0; k < 16; ++k) in_banks += sources[n].residues >> (4 * k) & 15;
    EXPECT_EQ(in_banks, counts[n]) << "instruction " << n;
  }
  EXPECT_EQ(sources[1].width[0], 1u);
  EXPECT_EQ(sources[1].width[1], 0u) << "the same as the one before";
  EXPECT_EQ(sources[2].width[1], 0u) << "a constant";
  EXPECT_EQ(sources[2].width[2], 1u);
}

TEST(LoadProgram, ProgramsHaveTheirCodeAtDifferentAddresses) {
  memory::AddressSpace space{1 << 20};
  const ptx::Module module = ptx::parse("m.ptx", std::string(kHeader) + ".entry k() { ret; }");
  const auto one = load_program({&module, 1}, space);
  const auto other = load_program({&module, 1}, space);
  EXPECT_GE(other->code_base, one->code_base + 16 * one->code.size());
}

TEST(LoadProgram, ErrorsNameFileAndLine) {
  EXPECT_THAT(complaint({".entry k() {\n  .reg .u32 r;\n  frobnicate.u32 r, r;\n  ret;\n}"}),
              testing::HasSubstr("m0.ptx:6"));
}

}  // namespace
}  // namespace raddle::isa
