// Runs every behaviour file on the functional machine, a test for each. Those outside arithmetic/
// also run on the timed machine, undisturbed and with blocks preempted at random. A fault is
// reported in the same words by every machine.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "behaviour_file.h"
#include "isa/loader.h"
#include "isa/passes/built_in.h"
#include "machine/chip_config.h"
#include "machine/config.h"
#include "machine/gpu.h"
#include "machine/scheduler/config.h"
#include "memory/address_space.h"
#include "ptx/module.h"
#include "test_passes.h"

namespace raddle::tests {
namespace {

namespace fs = std::filesystem;

struct Case {
  std::string name;
  std::string on;  // the machine: "", "timed", "preempted"
  bool timed() const { return !on.empty(); }
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name << " " << c.on; }

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const auto& entry : fs::recursive_directory_iterator(RADDLE_BEHAVIOUR_DIR)) {
    if (entry.path().extension() != ".ptx") continue;
    const std::string name = fs::relative(entry.path(), RADDLE_BEHAVIOUR_DIR).string();
    cases.push_back({name, ""});
    if (name.starts_with("arithmetic/")) continue;
    cases.push_back({name, "timed"});
    cases.push_back({name, "preempted"});
  }
  std::sort(cases.begin(), cases.end(), [](const Case& a, const Case& b) {
    return std::tie(a.name, a.on) < std::tie(b.name, b.on);
  });
  return cases;
}

std::string test_name(const testing::TestParamInfo<Case>& info) {
  std::string name = info.param.name.substr(0, info.param.name.size() - 4);
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name + (info.param.timed() ? "_" + info.param.on : "");
}

std::string_view fault_name(isa::Fault::Kind kind) {
  using Kind = isa::Fault::Kind;
  switch (kind) {
    case Kind::none:
      return "none";
    case Kind::out_of_bounds:
      return "out_of_bounds";
    case Kind::misaligned:
      return "misaligned";
    case Kind::use_after_free:
      return "use_after_free";
    case Kind::wrong_space:
      return "wrong_space";
    case Kind::read_only:
      return "read_only";
    case Kind::bad_free:
      return "bad_free";
    case Kind::bad_handle:
      return "bad_handle";
    case Kind::unbound_handle:
      return "unbound_handle";
    case Kind::outside_surface:
      return "outside_surface";
    case Kind::refused_function:
      return "refused_function";
    case Kind::null_function:
      return "null_function";
    case Kind::trap:
      return "trap";
    case Kind::assertion:
      return "assertion";
    case Kind::illegal_instruction:
      return "illegal_instruction";
    case Kind::stack_overflow:
      return "stack_overflow";
    case Kind::missing_lanes:
      return "missing_lanes";
    case Kind::exception:
      return "exception";
    case Kind::deadlock:
      return "deadlock";
    case Kind::machine:
      return "machine";
  }
  return "?";
}

