// raddle accepts exactly the operands that ptxas accepts, in every place of every instruction.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "operand_kinds.h"
#include "plain_statements.h"
#include "ptxas.h"
#include "verdicts.h"

namespace raddle::tests {
namespace {

const std::string kKindsFolder = RADDLE_ASSEMBLER_DIR;

/// How often raddle and ptxas differ, by who takes it, opcode and operand; kind_differences.txt has
/// what is known, a line "ptxas mma: %tid.x 80". RADDLE_DIFFERENCES=FILE lists all statements.
class KindDifferences {
 public:
  KindDifferences() {
    if (const char* path = std::getenv("RADDLE_DIFFERENCES")) all_.open(path);
  }
  void compare(const Statement& statement, std::string_view operand, bool taken) {
    const Verdict raddle = ask_raddle(statement);
    if (raddle == Verdict::unsupported || (raddle == Verdict::accepted) == taken) return;
    const std::string opcode = statement.substr(0, statement.find_first_of(". "));
    const std::string kind = fmt::format("{} {}: {}", taken ? "ptxas" : "raddle", opcode,
                                         operand.empty() ? "the whole" : operand);
    if (all_.is_open()) all_ << kind << '\t' << statement << '\n';
    Found& found = found_[kind];
    if (++found.count <= 3) found.text += "    " + statement + "\n";
  }
  void expect_known() {
    std::ifstream file(kKindsFolder + "/kind_differences.txt");
    for (std::string line; std::getline(file, line);) {
      if (line.empty() || line[0] == '#') continue;
      const auto space = line.rfind(' ');
      found_[line.substr(0, space)].known = std::stoul(line.substr(space));
    }
    for (const auto& [kind, found] : found_) {
      EXPECT_EQ(found.count, found.known) << "taken by only one of both, " << kind << '\n'
                                          << found.text;
    }
  }

 private:
  struct Found {
    std::size_t count = 0, known = 0;
    std::string text;
  };
  std::map<std::string, Found> found_;
  std::ofstream all_;
};

TEST(Assembler, TakesTheOperandsThatPtxasTakes) {
  const auto recorded = read_kinds(kKindsFolder + "/kinds.txt");
  const auto statements = plain_statements();
  EXPECT_EQ(recorded.size(), statements.size()) << "tests/assembler/record asks ptxas anew";
  KindDifferences differences;
  for (const auto& [statement, varied] : statements) {
    const auto found = recorded.find(statement);
    ASSERT_TRUE(found != recorded.end()) << "nothing is recorded of: " << statement;
    const TakenKinds& kinds = found->second;
    differences.compare(statement, "", kinds.whole);
    if (!kinds.whole || !varied) continue;
    const auto places = operand_places(statement);
    ASSERT_EQ(places.size(), kinds.places.size()) << statement;
    for (std::size_t n = 0; n < places.size(); ++n) {
      for (const OperandKind& kind : kinds_in(places[n])) {
        const bool taken = kinds.places[n].find(kind.sign) != std::string::npos;
        differences.compare(replaced(statement, places[n], kind), kind.text, taken);
      }
    }
  }
  differences.expect_known();
}

}  // namespace
}  // namespace raddle::tests
