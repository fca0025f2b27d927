// raddle accepts the statements about memory that ptxas accepts, and refuses those that it refuses.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "ptxas.h"
#include "statements.h"
#include "verdicts.h"

namespace raddle::tests {
namespace {

const std::string kFolder = RADDLE_ASSEMBLER_DIR;

KnownDifferences known_differences() { return KnownDifferences(kFolder + "/differences.txt"); }

/// Whether raddle's verdict is right; what is known and not carried out is refused at the launch.
bool agrees(Verdict raddle, Verdict ptxas) {
  return raddle == ptxas || raddle == Verdict::unsupported;
}

/// "ptxas accepts, raddle refuses: ld.foo", at most so many.
class Differences {
 public:
  void compare(const Statement& statement, Verdict ptxas, KnownDifferences& known) {
    const Verdict raddle = ask_raddle(statement);
    if (agrees(raddle, ptxas) || known.knows(statement)) return;
    if (++count_ <= 50) {
      text_ += fmt::format("  {}: {}\n",
                           ptxas == Verdict::accepted ? "only ptxas takes" : "only raddle takes",
                           statement);
    }
  }
  void expect_none() const { EXPECT_EQ(count_, 0u) << text_; }

 private:
  std::size_t count_ = 0;
  std::string text_;
};

TEST(Assembler, TakesWhatPtxasTakesAndNothingElse) {
  const RecordedVerdicts recorded(kFolder + "/verdicts.txt");
  KnownDifferences known = known_differences();
  Differences differences;
  std::size_t missing = 0, all = 0;
  for (const Statement& statement : all_statements()) {
    ++all;
    const auto verdict = recorded.of(statement);
    if (!verdict) {
      if (++missing == 1) ADD_FAILURE() << "no verdict is recorded of: " << statement;
      continue;
    }
    differences.compare(statement, *verdict, known);
  }
  EXPECT_EQ(missing, 0u) << "tests/assembler/record asks ptxas anew";
  EXPECT_EQ(recorded.all().size(), all);
  differences.expect_none();
  for (const std::string& pattern : known.unused()) {
    ADD_FAILURE() << "differences.txt: no generated statement differs as " << pattern;
  }
}

// PTX ISA 9.7.9.8, 9.7.10.3 and others: `_` for results that nobody wants, but not for all.
TEST(Assembler, TakesTheResultsThatPtxasTakes) {
  const RecordedVerdicts recorded(kFolder + "/results.txt");
  KnownDifferences known = known_differences();
  Differences differences;
  for (const Statement& statement : result_statements()) {
    const auto verdict = recorded.of(statement);
    ASSERT_TRUE(verdict) << "no verdict is recorded of: " << statement;
    differences.compare(statement, *verdict, known);
  }
  differences.expect_none();
}

class WithPtxas : public testing::Test {
 protected:
  void SetUp() override {
    ptxas_ = find_ptxas();
    if (ptxas_.empty()) GTEST_SKIP() << "there is no ptxas ($PTXAS)";
  }
  std::string ptxas_;
};

// Other statements than those that are recorded; RADDLE_SEED=N asks about others again.
TEST_F(WithPtxas, AgreesOnRandomStatements) {
  const char* seed = std::getenv("RADDLE_SEED");
  const auto statements =
      random_statements(seed == nullptr ? 1 : std::strtoull(seed, nullptr, 10), 600);
  const auto verdicts = ask_ptxas(ptxas_, statements);
  KnownDifferences known = known_differences();
  Differences differences;
  for (std::size_t n = 0; n < statements.size(); ++n)
    differences.compare(statements[n], verdicts[n], known);
  differences.expect_none();
}

TEST_F(WithPtxas, SaysWhatIsRecorded) {
  const RecordedVerdicts recorded(kFolder + "/verdicts.txt");
  std::vector<Statement> statements;
  std::vector<Verdict> expected;
  // Of what is no PTX, ptxas says other things beside other statements.
  KnownDifferences known = known_differences();
  std::size_t number = 0;
  for (const auto& [statement, verdict] : recorded.all()) {
    if (number++ % 97 != 0 || known.knows(statement)) continue;
    statements.push_back(statement);
    expected.push_back(verdict);
  }
  const auto verdicts = ask_ptxas(ptxas_, statements);
  for (std::size_t n = 0; n < statements.size(); ++n)
    EXPECT_EQ(verdicts[n], expected[n]) << statements[n];
}

}  // namespace
}  // namespace raddle::tests