class Behaviour : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    file_ =
        read_behaviour(std::string(RADDLE_BEHAVIOUR_DIR) + "/" + GetParam().name, GetParam().name);
    config_ = machine::load_gpu(file_.gpu);
    config_->gpu.functional.set(GetParam().timed() ? "false" : "true");
    if (GetParam().on == "preempted") config_->gpu.preempt_every.set("100");
    if (!file_.divergence.empty()) config_->scheduler.divergence.set(file_.divergence);
    config_->gpu.max_cycles.set("50000000");
    space_ = std::make_unique<memory::AddressSpace>(std::uint64_t{1} << 28);
  }

  /// Launches the file's kernel and lets it run to its end, or to its first fault.
  std::vector<machine::FaultReport> run(machine::Gpu& gpu, const isa::Program& program) {
    const auto kernel = std::find_if(program.functions.begin(), program.functions.end(),
                                     [](const isa::Function& f) { return f.entry; });
    machine::Launch launch;
    launch.program = &program;
    launch.kernel = &*kernel;
    launch.grid = file_.grid;
    launch.block = file_.block;
    launch.dynamic_shared_bytes = file_.shared;
    launch.cooperative = file_.cooperative;
    launch.parameters = pass_arguments(*kernel);
    EXPECT_EQ(gpu.launch_error(launch).text, "");
    gpu.launch(std::move(launch), 0);
    std::vector<machine::FaultReport> faults;
    while (!gpu.idle() && (faults.empty() || config_->gpu.keep_going)) {
      gpu.advance(kNever);
      for (machine::FaultReport& fault : gpu.take_faults()) faults.push_back(std::move(fault));
    }
    return faults;
  }

  void expect_load_error() {
    try {
      const auto module = ptx::parse(file_.name, file_.text);
      isa::load_program(std::span(&module, 1), *space_);
      FAIL() << "loaded, though it should fail with: " << file_.error;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(file_.error), std::string::npos) << error.what();
    }
  }

  void expect_launch_error() {
    const auto module = ptx::parse(file_.name, file_.text);
    const auto program = isa::load_program(std::span(&module, 1), *space_);
    machine::Gpu gpu(*config_, *space_);
    machine::Launch launch;
    launch.program = program.get();
    launch.kernel = program->find_kernel("test");
    launch.grid = file_.grid;
    launch.block = file_.block;
    const machine::LaunchError error = gpu.launch_error(launch);
    EXPECT_EQ(error.kind, machine::LaunchError::Kind::unsupported);
    EXPECT_NE(error.text.find(file_.refused), std::string::npos) << error.text;
  }

  std::vector<std::byte> pass_arguments(const isa::Function& kernel) {
    std::vector<std::byte> bytes(kernel.parameter_bytes);
    for (std::size_t n = 0; n < file_.arguments.size(); ++n) {
      const Argument& argument = file_.arguments[n];
      const isa::Parameter& parameter = kernel.parameters.at(n);
      if (argument.kind == Argument::Kind::value) {
        std::memcpy(&bytes[parameter.offset], argument.initial.data(),
                    std::min<std::size_t>(argument.initial.size(), parameter.size));
        addresses_.push_back(0);
        continue;
      }
      const Address at = space_->allocate(argument.initial.size(), memory::Kind::device,
                                          "argument " + std::to_string(n));
      if (!argument.initial.empty()) {
        std::memcpy(space_->values(at, argument.initial.size()), argument.initial.data(),
                    argument.initial.size());
      }
      std::memcpy(&bytes[parameter.offset], &at, 8);
      addresses_.push_back(at);
    }
    return bytes;
  }

  void check_results() {
    for (std::size_t n = 0; n < file_.arguments.size(); ++n) {
      const Argument& argument = file_.arguments[n];
      const unsigned size = bytes_of(argument.type);
      for (std::size_t e = 0; e < argument.expected.size(); ++e) {
        const std::byte* actual = space_->values(addresses_[n] + e * size, size);
        ASSERT_NE(actual, nullptr);
        EXPECT_TRUE(agrees(argument.type, argument.expected[e], actual))
            << "argument " << n << ", element " << e << ": expected " << argument.expected[e].text
            << ", got " << show(argument.type, actual);
      }
    }
  }

  void expect_as_specified(const isa::Loader& loader) {
    const auto module = ptx::parse(file_.name, file_.text);
    const auto program = loader.load(std::span(&module, 1), *space_);
    machine::Gpu gpu(*config_, *space_);
    const std::vector<machine::FaultReport> faults = run(gpu, *program);
    if (!file_.fault.empty()) {
      ASSERT_FALSE(faults.empty()) << "no fault, though there should be one: " << file_.fault;
      EXPECT_EQ(fault_name(faults[0].kind), file_.fault) << faults[0].text;
      EXPECT_NE(faults[0].text.find(file_.says), std::string::npos) << faults[0].text;
      return;
    }
    ASSERT_TRUE(faults.empty()) << faults[0].text;
    check_results();
    EXPECT_EQ(gpu.take_printed(), file_.prints);
  }

  BehaviourFile file_;
  std::unique_ptr<machine::GpuConfig> config_;
  std::unique_ptr<memory::AddressSpace> space_;
  std::vector<Address> addresses_;
};

TEST_P(Behaviour, AsSpecified) {
  if (GetParam().on == "preempted" && file_.fault == "deadlock") {
    GTEST_SKIP() << "lanes spin for millions of instructions until that is certain";
  }
  if (!file_.error.empty()) return expect_load_error();
  if (!file_.refused.empty()) return expect_launch_error();
  expect_as_specified(isa::Loader());
}

INSTANTIATE_TEST_SUITE_P(Files, Behaviour, testing::ValuesIn(all_cases()), test_name);

/// Programs that are loaded, once each: passes have nothing to do with time.
std::vector<Case> functional_cases() {
  std::vector<Case> cases;
  for (const Case& c : all_cases()) {
    if (!c.timed()) cases.push_back(c);
  }
  return cases;
}

/// Whose instructions passes may use, too.
isa::PassTarget volta() {
  isa::PassTarget target;
  target.compute_major = 7;
  return target;
}

