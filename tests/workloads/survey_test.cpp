// Formulas, the equations of survey propagation, local search.
#include <gmock/gmock-matchers.h>

#include "message_of.h"
#include "worklist_sp/formula.h"
#include "worklist_sp/reference.h"
#include "worklist_sp/walksat.h"

namespace raddle::workloads::sp {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Formulas, CnfFile) {
  const Formula formula = read_cnf("f", "c x\np cnf 4 3\n1 -2 0\n 3\n-4 1 1 0 2 -2 0\n%\n0\n");
  EXPECT_EQ(formula.num_variables, 4u);
  EXPECT_THAT(formula.clause_begin, ElementsAre(0, 2, 5));  // the last one is always true
  EXPECT_THAT(formula.literals, ElementsAre(0, 3, 0, 4, 7));
  EXPECT_THAT(formula.variable_begin, ElementsAre(0, 2, 3, 4, 5));
  EXPECT_EQ(count_unsatisfied(formula, {0, 0, 0, 0}), 0u);
  EXPECT_EQ(count_unsatisfied(formula, {0, 1, 0, 1}), 2u);
}

TEST(Formulas, ErrorsSayWhere) {
  EXPECT_THAT(message_of([] { read_cnf("f", "p sat 1 1\n"); }), HasSubstr("f:1:3:"));
  EXPECT_THAT(message_of([] { read_cnf("f", "p cnf 2 1\n1 -3 0\n"); }), HasSubstr("f:2:3:"));
  EXPECT_THAT(message_of([] { read_cnf("f", "p cnf 2 1\n0\n"); }), HasSubstr("f:2:1:"));
  EXPECT_THAT(message_of([] { read_cnf("f", "p cnf 2 2\n1 2 0\n"); }), HasSubstr("clause 2 of 2"));
  EXPECT_THAT(message_of([] { read_cnf("f", "p cnf 2 1\n1 2\n"); }), HasSubstr("clause 1 of 1"));
  EXPECT_THAT(message_of([] { read_cnf("f", "p cnf 2 1\n1 0 2 0\n"); }), HasSubstr("f:2:5:"));
}

TEST(Formulas, RandomClausesHaveThreeVariables) {
  const Formula formula = random_formula(50, 210, 3);
  EXPECT_EQ(formula.num_clauses(), 210u);
  EXPECT_EQ(formula.num_edges(), 630u);
  EXPECT_EQ(formula.variable_edges.size(), 630u);
}

// (x) (not x or y): the first warns x for certain; x then cannot satisfy the second, which warns y;
// y has no other clause, so that the second does not warn x.
TEST(Surveys, ACertainWarningIsPassedOn) {
  const Formula formula = read_cnf("f", "p cnf 2 2\n1 0\n-1 2 0\n");
  const std::vector<int> open = {-1, -1};
  const Reference reference(formula, open);
  std::vector<float> surveys = {0.5, 0.5, 0.5};
  for (int round = 0; round < 3; ++round) {
    const std::vector<double> updated = reference.update(surveys);
    surveys.assign(updated.begin(), updated.end());
  }
  EXPECT_THAT(surveys, ElementsAre(1, 0, 1));
  EXPECT_THAT(reference.biases(surveys), ElementsAre(1, 1));
}

// Variable y of clause (x or y) is warned with 1/2 by each of (y or ..) and (not y or ..). That it
// must be false and is not warned to be true: (1 - 1/2) 1/2 = 1/4; the opposite 1/4; neither 1/4.
TEST(Surveys, AContradictionCountsForNothing) {
  Products<double> y;
  y.sign[0].multiply(0.25);  // the clause's own survey
  y.sign[0].multiply(0.5);
  y.sign[1].multiply(0.5);
  EXPECT_DOUBLE_EQ(unable(y, 0, 0.25), (0.5 * 0.5) / (0.25 + 0.25 + 0.25));
}

TEST(Surveys, CertainWarningsCanBeTakenOut) {
  Product<float> product;
  product.multiply(1);
  product.multiply(0.5);
  EXPECT_EQ(product.value(), 0);
  EXPECT_EQ(product.without(1), 0.5F);
  EXPECT_EQ(product.without(0.5), 0);
  product.multiply(1);
  EXPECT_EQ(product.without(1), 0);
}

// Of two variables, the first is warned to be true with 1/2 and to be false with 1/2 of what is left:
// 1/4 each, of 3/4; the second is not warned. The third is assigned.
TEST(Surveys, MeanWarning) {
  const Formula formula = read_cnf("f", "p cnf 3 3\n1 2 0\n-1 2 0\n-3 2 0\n");
  const std::vector<int> values = {-1, -1, 0};
  EXPECT_DOUBLE_EQ(Reference(formula, values).mean_warning({0.5, 0, 0.5, 0, 0, 0}), 1.0 / 6);
}

TEST(Surveys, AssignedVariablesAreLeftOut) {
  const Formula formula = read_cnf("f", "p cnf 3 2\n1 2 0\n-2 3 0\n");
  const std::vector<int> values = {-1, 1, -1};  // satisfies the first; the second warns x3
  const Reference reference(formula, values);
  EXPECT_FALSE(reference.is_open(0));
  EXPECT_FALSE(reference.is_open(2));
  EXPECT_EQ(reference.update({0.5, 0.5, 0.5, 0.5})[3], 1);
  EXPECT_THAT(reference.biases({0.5, 0.5, 0.5, 1}), ElementsAre(0, 0, 1));
}

// The second clause warns x2 with 1/2 to be false; the third, which x3 satisfies, does not warn it. With
// 1/4 more or less of each, it is not warned to be false with 1/4 to 3/4, and not to be true with 1 to
// 3/4: the first clause warns x1 most with the first of each, and least with the second.
TEST(Surveys, ChangesMayGoUnnoticed) {
  const Formula formula = read_cnf("f", "p cnf 4 3\n1 2 0\n-2 4 0\n2 3 0\n");
  const std::vector<int> values = {-1, -1, 1, -1};
  const Reference reference(formula, values);
  const auto range = reference.ranges({0.5, 0, 0.5, 0, 0, 0}, 0.25)[0];
  EXPECT_DOUBLE_EQ(range.most, 0.75 / (0.75 + 0.25));
  EXPECT_DOUBLE_EQ(range.least, (0.25 * 0.75) / (0.25 * 0.75 + 0.25 * 0.75 + 0.75 * 0.75));
}

TEST(LocalSearch, SolvesAnEasyFormulaAndKeepsWhatIsFixed) {
  const Formula formula = random_formula(200, 600, 5);
  std::vector<signed char> values(200, -1);
  std::vector<char> fixed(200, 0);
  values[3] = 1;
  fixed[3] = 1;
  ASSERT_TRUE(walksat(formula, values, fixed, 100000, 1));
  EXPECT_EQ(count_unsatisfied(formula, values), 0u);
  EXPECT_EQ(values[3], 1);
}

TEST(LocalSearch, GivesUp) {
  const Formula formula = read_cnf("f", "p cnf 1 2\n1 0\n-1 0\n");
  std::vector<signed char> values = {-1};
  EXPECT_FALSE(walksat(formula, values, {0}, 1000, 1));
  EXPECT_FALSE(walksat(formula, values, {1}, 1000, 1));
}

}  // namespace
}  // namespace raddle::workloads::sp
