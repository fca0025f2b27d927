#include <algorithm>
#include <cctype>

#include "common/graph_reader.h"
#include "common/text_scanner.h"

namespace raddle::workloads {
namespace {

enum class Field { pattern, integer, real };
enum class Symmetry { general, symmetric, skew };

struct Banner {
  Field field;
  Symmetry symmetry;
};

// The format's words are not case sensitive.
std::string read_lower(TextScanner& in, std::string_view what) {
  std::string word(in.read_word(what));
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return word;
}

Banner read_banner(TextScanner& in) {
  if (in.read_word("%%MatrixMarket") != "%%MatrixMarket") {
    in.fail_at_word("expected %%MatrixMarket: a Matrix Market file starts with it");
  }
  if (read_lower(in, "'matrix'") != "matrix") in.fail_at_word("expected 'matrix'");
  if (read_lower(in, "'coordinate'") != "coordinate") {
    in.fail_at_word("expected 'coordinate': a graph is a sparse matrix");
  }
  Banner banner{};
  const std::string field = read_lower(in, "pattern, integer or real");
  if (field == "pattern") {
    banner.field = Field::pattern;
  } else if (field == "integer") {
    banner.field = Field::integer;
  } else if (field == "real") {
    banner.field = Field::real;
  } else {
    in.fail_at_word("expected pattern, integer or real, found '" + field + "'");
  }
  const std::string symmetry = read_lower(in, "general, symmetric or skew-symmetric");
  if (symmetry == "general") {
    banner.symmetry = Symmetry::general;
  } else if (symmetry == "symmetric") {
    banner.symmetry = Symmetry::symmetric;
  } else if (symmetry == "skew-symmetric") {
    banner.symmetry = Symmetry::skew;
  } else {
    in.fail_at_word("expected general, symmetric or skew-symmetric, found '" + symmetry + "'");
  }
  if (banner.field == Field::pattern && banner.symmetry == Symmetry::skew) {
    in.fail_at_word("a pattern matrix cannot be skew-symmetric: it has no values to negate");
  }
  in.finish_line("the first line");
  return banner;
}

void skip_comments_and_empty_lines(TextScanner& in) {
  while (!in.at_file_end() && (in.at_comment("%") || in.at_line_end())) in.next_line();
}

double read_value(TextScanner& in, Field field) {
  switch (field) {
    case Field::pattern:
      return 1;
    case Field::integer:
      return static_cast<double>(in.read_signed("an integer value"));
    case Field::real:
      return in.read_real("a real value");
  }
  return 0;
}

void read_entry(TextScanner& in, const Banner& banner, ArcList& list) {
  const auto row = static_cast<Vertex>(in.read_unsigned("a row number", 1, list.num_vertices) - 1);
  const auto column =
      static_cast<Vertex>(in.read_unsigned("a column number", 1, list.num_vertices) - 1);
  if (banner.symmetry != Symmetry::general && column > row) {
    in.fail_at_word("an entry above the diagonal: a symmetric file holds the lower half alone");
  }
  if (banner.symmetry == Symmetry::skew && column == row) {
    in.fail_at_word("an entry on the diagonal, which is zero in a skew-symmetric matrix");
  }
  const double value = read_value(in, banner.field);
  list.arcs.push_back({row, column, value});
  if (banner.symmetry != Symmetry::general && row != column) {
    list.arcs.push_back({column, row, banner.symmetry == Symmetry::skew ? -value : value});
  }
}

}  // namespace

ArcList read_matrix_market(const std::string& name, std::string_view text) {
  TextScanner in(name, text);
  const Banner banner = read_banner(in);
  skip_comments_and_empty_lines(in);
  ArcList list;
  list.weighted = banner.field != Field::pattern;
  list.num_vertices = read_vertex_count(in, "the number of rows", text.size());
  if (in.read_unsigned("the number of columns") != list.num_vertices) {
    in.fail_at_word("expected as many columns as rows: the adjacency matrix of a graph is square");
  }
  const std::uint64_t entries = in.read_unsigned("the number of entries");
  in.finish_line("the size line");
  // An entry takes four bytes at least: a huge count in a damaged file must not allocate memory.
  list.arcs.reserve(std::min<std::uint64_t>(entries, text.size() / 4) *
                    (banner.symmetry == Symmetry::general ? 1 : 2));
  for (std::uint64_t i = 0; i < entries; ++i) {
    skip_comments_and_empty_lines(in);
    if (in.at_file_end()) {
      in.fail_expected("entry " + std::to_string(i + 1) + " of " + std::to_string(entries));
    }
    read_entry(in, banner, list);
    in.finish_line("an entry");
  }
  skip_comments_and_empty_lines(in);
  if (!in.at_file_end()) {
    in.fail_expected("the end of the file after " + std::to_string(entries) + " entries");
  }
  return list;
}

}  // namespace raddle::workloads