class AfterPasses : public Behaviour {
 protected:
  void SetUp() override {
    Behaviour::SetUp();
    if (!file_.runs()) GTEST_SKIP() << "it is refused";
  }
};

TEST_P(AfterPasses, BuiltInOneByOne) {
  for (const auto& pass : isa::built_in_passes(volta())) {
    SCOPED_TRACE(pass->name());
    SetUp();
    addresses_.clear();
    isa::Loader loader;
    loader.add(pass);
    expect_as_specified(loader);
  }
}

TEST_P(AfterPasses, BuiltInTogether) {
  isa::Loader loader;
  for (const auto& pass : isa::built_in_passes(volta())) loader.add(pass);
  expect_as_specified(loader);
}

TEST_P(AfterPasses, ThatMoveAndCut) {
  isa::Loader loader;
  loader.add(swap_neighbours());
  loader.add(cut_blocks());
  loader.add(swap_neighbours());
  loader.add(isa::dead_code_elimination());
  expect_as_specified(loader);
}

TEST_P(AfterPasses, ThatMergeTheSidesOfBranches) {
  unsigned merged = 0;
  isa::Loader loader;
  loader.add(merge_sides(merged));
  expect_as_specified(loader);
}

// Of the sides add, shl, xor and shl, add, xor.
TEST(MergeSides, FindsTheLongestCommonSubsequence) {
  const ptx::Module module = ptx::parse("sides.ptx", R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry sides() {
  .reg .b32 %r<8>; .reg .pred %p<2>;
  mov.u32 %r1, %tid.x;
  setp.lt.u32 %p1, %r1, 3;
  @%p1 bra LOW;
  add.u32 %r2, %r1, 10;
  shl.b32 %r3, %r2, 1;
  xor.b32 %r4, %r3, %r1;
  bra JOIN;
LOW:
  shl.b32 %r3, %r1, 2;
  add.u32 %r2, %r3, 20;
  xor.b32 %r4, %r2, %r1;
JOIN:
  ret;
})");
  unsigned merged = 0;
  isa::Loader loader;
  loader.add(merge_sides(merged));
  memory::AddressSpace space(std::uint64_t{1} << 26);
  loader.load(std::span(&module, 1), space);
  EXPECT_EQ(merged, 2u);  // one of them, and xor
}

INSTANTIATE_TEST_SUITE_P(Files, AfterPasses, testing::ValuesIn(functional_cases()), test_name);

std::vector<Case> faulting_cases() {
  std::vector<Case> cases;
  for (const Case& c : all_cases()) {
    const auto file = read_behaviour(std::string(RADDLE_BEHAVIOUR_DIR) + "/" + c.name, c.name);
    if (c.on == "timed" && !file.fault.empty() && file.runs()) cases.push_back(c);
  }
  return cases;
}

/// How a program may be run; what it did wrong does not depend on it.
struct Way {
  const char* functional;
  const char* threads;
};
constexpr Way kWays[] = {{"true", "1"}, {"false", "1"}, {"false", "2"}, {"false", "3"}};

class FaultReports : public Behaviour {
 protected:
  /// The texts of all faults, one after the other.
  std::string texts(const Way& way, const char* keep_going) {
    config_->gpu.functional.set(way.functional);
    config_->gpu.threads.set(way.threads);
    config_->gpu.keep_going.set(keep_going);
    space_ = std::make_unique<memory::AddressSpace>(std::uint64_t{1} << 28);
    const auto module = ptx::parse(file_.name, file_.text);
    const auto program = isa::load_program(std::span(&module, 1), *space_);
    machine::Gpu gpu(*config_, *space_);
    std::string all;
    for (const machine::FaultReport& fault : run(gpu, *program)) all += fault.text + "\n";
    return all;
  }
};

TEST_P(FaultReports, AreTheSameInEveryWayOfRunning) {
  // Who waits where is told differently by a machine that has multiprocessors.
  if (file_.fault == "deadlock") GTEST_SKIP();
  for (const char* keep_going : {"false", "true"}) {
    const std::string expected = texts(kWays[0], keep_going);
    EXPECT_NE(expected, "");
    for (const Way& way : kWays) {
      EXPECT_EQ(texts(way, keep_going), expected)
          << "functional: " << way.functional << ", threads: " << way.threads
          << ", keep_going: " << keep_going;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Files, FaultReports, testing::ValuesIn(faulting_cases()), test_name);

}  // namespace
}  // namespace raddle::tests
