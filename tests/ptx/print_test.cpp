// Printing: the printed text parses to the same module.
#include "ptx/print.h"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "parse_help.h"

namespace raddle::ptx {
namespace {

/// Writes down everything of a module but names, which printing may change.
class Shape {
 public:
  explicit Shape(const Module& module) {
    out_ << module.version_major << '.' << module.version_minor << ' ' << module.target << ' '
         << module.address_size << '\n';
    for (const std::string& file : module.files) out_ << file << '\n';
    add(module.variables);
    for (const Function& function : module.functions) add(function);
  }
  std::string text() const { return out_.str(); }

 private:
  void add(const Operand& operand) {
    out_ << ' ' << static_cast<int>(operand.kind) << '/' << static_cast<int>(operand.scope) << '/'
         << operand.negated << '/' << operand.id << '/' << operand.offset << '/' << operand.bits;
    const bool named = operand.kind == Operand::Kind::special || operand.kind == Operand::Kind::reg;
    if (named) out_ << '/' << operand.name;
    out_ << '(';
    for (const Operand& element : operand.elements) add(element);
    out_ << ')';
  }

  void add(const Variable& variable) {
    out_ << static_cast<int>(variable.space) << '/' << name(variable.type) << '/' << variable.vector
         << '/' << variable.size << '/' << variable.alignment << '/'
         << static_cast<int>(variable.linkage) << '/' << variable.managed << '/' << variable.pointer
         << '/' << variable.register_id;
    for (const std::uint64_t extent : variable.dimensions) out_ << '[' << extent << ']';
    for (const Initializer& part : variable.initializer) {
      out_ << ' ' << part.bits << ',' << part.symbol << ',' << static_cast<int>(part.scope) << ','
           << part.generic << ',' << part.addend << ',' << int{part.shift} << ',' << part.mask;
    }
    out_ << '\n';
  }

  void add(const std::vector<Variable>& variables) {
    for (const Variable& variable : variables) add(variable);
  }

  void add(const Function& function) {
    out_ << function.name << ' ' << function.entry << function.defined << function.noreturn << ' '
         << function.maxntid[0] << ' ' << function.reqntid[0] << ' ' << function.minnctapersm << ' '
         << function.alias_of << ' ' << function.nounroll_all << '\n';
    for (const std::uint32_t at : function.nounroll) out_ << at << ' ';
    add(function.returns);
    add(function.parameters);
    add(function.variables);
    for (const Register& reg : function.registers) out_ << name(reg.type) << ' ';
    for (const Label& label : function.labels) {
      out_ << static_cast<int>(label.kind) << '@' << label.instruction << ':' << label.index
           << '\n';
    }
    for (const Prototype& prototype : function.prototypes) {
      add(prototype.returns);
      add(prototype.parameters);
    }
    for (const auto& list : function.target_lists) {
      for (const Operand& target : list) add(target);
    }
    for (const Instruction& instruction : function.instructions) add(instruction);
  }

  void add(const Instruction& instruction) {
    out_ << '\n' << instruction.opcode;
    for (const std::string_view modifier : instruction.modifiers) out_ << '.' << modifier;
    out_ << ' ' << instruction.guard << instruction.guard_negated << " @"
         << instruction.at.source_file << ':' << instruction.at.source_line;
    for (const Operand& operand : instruction.operands) add(operand);
  }

  std::ostringstream out_;
};

std::string shape(const Module& module) { return Shape(module).text(); }

class Sample : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(Sample, SurvivesPrintingAndParsing) {
  std::ifstream file(GetParam());
  std::stringstream text;
  text << file.rdbuf();
  const Module module = parse(GetParam().string(), text.str());
  ASSERT_FALSE(module.functions.empty());
  const Module again = parse("printed.ptx", print(module));
  EXPECT_EQ(shape(again), shape(module));
}

std::vector<std::filesystem::path> samples() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(SAMPLES)) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

INSTANTIATE_TEST_SUITE_P(Corpus, Sample, ::testing::ValuesIn(samples()),
                         [](const auto& info) { return info.param.stem().string(); });

TEST(Print, ShowsAnInstructionUnderDeclaredNames) {
  const Module module = parse_body("@%p1 ld.global.v2.f32 {%v.x, _}, [%rd1+-4];");
  const Function& kernel = module.functions[0];
  EXPECT_EQ(print(module, kernel, kernel.instructions[0]), "ld.global.v2.f32 {%v.x, _}, [%rd1+-4]");
}

TEST(Print, MakesNamesDistinctThatScopesShared) {
  const Module module =
      parse_body("{ .reg .b32 a; L: mov.u32 a, 1; } { .reg .b64 a; L: mov.u64 a, 2; }");
  const std::string text = print(module);
  EXPECT_EQ(shape(parse("printed.ptx", text)), shape(module));
  EXPECT_THAT(text, ::testing::HasSubstr("mov.u32 a, 1;"));
}

}  // namespace
}  // namespace raddle::ptx
