// Spills: registers beyond the number that a thread may have.
#include "pass_help.h"

namespace raddle::tests {
namespace {

/// A kernel that has `values` values at once, with directives.
std::string wide(const std::string& directives, unsigned values) {
  std::string text = kernel("");
  text.insert(text.find("{"), directives + " ");
  std::string body = ".reg .b32 %v<200>;\n";
  for (unsigned n = 0; n < values; ++n) {
    body += fmt::format("ld.global.u32 %v{}, [%rd1+{}];\n", n, 4 * n);
  }
  for (unsigned n = 0; n < values; ++n) {
    body += fmt::format("st.global.u32 [%rd2+{}], %v{};\n", 4 * n, values - 1 - n);
  }
  text.insert(text.find("  ret;"), body);
  return text;
}

struct Made {
  std::uint32_t registers, local_bytes;
  unsigned local_loads = 0;
};
Made made(const std::string& text, const isa::PassTarget& target = {}) {
  const auto program = after({isa::spills(target), isa::schedule(target)}, text);
  const isa::Function& k = *program->find_kernel("k");
  Made result{k.registers_per_thread, k.local_bytes_per_thread};
  for (std::uint32_t n = k.first; n < k.end; ++n) {
    result.local_loads += (program->code[n].extra & 2) != 0;  // kFrameRelative
  }
  return result;
}

TEST(Spills, WhereADirectiveAsksForFewer) {
  const Made few = made(wide(".maxnreg 32", 60));
  EXPECT_LE(few.registers, 32u);
  EXPECT_GT(few.local_bytes, 100u);
  EXPECT_GT(few.local_loads, 50u);
}

// As what they are, and not as the instruction that they were made for.
TEST(Spills, ArePrintedAsLoadsAndStores) {
  const auto program = after({isa::spills({})}, wide(".maxnreg 32", 60));
  const isa::Function& k = *program->find_kernel("k");
  for (std::uint32_t n = k.first; n < k.end; ++n) {
    const bool local = (program->code[n].extra & 2) != 0;  // kFrameRelative
    EXPECT_EQ(program->info[n].text.find(".local.b32") == 2 &&
                  program->info[n].text.find("[frame+") != std::string::npos,
              local)
        << program->info[n].text;
  }
}

/// A kernel that has `values` values at once, each of them an address that one addition makes of
/// another, which is needed at its end.
std::string addresses(unsigned values) {
  std::string text = kernel("");
  text.insert(text.find("{"), ".maxnreg 32 ");
  std::string body = ".reg .b64 %a<200>;\n.reg .b32 %v<200>;\n";
  for (unsigned n = 0; n < values; ++n) {
    body +=
        fmt::format("add.u64 %a{}, %rd1, {};\nld.global.u32 %v{}, [%a{}];\n", n, 1000 * n, n, n);
    body += fmt::format("st.global.u32 [%rd2], %v{};\n", n);
  }
  for (unsigned n = 0; n < values; ++n) body += fmt::format("st.global.u32 [%a{}], %r1;\n", n);
  text.insert(text.find("  ret;"), body);
  return text;
}

// An addition costs less than a store and a load.
TEST(Spills, MakeAgainWhatOneInstructionMakes) {
  const Made few = made(addresses(40));
  EXPECT_LE(few.registers, 32u);
  EXPECT_EQ(few.local_loads, 0u);
}

TEST(Spills, NotWhereThereIsRoom) {
  const Made all = made(wide("", 60));
  EXPECT_GE(all.registers, 60u);
  EXPECT_EQ(all.local_bytes, 0u);
}

// 65536 registers for 4 blocks of 512 threads: 32 each.
TEST(Spills, SoThatThePromisedBlocksFit) {
  EXPECT_LE(made(wide(".maxntid 512 .minnctapersm 4", 60)).registers, 32u);
  EXPECT_GE(made(wide(".maxntid 512 .minnctapersm 1", 60)).registers, 60u);
}

TEST(Spills, WhereHardwareHasNoMore) {
  isa::PassTarget fermi;
  fermi.registers = 32768;
  fermi.registers_per_thread = 63;
  fermi.register_unit = 64;
  fermi.warp_unit = 2;
  EXPECT_LE(made(wide("", 100), fermi).registers, 63u);
}

/// A loop with several ways back to its beginning, and in it another that uses `hot` values once; the
/// outer uses `cold` ones three times.
std::string nested(unsigned hot, unsigned cold) {
  std::string text = kernel("");
  text.insert(text.find("{"), ".maxnreg 32 ");
  std::string body = ".reg .b32 %hot<40>, %cold<40>, %i<4>;\n.reg .pred %q<4>;\n";
  const auto each = [&](unsigned count, const char* form) {
    for (unsigned n = 0; n < count; ++n) body += fmt::format(fmt::runtime(form), n, 4 * n);
  };
  each(hot, "ld.global.u32 %hot{0}, [%rd1+{1}];\n");
  each(cold, "ld.global.u32 %cold{0}, [%rd2+{1}];\n");
  body += "mov.u32 %i0, 0;\nouter:\nadd.u32 %i0, %i0, 1;\n";
  for (unsigned use = 0; use < 3; ++use) each(cold, "st.global.u32 [%rd1+{1}], %cold{0};\n");
  // As `continue` makes them.
  for (unsigned way = 1; way < 9; ++way) {
    body += fmt::format("setp.eq.u32 %q0, %i0, {};\n@%q0 bra outer;\n", way);
  }
  body += "mov.u32 %i1, 0;\ninner:\n";
  each(hot, "st.global.u32 [%rd2+{1}], %hot{0};\n");
  body += "add.u32 %i1, %i1, 1;\nsetp.lt.u32 %q1, %i1, 9;\n@%q1 bra inner;\n";
  body += "setp.lt.u32 %q2, %i0, 99;\n@%q2 bra outer;\n";
  text.insert(text.find("  ret;"), body);
  return text;
}

// Ways back to the same beginning are one loop, not loops in one another: what the inner loop needs
// stays in registers.
TEST(Spills, TheInnermostLoopLast) {
  const auto program = after({isa::spills({})}, nested(16, 16));
  const isa::Function& k = *program->find_kernel("k");
  ASSERT_GT(k.local_bytes_per_thread, 0u);
  // The inner loop is the shortest that is jumped back over.
  std::uint32_t first = k.first, last = k.end;
  for (std::uint32_t n = k.first; n < k.end; ++n) {
    const isa::Instruction& one = program->code[n];
    if (one.kind != isa::Kind::branch || one.target > n || n - one.target > last - first) continue;
    first = one.target;
    last = n;
  }
  unsigned stores = 0, spills_inside = 0;
  for (std::uint32_t n = first; n < last; ++n) {
    const isa::Instruction& one = program->code[n];
    const bool local = (one.extra & 2) != 0;  // kFrameRelative
    spills_inside += local ? 1 : 0;
    stores += !local && one.kind == isa::Kind::memory ? 1 : 0;
  }
  EXPECT_EQ(stores, 16u);
  EXPECT_EQ(spills_inside, 0u);
}

TEST(PassTarget, RegistersThatDirectivesLeave) {
  const isa::PassTarget volta;
  EXPECT_EQ(volta.allowed(0, 0, 0), 255u);
  EXPECT_EQ(volta.allowed(256, 4, 0), 64u);
  EXPECT_EQ(volta.allowed(1024, 0, 0), 64u);
  EXPECT_EQ(volta.allowed(64, 1, 40), 40u);
  EXPECT_EQ(volta.allowed(1024, 2, 0), 32u);
}

}  // namespace
}  // namespace raddle::tests
