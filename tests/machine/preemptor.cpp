#include "preemptor.h"

#include <gtest/gtest.h>

#include <map>

namespace raddle::machine {
namespace test {

std::vector<Departure> answers;
std::vector<Cycle> left_at, restored_at;
StatePath state = StatePath::l2;
bool drop = false;

}  // namespace test

namespace {

using test::answers;
using test::drop;
using test::left_at;
using test::restored_at;
using test::state;

struct PreemptorConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  Field<std::uint64_t> at{*this, "at", kNever, "SM cycles", {}, "when it begins"};
  Field<std::uint64_t> every{*this, "every", kNever, "SM cycles", {}, "between two attempts"};
  Field<std::uint64_t> grid{*this, "grid", 1, "", {}, "whose block is preempted"};
  Field<std::uint64_t> block{*this, "block", 0, "", {}, "its number"};
};

struct Preemptor : Mechanism {
  Preemptor(const PreemptorConfig& preemptor, LaunchPath& launch_path)
      : config(preemptor), path(launch_path), next(preemptor.at) {
    answers.clear();
    left_at.clear();
    restored_at.clear();
  }
  bool counts_blocks() const override { return drop; }
  Cycle wake() const override { return next; }
  void cycle() override {
    next = config.every == kNever ? kNever : path.now() + config.every;
    answers.push_back(
        path.request(config.grid, config.block,
                     {.insistence = Insistence::at_once,
                      .state = state,
                      .drop = drop,
                      .left = [this](const PlacedBlock&) { left_at.push_back(path.now()); },
                      .restored =
                          [this](const PlacedBlock& block) {
                            EXPECT_FALSE(block.restoring);
                            restored_at.push_back(path.now());
                          }}));
    if (answers.back() == Departure::not_here && !left_at.empty()) next = path.now() + 1;
  }
  const PreemptorConfig& config;
  LaunchPath& path;
  Cycle next;
};

}  // namespace

const std::vector<MechanismKind>& mechanism_kinds() {
  static const std::vector<MechanismKind> kinds = [] {
    MechanismKind kind;
    kind.name = "preemptor";
    kind.make_config = [](ConfigGroup& root) -> std::unique_ptr<ConfigGroup> {
      return std::make_unique<PreemptorConfig>(root, "preemptor");
    };
    kind.attach = [](const ConfigGroup& config, LaunchPath& path) -> std::unique_ptr<Mechanism> {
      return std::make_unique<Preemptor>(static_cast<const PreemptorConfig&>(config), path);
    };
    return std::vector<MechanismKind>{kind};
  }();
  return kinds;
}

namespace test {

std::uint64_t of_preemption(Machine& machine, const char* counter) {
  return total(machine.gpu().statistics(), "preemption", counter);
}

Settings preempting(const std::string& at, const char* number) {
  static std::map<std::string, std::string> kept;  // settings are not owned
  return {{"gpu.mechanisms", "preemptor"},
          {"preemptor.at", (kept[at] = at).c_str()},
          {"preemptor.block", number}};
}

std::string body(const std::string& text) {
  return ".visible .func (.param .b32 r) inc(.param .b32 a) { .reg .b32 %r<4>; ld.param.u32 %r1, "
         "[a]; mul.lo.u32 %r1, %r1, 3; add.u32 %r1, %r1, 1; st.param.b32 [r], %r1; ret; }\n"
         ".visible .entry kernel(.param .u64 in, .param .u64 out) {\n"
         ".shared .align 4 .b8 tile[1024]; .local .align 4 .b8 array[64];\n"
         ".reg .b32 %r<40>; .reg .b64 %rd<8>; .reg .pred %p<4>;\n"
         "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r1, %tid.x;\n"
         "mul.wide.u32 %rd3, %r1, 4; add.u64 %rd4, %rd1, %rd3; add.u64 %rd5, %rd2, %rd3;\n"
         "mov.u32 %r2, 0; mov.u32 %r20, tile; shl.b32 %r21, %r1, 2; add.u32 %r21, %r20, %r21;\n"
         "mov.u32 %r22, array;\n" +
         text + "\nst.global.u32 [%rd5], %r2; ret; }\n";
}

Result run(const std::string& kernels, const char* kernel, unsigned blocks, unsigned threads,
           const Settings& settings, std::uint64_t* left) {
  Machine machine(kernels.c_str(), settings);
  for (std::uint32_t i = 0; i < 4096; ++i) machine.out(i) = 0;
  machine.launch(kernel, blocks, threads);
  machine.run();
  EXPECT_EQ(machine.gpu().take_faults().size(), 0u);
  Result result;
  for (std::uint32_t i = 0; i < 4096; ++i) result.out.push_back(machine.out(i));
  result.cycles = machine.gpu().now();
  if (left != nullptr) *left += of_preemption(machine, "left");
  EXPECT_EQ(of_preemption(machine, "left"), of_preemption(machine, "returned"));
  EXPECT_EQ(of_preemption(machine, "requests"), of_preemption(machine, "replies"));
  return result;
}

}  // namespace test
}  // namespace raddle::machine
