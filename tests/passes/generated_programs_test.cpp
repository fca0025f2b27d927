// Generated programs compute the same after all passes, one by one and together. Control flow is
// compared with an interpreter without warps; memory and exchanges with the original program.
#include "../machine/control_flow/random_program.h"

#include <bit>

#include "../machine/generated_kernel.h"
#include "../machine/kernels.h"
#include "isa/passes/built_in.h"

namespace raddle::machine {
namespace {

using test::GeneratedKernel;
using test::Machine;
using test::RandomProgram;

/// Every pass on, or one alone, or none ("").
std::vector<std::pair<std::string, const char*>> settings(const std::string& on) {
  std::vector<std::pair<std::string, const char*>> made;
  for (const auto& pass : isa::built_in_passes()) {
    made.emplace_back(std::string("passes.") + pass->name(),
                      on == "all" || on == pass->name() ? "true" : "false");
  }
  return made;
}

std::unique_ptr<Machine> machine(const std::string& text, const std::string& on,
                                 const char* functional) {
  const auto passes = settings(on);
  test::Settings all = {{"gpu.sms", "1"},
                        {"gpu.compute_major", "7"},
                        {"scheduler.divergence", "independent"},
                        {"gpu.functional", functional}};
  for (const auto& [path, value] : passes) all.emplace_back(path.c_str(), value);
  return std::make_unique<Machine>(text.c_str(), all);
}

std::vector<std::uint32_t> run(Machine& machine, const char* kernel, std::uint32_t blocks,
                               std::uint32_t threads, std::uint32_t values) {
  machine.launch(kernel, blocks, threads);
  machine.run();
  for (const FaultReport& fault : machine.gpu().take_faults()) ADD_FAILURE() << fault.text;
  std::vector<std::uint32_t> found;
  for (std::uint32_t n = 0; n < values; ++n) found.push_back(machine.out(n));
  return found;
}

TEST(GeneratedPrograms, ControlFlow) {
  for (std::uint32_t seed = 10001; seed <= 10400; ++seed) {
    const std::uint32_t threads = seed % 2 == 0 ? 64 : 40;
    const RandomProgram program(seed, threads);
    const auto with = machine(program.ptx(), "all", seed % 8 == 0 ? "false" : "true");
    ASSERT_EQ(run(*with, "kernel", 1, threads, threads), program.results())
        << "seed " << seed << "\n"
        << program.ptx();
  }
}

TEST(GeneratedPrograms, ControlFlowAfterEachPassAlone) {
  for (const auto& pass : isa::built_in_passes()) {
    for (std::uint32_t seed = 20001; seed <= 20030; ++seed) {
      const RandomProgram program(seed, 40);
      const auto with = machine(program.ptx(), pass->name(), "true");
      EXPECT_EQ(run(*with, "kernel", 1, 40, 40), program.results())
          << pass->name() << ", seed " << seed << "\n"
          << program.ptx();
      if (HasFailure()) break;
    }
  }
}

TEST(GeneratedPrograms, MemoryAndExchanges) {
  constexpr std::uint32_t kBlocks = 3, kThreads = 64, kValues = 16 + kBlocks * kThreads;
  for (unsigned seed = 1; seed <= 120; ++seed) {
    const std::string text = GeneratedKernel(seed, kThreads).text();
    const auto plain = machine(text, "", "true");
    const auto expected = run(*plain, "generated", kBlocks, kThreads, kValues);
    const auto with = machine(text, "all", seed % 4 == 0 ? "false" : "true");
    ASSERT_EQ(run(*with, "generated", kBlocks, kThreads, kValues), expected)
        << "seed " << seed << "\n"
        << text;
  }
}

// With so few registers that values go to local memory all the time.
TEST(GeneratedPrograms, FewRegisters) {
  constexpr std::uint32_t kBlocks = 2, kThreads = 64, kValues = 16 + kBlocks * kThreads;
  for (unsigned seed = 3001; seed <= 3050; ++seed) {
    const std::string text = GeneratedKernel(seed, kThreads).text();
    std::string few = text;
    few.insert(few.find("{\n  .shared"), ".maxnreg 16 ");
    const auto plain = machine(text, "", "true"), with = machine(few, "all", "true");
    ASSERT_EQ(run(*with, "generated", kBlocks, kThreads, kValues),
              run(*plain, "generated", kBlocks, kThreads, kValues))
        << "seed " << seed << "\n"
        << few;
  }
}

/// The kernel with values that it needs again at its end, whatever ways it takes, and that are written
/// anew on many of them.
std::string with_values(const std::string& text, unsigned values) {
  const std::size_t entry = text.find(".visible .entry kernel");
  std::string kernel = text.substr(entry), made = "\n  .reg .u32 %keep<99>;\n", used;
  for (unsigned n = 0; n < values; ++n) {
    made += fmt::format("  mad.lo.u32 %keep{0}, %r1, {1}, {0};\n", n, 2 * n + 77);
    if (n % 2 != 0) made += fmt::format("  popc.b32 %keep{0}, %keep{0};\n", n);
    used += fmt::format("  mad.lo.u32 %keep98, %r1, {1}, {0};\n", n, 2 * n + 77);
    if (n % 2 != 0) used += "  popc.b32 %keep98, %keep98;\n";
    used += fmt::format("  sub.u32 %keep98, %keep98, %keep{0}; add.u32 %r0, %r0, %keep98;\n", n);
  }
  unsigned next = 0;
  for (std::size_t at = 0; (at = kernel.find("1664525", at)) != std::string::npos;) {
    at = kernel.find('\n', at);
    const std::string more = fmt::format(
        "\n  add.u32 %keep{0}, %keep{0}, %r0; sub.u32 %keep{0}, %keep{0}, %r0;", next++ % values);
    kernel.insert(at, more);
    at += more.size();
  }
  const std::string begin = "2654435761;";
  kernel.insert(kernel.find(begin) + begin.size(), made);
  const std::string finish = "FINISH:\n";
  kernel.insert(kernel.find(finish) + finish.size(), used);
  kernel.insert(kernel.find("{"), ".maxnreg 20 ");
  return text.substr(0, entry) + kernel;
}

// Control flow of all kinds, so that values leave and come back on the ways between blocks.
TEST(GeneratedPrograms, ControlFlowWithFewRegisters) {
  unsigned spilled = 0;
  for (std::uint32_t seed = 30001; seed <= 30080; ++seed) {
    const std::uint32_t threads = seed % 2 == 0 ? 64 : 40;
    const RandomProgram program(seed, threads);
    const std::string few = with_values(program.ptx(), 24);
    const auto with = machine(few, "all", seed % 8 == 0 ? "false" : "true");
    spilled += with->program().find_kernel("kernel")->local_bytes_per_thread != 0 ? 1 : 0;
    ASSERT_EQ(run(*with, "kernel", 1, threads, threads), program.results())
        << "seed " << seed << "\n"
        << few;
  }
  EXPECT_GT(spilled, 60u);
}

// The condition lies behind the body, as compilers lay loops: the block that is jumped back to is not
// the one that is entered first.
TEST(GeneratedPrograms, ALoopThatIsEnteredInItsMiddleWithFewRegisters) {
  constexpr std::uint32_t kThreads = 64;
  constexpr unsigned kValues = 30;
  std::string made, added;
  for (unsigned n = 0; n < kValues; ++n) {
    made += fmt::format(
        "  mad.lo.u32 %k{0}, %r1, {1}, {0}; popc.b32 %k{0}, %k{0}; mad.lo.u32 %k{0}, %k{0}, 3, "
        "{0};\n",
        n, 2 * n + 77);
    added += fmt::format("  add.u32 %r2, %r2, %k{};\n", n);
  }
  const std::string text =
      ".visible .entry kernel(.param .u64 in, .param .u64 out) .maxnreg 20 {\n"
      "  .reg .b32 %r<8>; .reg .b32 %k<99>; .reg .b64 %rd<4>; .reg .pred %p;\n"
      "  mov.u32 %r1, %tid.x;\n" +
      made +
      "  and.b32 %r3, %r1, 3; mov.u32 %r2, 0;\n"
      "  bra CONDITION;\n"
      "BODY:\n" +
      added +
      "  sub.u32 %r3, %r3, 1;\n"
      "CONDITION:\n"
      "  setp.ne.u32 %p, %r3, 0;\n"
      "  @%p bra BODY;\n" +
      added +
      "  ld.param.u64 %rd1, [out]; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2;\n"
      "  st.global.u32 [%rd1], %r2;\n"
      "  ret;\n}\n";
  std::vector<std::uint32_t> expected;
  for (std::uint32_t thread = 0; thread < kThreads; ++thread) {
    std::uint32_t sum = 0;
    for (unsigned n = 0; n < kValues; ++n) {
      sum += 3 * static_cast<std::uint32_t>(std::popcount(thread * (2 * n + 77) + n)) + n;
    }
    expected.push_back(sum * (1 + thread % 4));
  }
  const auto with = machine(text, "all", "true");
  EXPECT_NE(with->program().find_kernel("kernel")->local_bytes_per_thread, 0u);
  EXPECT_EQ(run(*with, "kernel", 1, kThreads, kThreads), expected);
}

TEST(GeneratedPrograms, EachPassAlone) {
  constexpr std::uint32_t kBlocks = 2, kThreads = 64, kValues = 16 + kBlocks * kThreads;
  for (const auto& pass : isa::built_in_passes()) {
    for (unsigned seed = 1001; seed <= 1020; ++seed) {
      const std::string text = GeneratedKernel(seed, kThreads).text();
      const auto plain = machine(text, "", "true"), with = machine(text, pass->name(), "true");
      ASSERT_EQ(run(*with, "generated", kBlocks, kThreads, kValues),
                run(*plain, "generated", kBlocks, kThreads, kValues))
          << pass->name() << ", seed " << seed << "\n"
          << text;
    }
  }
}

}  // namespace
}  // namespace raddle::machine
