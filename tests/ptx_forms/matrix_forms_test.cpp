// Every wmma and mma, with the loads and stores of fragments, on whole numbers.
#include "matrix_forms.h"

#include <gtest/gtest.h>

#include <cstring>

#include "run_ptx.h"

namespace raddle::tests {
namespace {

void check(const std::vector<MatrixProgram>& programs) {
  PtxMachine machine(false);
  for (const MatrixProgram& program : programs) {
    const Address in = machine.allocate(program.in.size()),
                  out = machine.allocate(program.out.size());
    std::memcpy(machine.values<std::uint8_t>(in, program.in.size()), program.in.data(),
                program.in.size());
    ASSERT_EQ(machine.run(program.text, {in, out}), "") << program.text;
    const auto* found = machine.values<std::uint8_t>(out, program.out.size());
    EXPECT_EQ(std::memcmp(found, program.out.data(), program.out.size()), 0) << program.name;
  }
}

TEST(MatrixForms, WmmaMultipliesWhatItLoads) {
  isa::Matcher matcher;
  const auto programs = wmma_programs(matcher);
  EXPECT_GT(programs.size(), 500u);
  check(programs);
}

TEST(MatrixForms, MmaMultipliesItsFragments) {
  isa::Matcher matcher;
  const auto programs = mma_programs(matcher);
  EXPECT_GT(programs.size(), 150u);
  check(programs);
}

}  // namespace
}  // namespace raddle::tests
