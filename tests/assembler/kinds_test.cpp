// raddle takes the operands that ptxas takes, in every place of every instruction, and no others.
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

/// Differences by the operand that is in place of another: how many, and some of them.
/// RADDLE_DIFFERENCES=FILE lists all.
class KindDifferences {
 public:
  KindDifferences() {
    if (const char* path = std::getenv("RADDLE_DIFFERENCES")) all_.open(path);
  }
  void compare(const Statement& statement, std::string_view operand, bool taken) {
    const Verdict raddle = ask_raddle(statement);
    if (raddle == Verdict::unsupported || (raddle == Verdict::accepted) == taken) return;
    const std::string who = taken ? "only ptxas takes" : "only raddle takes";
    if (all_.is_open()) all_ << who << '\t' << operand << '\t' << statement << '\n';
    if (known_.knows(statement)) return;
    Some& some = by_kind_[fmt::format("{} '{}'", who, operand)];
    if (++some.count <= 3) some.text += "    " + statement + "\n";
  }
  void expect_none() const {
    for (const auto& [kind, some] : by_kind_)
      ADD_FAILURE() << kind << " in " << some.count << " statements:\n" << some.text;
    for (const std::string& pattern : known_.unused())
      ADD_FAILURE() << "kind_differences.txt: nothing differs as " << pattern;
  }

 private:
  struct Some {
    std::size_t count = 0;
    std::string text;
  };
  std::map<std::string, Some> by_kind_;
  KnownDifferences known_{kKindsFolder + "/kind_differences.txt"};
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
  differences.expect_none();
}

}  // namespace
}  // namespace raddle::tests
