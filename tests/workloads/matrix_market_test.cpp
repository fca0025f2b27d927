#include <gmock/gmock-matchers.h>

#include "arc_printer.h"
#include "common/graph_reader.h"
#include "message_of.h"

namespace raddle::workloads {
namespace {

using testing::ElementsAre;

ArcList read(std::string_view text) { return read_matrix_market("m.mtx", text); }
std::string error(std::string_view text) {
  return message_of([&] { read(text); });
}

TEST(MatrixMarket, GeneralRealEntriesBecomeWeightedArcs) {
  const ArcList list = read(
      "%%MatrixMarket matrix coordinate real general\n"
      "% a comment\n"
      "\n"
      "3 3 3\n"
      "1 2 2.5\n"
      "3 1 -1e2\n"
      "2 2 +4\n");
  EXPECT_EQ(list.num_vertices, 3u);
  EXPECT_TRUE(list.weighted);
  EXPECT_THAT(list.arcs, ElementsAre(Arc{0, 1, 2.5}, Arc{2, 0, -100}, Arc{1, 1, 4}));
}

TEST(MatrixMarket, PatternHasNoWeights) {
  const ArcList list = read("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n2 1\n");
  EXPECT_FALSE(list.weighted);
  EXPECT_THAT(list.arcs, ElementsAre(Arc{1, 0, 1}));
}

TEST(MatrixMarket, SymmetricEntriesAreMirroredButTheDiagonal) {
  const ArcList list =
      read("%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n2 1 7\n3 3 8\n");
  EXPECT_THAT(list.arcs, ElementsAre(Arc{1, 0, 7}, Arc{0, 1, 7}, Arc{2, 2, 8}));
}

TEST(MatrixMarket, SkewSymmetricMirrorsAreNegated) {
  const ArcList list =
      read("%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 7\n");
  EXPECT_THAT(list.arcs, ElementsAre(Arc{1, 0, 7}, Arc{0, 1, -7}));
}

TEST(MatrixMarket, WordsOfTheBannerAreNotCaseSensitive) {
  EXPECT_EQ(read("%%MatrixMarket MATRIX Coordinate Pattern GENERAL\n1 1 0\n").num_vertices, 1u);
}

TEST(MatrixMarket, CarriageReturnsEndLines) {
  const ArcList list = read("%%MatrixMarket matrix coordinate pattern general\r\n2 2 1\r\n1 2\r\n");
  EXPECT_THAT(list.arcs, ElementsAre(Arc{0, 1, 1}));
}

TEST(MatrixMarket, LastLineNeedsNoNewline) {
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2").arcs.size(), 1u);
}

TEST(MatrixMarketDamage, MissingBanner) {
  EXPECT_EQ(error("3 3 1\n1 2\n"),
            "m.mtx:1:1: expected %%MatrixMarket: a Matrix Market file starts with it");
}

TEST(MatrixMarketDamage, EmptyFile) {
  EXPECT_EQ(error(""), "m.mtx:1:1: expected %%MatrixMarket, found the end of the file");
}

TEST(MatrixMarketDamage, DenseFormat) {
  EXPECT_EQ(error("%%MatrixMarket matrix array real general\n"),
            "m.mtx:1:23: expected 'coordinate': a graph is a sparse matrix");
}

TEST(MatrixMarketDamage, ComplexValues) {
  EXPECT_EQ(error("%%MatrixMarket matrix coordinate complex general\n"),
            "m.mtx:1:34: expected pattern, integer or real, found 'complex'");
}

TEST(MatrixMarketDamage, HermitianSymmetry) {
  EXPECT_EQ(error("%%MatrixMarket matrix coordinate real hermitian\n"),
            "m.mtx:1:39: expected general, symmetric or skew-symmetric, found 'hermitian'");
}

TEST(MatrixMarketDamage, RectangularMatrix) {
  EXPECT_EQ(error("%%MatrixMarket matrix coordinate real general\n3 4 0\n"),
            "m.mtx:2:3: expected as many columns as rows: the adjacency matrix of a graph is "
            "square");
}

TEST(MatrixMarketDamage, RowOutOfRange) {
  EXPECT_EQ(error("%%MatrixMarket matrix coordinate pattern general\n3 3 1\n4 1\n"),
            "m.mtx:3:1: expected a row number from 1 to 3, found '4'");
}

TEST(MatrixMarketDamage, ColumnZero) {
  EXPECT_EQ(error("%%MatrixMarket matrix coordinate pattern general\n3 3 1\n  3   0\n"),
            "m.mtx:3:7: expected a column number from 1 to 3, found '0'");
}

TEST(MatrixMarketDamage, ColumnMissing) {
  EXPECT_EQ(error("%%MatrixMarket matrix coordinate pattern general\n3 3 1\n3\n"),
            "m.mtx:3:2: expected a column number, found the end of the line");
}

TEST(MatrixMarketDamage, ValueMissing) {
  EXPECT_EQ(error("%%MatrixMarket matrix coordinate real general\n3 3 1\n3 1\n"),
            "m.mtx:3:4: expected a real value, found the end of the line");
}

TEST(MatrixMarketDamage, ValueNotANumber) {
  EXPECT_EQ(error("%%MatrixMarket matrix coordinate real general\n3 3 1\n3 1 1.5x\n"),
            "m.mtx:3:5: expected a real value, found '1.5x'");
}

TEST(MatrixMarketDamage, WordAfterTheEntry) {
  EXPECT_EQ(error("%%MatrixMarket matrix coordinate pattern general\n3 3 1\n3 1 9\n"),
            "m.mtx:3:5: expected the end of an entry, found '9'");
}

TEST(MatrixMarketDamage, TooFewEntries) {
  EXPECT_EQ(error("%%MatrixMarket matrix coordinate pattern general\n3 3 2\n3 1\n"),
            "m.mtx:4:1: expected entry 2 of 2, found the end of the file");
}

TEST(MatrixMarketDamage, TooManyEntries) {
  EXPECT_EQ(error("%%MatrixMarket matrix coordinate pattern general\n3 3 1\n3 1\n2 1\n"),
            "m.mtx:4:1: expected the end of the file after 1 entries, found '2'");
}

TEST(MatrixMarketDamage, EntryAboveTheDiagonalOfASymmetricMatrix) {
  EXPECT_EQ(error("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 1\n1 2\n"),
            "m.mtx:3:3: an entry above the diagonal: a symmetric file holds the lower half alone");
}

TEST(MatrixMarketDamage, WildEntryCountClaimsNoMemory) {
  EXPECT_EQ(error("%%MatrixMarket matrix coordinate pattern general\n1 1 18446744073709551615\n"),
            "m.mtx:3:1: expected entry 1 of 18446744073709551615, found the end of the file");
}

}  // namespace
}  // namespace raddle::workloads
