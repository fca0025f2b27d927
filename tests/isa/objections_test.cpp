// Programs that could be simulated, but that assemblers and drivers refuse. Limits: PTX ISA
// "Constant State Space", "Kernel Function Parameters"; CUDA C++ Programming Guide, "Compute
// Capabilities"; ptxas 13.0.
#include "isa/objections.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "isa/loader.h"
#include "memory/address_space.h"

namespace raddle::isa {
namespace {

struct Text {
  std::string version = "8.3", target = "sm_75", before = "", parameters = ".param .u64 p0",
              directives = "", body = "";
};

std::string ptx_of(const Text& text) {
  return fmt::format(
      ".version {}\n.target {}\n.address_size 64\n{}\n.visible .entry k({}) {}\n{{\n"
      ".reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .f32 %f<4>;\n{}\nret;\n}}\n",
      text.version, text.target, text.before, text.parameters, text.directives, text.body);
}

/// What is wrong with it; "": it loads. `told`: what a lenient loader says.
std::string error_of(const Text& text, const Strictness& strictness = {},
                     const std::string& mark = {}) {
  memory::AddressSpace space(std::uint64_t{1} << 24);
  Loader loader;
  loader.be(strictness);
  const ptx::Module module = ptx::parse("k.ptx", mark + ptx_of(text));
  try {
    loader.load(std::span(&module, 1), space);
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(Objections, NameInstructionLineTargetAndWhatTheModuleSays) {
  EXPECT_EQ(error_of({.body = "redux.sync.add.s32 %r1, %r2, -1;"}),
            "k.ptx:8:1: 'redux.sync.add.s32' needs '.target sm_80' or later, and the module says "
            "'.target sm_75'");
  EXPECT_EQ(error_of({.version = "6.5", .target = "sm_75", .body = "tanh.approx.f32 %f1, %f2;"}),
            "k.ptx:8:1: 'tanh.approx.f32' needs '.version 7.0' or later, and the module says "
            "'.version 6.5'");
  EXPECT_EQ(
      error_of({.version = "8.6", .target = "sm_100", .body = "redux.sync.min.f32 %f1, %f2, -1;"}),
      "k.ptx:8:1: 'redux.sync.min.f32' needs '.target sm_100f', and the module says "
      "'.target sm_100'");
  EXPECT_EQ(
      error_of({.version = "6.4", .target = "sm_70", .body = "shfl.up.b32 %r1, %r2, 1, 0;"}),
      "k.ptx:8:1: 'shfl.up.b32' is no longer there for sm_70 and later from '.version 6.4' on");
}

TEST(Objections, FirstTargetsAndVersionsAreEnough) {
  EXPECT_EQ(
      error_of({.version = "7.0", .target = "sm_80", .body = "redux.sync.add.s32 %r1, %r2, -1;"}),
      "");
  EXPECT_EQ(error_of({.version = "6.3", .target = "sm_70", .body = "shfl.up.b32 %r1, %r2, 1, 0;"}),
            "");
  for (const char* target : {"sm_100a", "sm_103a", "sm_103f"}) {
    EXPECT_EQ(
        error_of({.version = "8.8", .target = target, .body = "redux.sync.min.f32 %f1, %f2, -1;"}),
        "")
        << target;
  }
}

TEST(Objections, OfVersionsAndTargetsThatAreNot) {
  EXPECT_EQ(error_of({.version = "6.6"}), "k.ptx: there is no PTX 6.6");
  EXPECT_EQ(error_of({.target = "sm_999"}), "k.ptx: there is no target sm_999");
  EXPECT_EQ(error_of({.version = "7.7", .target = "sm_90"}),
            "k.ptx: '.target sm_90' needs '.version 7.8' or later, and the module says "
            "'.version 7.7'");
}

struct Limit {
  Text good, bad;
};

class Limits : public testing::TestWithParam<Limit> {};

TEST_P(Limits, AreWhereTheyAre) {
  EXPECT_EQ(error_of(GetParam().good), "");
  EXPECT_NE(error_of(GetParam().bad), "");
}

INSTANTIATE_TEST_SUITE_P(
    Ptxas, Limits,
    testing::Values(Limit{{.before = ".const .b8 c[65536];"}, {.before = ".const .b8 c[65537];"}},
                    Limit{{.before = ".const .b8 c[65535];"},
                          {.before = ".const .b8 c[65535]; .const .b8 d[2];"}},
                    Limit{{.body = ".shared .b8 s[49152]; st.shared.u32 [s], %r1;"},
                          {.body = ".shared .b8 s[49156]; st.shared.u32 [s], %r1;"}},
                    Limit{{.parameters = ".param .align 4 .b8 p[32764]"},
                          {.parameters = ".param .align 4 .b8 p[32765]"}},
                    Limit{{.version = "8.0", .parameters = ".param .align 4 .b8 p[4352]"},
                          {.version = "8.0", .parameters = ".param .align 4 .b8 p[4353]"}},
                    Limit{{.target = "sm_60", .parameters = ".param .align 4 .b8 p[4352]"},
                          {.target = "sm_60", .parameters = ".param .align 4 .b8 p[4353]"}},
                    Limit{{.directives = ".maxntid 128"},
                          {.directives = ".maxntid 128 .reqntid 64"}}));

TEST(Objections, ALenientLoaderTellsOnceAndGoesOn) {
  std::vector<std::string> told;
  Strictness lenient{true, 0, "", [&](const std::string& text) { told.push_back(text); }};
  EXPECT_EQ(error_of({.before = ".const .b8 c[70000];", .body = "redux.sync.add.s32 %r1, %r2, -1;"},
                     lenient),
            "");
  ASSERT_EQ(told.size(), 1u);
  EXPECT_NE(told[0].find("constants of 70000 bytes"), std::string::npos) << told[0];
  EXPECT_NE(told[0].find("(and 1 more)"), std::string::npos) << told[0];
  // What cannot be simulated stays refused.
  EXPECT_NE(error_of({.body = "nonsense.u32 %r1, %r2;"}, lenient), "");
}

// ptxas 13.0: "Unsupported .version 9.1; current version is '9.0'".
TEST(Objections, AVersionToComeIsRefusedByNameAndTakenByALenientLoader) {
  const Text newer{.version = "9.1", .target = "sm_90"};
  EXPECT_EQ(error_of(newer), "k.ptx: '.version 9.1' is not known: the newest is 9.0");
  const Strictness lenient{true, 0, "", [](const std::string&) {}};
  EXPECT_EQ(error_of(newer, lenient), "");
}

TEST(Objections, OfCodeForAnyGpuItIsToldWhatTheGpuLacks) {
  std::vector<std::string> told;
  const Strictness kepler{false, 35, "Tesla K20c",
                          [&](const std::string& text) { told.push_back(text); }};
  const Text code{.version = "7.0", .target = "sm_70", .body = "nanosleep.u32 5;"};
  EXPECT_EQ(error_of(code, kepler), "");
  EXPECT_TRUE(told.empty());
  EXPECT_EQ(error_of(code, kepler, std::string(ptx::kForAnyGpu)), "");
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0],
            "a Tesla K20c (compute capability 3.5) does not have 'nanosleep.u32' (k.ptx:9:1; it "
            "came with sm_70): it runs as if it did");
}

}  // namespace
}  // namespace raddle::isa
