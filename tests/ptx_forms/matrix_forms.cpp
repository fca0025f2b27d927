#include "matrix_forms.h"

#include <cstdio>
#include <random>

#include "references.h"

namespace raddle::tests {

bool read_shape(std::string_view word, unsigned& m, unsigned& n, unsigned& k) {
  return std::sscanf(std::string(word).c_str(), "m%un%uk%u", &m, &n, &k) == 3;
}

unsigned element_width(std::string_view type) {
  if (type == "b1") return 1;
  if (type == "s4" || type == "u4") return 4;
  return type == "tf32" ? 32 : width_of(type);
}

std::uint64_t element_bits(std::string_view type, int value) {
  if (type[0] == 's' || type[0] == 'u' || type == "b1") {
    return static_cast<std::uint64_t>(value) & low_mask(element_width(type));
  }
  return encode(float_format(type), value, "rn");
}

Product make_product(unsigned m, unsigned n, unsigned k, std::string_view a, std::string_view b,
                     std::string_view operation, unsigned seed) {
  std::mt19937 random(seed);
  const auto numbers = [&](std::string_view type, unsigned count) {
    std::vector<int> values(count);
    for (int& value : values) {
      if (type == "b1") {
        value = static_cast<int>(random() % 2);
      } else {
        value = static_cast<int>(random() % 4) - (type[0] == 'u' ? 0 : 2);
      }
    }
    return values;
  };
  Product p{m, n, k, numbers(a, m * k), numbers(b, k * n), numbers("s8", m * n), {}};
  p.d = p.c;
  for (unsigned row = 0; row < m; ++row) {
    for (unsigned column = 0; column < n; ++column) {
      for (unsigned i = 0; i < k; ++i) {
        const int x = p.a[row * k + i], y = p.b[i * n + column];
        p.d[row * n + column] += operation == "xor" ? x ^ y : x * y;
      }
      // No zeros: their sign depends on the rounding.
      if (p.d[row * n + column] == 0) ++p.c[row * n + column], ++p.d[row * n + column];
    }
  }
  return p;
}

}  // namespace raddle::tests
