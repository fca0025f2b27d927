// Generated programs compute the same after all passes, one by one and together: control flow
// against an interpreter that knows nothing of warps, memory and exchanges against the program as it
// was written.
#include "../machine/control_flow/random_program.h"

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
  for (std::uint32_t seed = 10001; seed <= 10800; ++seed) {
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
    for (std::uint32_t seed = 20001; seed <= 20050; ++seed) {
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
  for (unsigned seed = 1; seed <= 200; ++seed) {
    const std::string text = GeneratedKernel(seed, kThreads).text();
    const auto plain = machine(text, "", "true");
    const auto expected = run(*plain, "generated", kBlocks, kThreads, kValues);
    const auto with = machine(text, "all", seed % 4 == 0 ? "false" : "true");
    ASSERT_EQ(run(*with, "generated", kBlocks, kThreads, kValues), expected)
        << "seed " << seed << "\n"
        << text;
  }
}

TEST(GeneratedPrograms, EachPassAlone) {
  constexpr std::uint32_t kBlocks = 2, kThreads = 64, kValues = 16 + kBlocks * kThreads;
  for (const auto& pass : isa::built_in_passes()) {
    for (unsigned seed = 1001; seed <= 1030; ++seed) {
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
