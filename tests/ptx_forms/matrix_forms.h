// Matrix instructions on small whole numbers, with products that are exact in every format and
// order of addition: wmma with its loads and stores, and mma with the fragments drawn in the
// manual.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "form_list.h"

namespace raddle::tests {

/// D = A * B + C, M x K, K x N, M x N, row by row.
struct Product {
  unsigned m = 0, n = 0, k = 0;
  std::vector<int> a, b, c, d;
};

/// A kernel `test(in, out)`, what it reads, and what it must write.
struct MatrixProgram {
  std::string name, text;
  std::vector<std::uint8_t> in, out;
};

/// For each wmma.mma, its loads and stores in every state space.
std::vector<MatrixProgram> wmma_programs(isa::Matcher& matcher);
/// For each mma but those of Volta's quarters of a warp (m8n8k4 of .f16).
std::vector<MatrixProgram> mma_programs(isa::Matcher& matcher);

/// Numbers that the types hold; bits for .b1, of which `operation` is xor or and.
Product make_product(unsigned m, unsigned n, unsigned k, std::string_view a, std::string_view b,
                     std::string_view operation, unsigned seed);
/// The bits of a whole number in an element's type.
std::uint64_t element_bits(std::string_view type, int value);
unsigned element_width(std::string_view type);
/// "m16n8k32"
bool read_shape(std::string_view word, unsigned& m, unsigned& n, unsigned& k);

}  // namespace raddle::tests
