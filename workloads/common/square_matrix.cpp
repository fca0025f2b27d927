#include "common/square_matrix.h"

#include <cmath>

#include "common/comparison.h"
#include "common/data_path.h"
#include "common/generators.h"
#include "common/graph_reader.h"

namespace raddle::workloads {
namespace {

SquareMatrix random_matrix(std::size_t size, std::uint64_t seed, bool symmetric) {
  const std::vector<float> drawn = random_floats(size * size, -1, 1, seed);
  SquareMatrix matrix{size, std::vector<double>(drawn.begin(), drawn.end())};
  for (std::size_t row = 0; row < size; ++row) {
    for (std::size_t column = 0; symmetric && column < row; ++column) {
      matrix.values[column * size + row] = matrix.at(row, column);
    }
    matrix.values[row * size + row] = static_cast<double>(size);
  }
  return matrix;
}

SquareMatrix read_corner(const std::string& path, std::size_t size, bool single) {
  const ArcList list = read_matrix_market(path, read_file(path));
  if (list.num_vertices < size) {
    throw InputError(path + ": expected at least " + std::to_string(size) + " rows, found " +
                     std::to_string(list.num_vertices) + "; --size says how many are used");
  }
  SquareMatrix matrix{size, std::vector<double>(size * size)};
  for (const Arc& entry : list.arcs) {
    if (entry.source >= size || entry.target >= size) continue;
    matrix.values[entry.source * size + entry.target] =
        single ? static_cast<double>(static_cast<float>(entry.weight)) : entry.weight;
  }
  return matrix;
}

}  // namespace

void MatrixInput::add_to(Options& options) {
  options.add("--input", &input, "Matrix Market file, or random");
  options.add("--size", &size, 1, 8192, "rows and columns; of a file the first ones");
  options.add("--seed", &seed, 0, INT64_MAX, "of the random matrix");
  options.add_choice("--precision", &precision, {"single", "double"}, "floats or doubles");
}

SquareMatrix MatrixInput::load(Kind kind) const {
  const auto side = static_cast<std::size_t>(size);
  const bool symmetric = kind == Kind::symmetric;
  if (input == "random") return random_matrix(side, static_cast<std::uint64_t>(seed), symmetric);
  const std::string path = find_input(input);
  SquareMatrix matrix = read_corner(path, side, single());
  for (std::size_t row = 0; symmetric && row < side; ++row) {
    for (std::size_t column = 0; column < row; ++column) {
      if (matrix.at(row, column) == matrix.at(column, row)) continue;
      throw InputError(path + ": expected a symmetric matrix; row " + std::to_string(row + 1) +
                       ", column " + std::to_string(column + 1) + " differs from its mirror image");
    }
  }
  return matrix;
}

bool check_factors(const char* what, const SquareMatrix& matrix, const SquareMatrix& lower,
                   const SquareMatrix& upper, double rounding) {
  const std::size_t n = matrix.size;
  std::vector<double> product(n * n), magnitude(n * n);
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t k = 0; k < n; ++k) {
      const double factor = lower.at(row, k);
      if (factor == 0) continue;
      for (std::size_t column = 0; column < n; ++column) {
        const double term = factor * upper.at(k, column);
        product[row * n + column] += term;
        magnitude[row * n + column] += std::fabs(term);
      }
    }
  }
  const double roundings = 2 * (static_cast<double>(n) + 2) * rounding;
  return check_values(what, matrix.values, product,
                      [&](double expected, double found, std::size_t i) {
                        return std::fabs(expected - found) <= roundings * magnitude[i];
                      });
}

}  // namespace raddle::workloads
