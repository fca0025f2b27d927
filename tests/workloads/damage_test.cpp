// Damaged inputs: every reader reports file and place, or reads the undamaged rest. None crashes,
// and none allocates much more memory than the file's size justifies.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "amr/field.h"
#include "common/graph.h"
#include "common/graph_reader.h"
#include "common/image.h"
#include "common/text_scanner.h"
#include "nbody/star_catalogue.h"
#include "pre/ratings.h"
#include "regx/pattern.h"
#include "regx/texts.h"

namespace raddle::workloads {
namespace {

/// A reader of the text of a file that is called "input".
struct Reader {
  const char* name;
  std::string good;
  std::function<void(const std::string&)> read;
};

void build(const ArcList& list) { build_csr(list); }

std::string capture() {
  const unsigned char bytes[] = {0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0,   0,   0,   0,  0,
                                 0,    0xff, 0xff, 0,    0, 1, 0, 0, 0, 1, 0,   0,   0,   2,  0,
                                 0,    0,    4,    0,    0, 0, 4, 0, 0, 0, 'a', 'b', 'c', 'd'};
  return {reinterpret_cast<const char*>(bytes), sizeof bytes};
}

/// A line of the Yale Bright Star Catalogue with a place, a magnitude and a parallax.
std::string star() {
  std::string line(197, ' ');
  line.replace(75, 8, "000509.9");
  line.replace(83, 7, "+451345");
  line.replace(102, 4, "6.70");
  line.replace(161, 5, "+.010");
  return line + "\n";
}

std::vector<Reader> readers() {
  return {
      {"matrix market",
       "%%MatrixMarket matrix coordinate real general\n% c\n3 3 3\n1 2 0.5\n2 3 -1e3\n3 1 7\n",
       [](const std::string& text) { build(read_matrix_market("input", text)); }},
      {"dimacs", "c c\np sp 4 2\na 1 4 25\na 4 2 3\n",
       [](const std::string& text) { build(read_dimacs("input", text)); }},
      {"metis", "% c\n3 2 011 1\n1 2 5\n1 1 5 3 6\n1 2 6\n",
       [](const std::string& text) { build(read_metis("input", text)); }},
      {"edge list", "# Undirected graph: x\n1 2 0.5\n2 7 1\n",
       [](const std::string& text) { build(read_edge_list("input", text)); }},
      {"image", "P5\n# c\n2 2\n255\nabcd",
       [](const std::string& text) { parse_image("input", text); }},
      {"field", "X: 2\nY: 2\nZ: 2\n.\nabcdefgh",
       [](const std::string& text) { parse_field("input", text); }},
      {"ratings", "user,item,rating,time\n1,2,3.5,9\n1,3,4,9\n2,2,0.5,9\n",
       [](const std::string& text) {
         similar_items(make_table(read_ratings("input", text), 1), 1);
       }},
      {"stars", star() + star(), [](const std::string& text) { read_stars("input", text, 10); }},
      {"capture", capture(), [](const std::string& text) { parse_capture("input", text, 2); }},
  };
}

std::vector<std::string> damaged(const std::string& good) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < good.size(); ++i) {
    texts.push_back(good.substr(0, i));
    for (const char* instead :
         {"", "0", "9", "-", "x", "\n", "\xff", "4294967295", "99999999999999999999", "nan",
          "1e999", "4294967294 4294967294 1\n"}) {
      texts.push_back(good.substr(0, i) + instead + good.substr(i + 1));
    }
  }
  texts.push_back(good + good);
  return texts;
}

class Damage : public testing::TestWithParam<Reader> {};

TEST_P(Damage, IsToldWithFileAndPlace) {
  const Reader& reader = GetParam();
  ASSERT_NO_THROW(reader.read(reader.good));
  std::size_t refused = 0;
  for (const std::string& text : damaged(reader.good)) {
    try {
      reader.read(text);
    } catch (const InputError& error) {
      ++refused;
      EXPECT_EQ(std::string(error.what()).rfind("input:", 0), 0u) << error.what();
    }
  }
  EXPECT_GT(refused, 0u);
}

INSTANTIATE_TEST_SUITE_P(OfEveryInput, Damage, testing::ValuesIn(readers()), [](const auto& info) {
  std::string name = info.param.name;
  name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
  return name;
});

std::string message(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST(Damage, VerticesThatAFileCannotNameAreNotAllocated) {
  EXPECT_EQ(message([] {
              read_dimacs("g.gr", "p sp 4294967294 1\na 1 2 3\n");
            }).rfind("g.gr:1:6: 4294967294 vertices in a file of 26 bytes", 0),
            0u);
  EXPECT_NE(message([] {
              read_matrix_market("m.mtx",
                                 "%%MatrixMarket matrix coordinate pattern general\n"
                                 "4000000000 4000000000 1\n1 1\n");
            }).find("m.mtx:2:1: 4000000000 vertices"),
            std::string::npos);
  // Isolated vertices are fine.
  EXPECT_EQ(read_dimacs("g.gr", "p sp 100000 1\na 1 2 3\n").num_vertices, 100000u);
}

std::string pattern_error(const std::string& pattern) {
  return message([&] { compile_patterns({"fine", pattern}); });
}

TEST(Patterns, NestOnlySoDeep) {
  EXPECT_NE(pattern_error(std::string(100000, '(')).find("parentheses"), std::string::npos);
  const std::string deep = std::string(150, '(') + "a" + std::string(150, ')');
  EXPECT_EQ(pattern_error(deep), "");
  try {
    compile_patterns({"fine", "a("});
    FAIL();
  } catch (const PatternError& error) {
    EXPECT_EQ(error.pattern, 1u);
    EXPECT_EQ(error.column, 3u);
  }
}

TEST(Patterns, AreAsLongAsTheyLike) {
  std::string empty, optional;
  for (int i = 0; i < 30000; ++i) empty += "()";
  EXPECT_EQ(pattern_error(empty + "a"), "");
  for (int i = 0; i < 30000; ++i) optional += "|b";
  EXPECT_EQ(pattern_error("a" + optional), "");
}

TEST(Patterns, DamagedOnesAreToldOrRead) {
  const std::string good = "^a(b|[c-e\\d]*){2,3}\\x41.+?$";
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const char* instead : {"", "(", ")", "[", "]", "{", "}", "\\", "*", "{64}", "^"}) {
      const std::string pattern = good.substr(0, i) + instead + good.substr(i + 1);
      try {
        compile_patterns({pattern});
        compile_patterns({pattern.substr(0, i)});
      } catch (const std::invalid_argument&) {
      }
    }
  }
}

}  // namespace
}  // namespace raddle::workloads
