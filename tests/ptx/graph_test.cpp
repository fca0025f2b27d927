#include "ptx/print_graph.h"

#include <gmock/gmock-matchers.h>

#include "flow_help.h"

namespace raddle::ptx {
namespace {

using ::testing::HasSubstr;

std::string name_of(std::uint32_t instruction) {
  return "say \"" + std::to_string(instruction) + "\"";
}

TEST(Graph, SaysWhereBranchesMeet) {
  const std::string text = print_graph(graph({{1, 2}, {3}, {3}, {}}), name_of);
  EXPECT_THAT(text, HasSubstr("B0:\n      0  say \"0\"\n  -> B1, B2  (reconverge at B3)\n"));
  EXPECT_THAT(text, HasSubstr("B3:\n      3  say \"3\"\n  -> exit\n"));
}

TEST(Graph, QuotesTextForGraphviz) {
  const std::string text = print_graph_dot("k", graph({{1, 2}, {3}, {3}, {}}), name_of);
  EXPECT_THAT(text, HasSubstr("digraph \"k\" {"));
  EXPECT_THAT(text, HasSubstr("B0 [label=\"B0\\lsay \\\"0\\\"\\l\"];"));
  EXPECT_THAT(text, HasSubstr("B0 -> B3 [style=dotted"));
}

}  // namespace
}  // namespace raddle::ptx
