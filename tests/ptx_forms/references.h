// The results of instructions by the PTX manual. Made for the tests, independent of the simulator's
// semantics, one value at a time and with exact arithmetic.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string_view>

#include "exact_float.h"
#include "form_list.h"

namespace raddle::tests {

struct Inputs {
  std::uint64_t v[4] = {};  // a b c e: their bits, zeros above
  unsigned count = 0;       // of these sources
  bool p = false;           // the source predicate; the carry flag of instructions that read it
};

struct Result {
  std::uint64_t value = 0;  // zeros above the destination's bits
  bool p = false, q = false;
  const FloatFormat* nan = nullptr;   // elements in which any NaN is as good as another
  double relative = 0, absolute = 0;  // error that is allowed (with `nan`)
};

using Reference = std::function<Result(const Inputs&)>;

/// Null where there is none.
Reference reference_of(std::string_view mnemonic, const Words& words);

// By family; each looks at the mnemonic and returns null for those of others.
Reference float_reference(std::string_view mnemonic, const Words& words);
Reference approximate_reference(std::string_view mnemonic, const Words& words);
Reference comparison_reference(std::string_view mnemonic, const Words& words);
Reference conversion_reference(std::string_view mnemonic, const Words& words);
Reference packed_conversion_reference(std::string_view mnemonic, const Words& words);
Reference integer_reference(std::string_view mnemonic, const Words& words);
Reference video_reference(std::string_view mnemonic, const Words& words);

// ---

inline bool has(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}
/// The types among the words, in order.
inline Words types_of(const Words& words) {
  Words types;
  for (const std::string_view word : words) {
    if (ptx::type_from_name(word)) types.push_back(word);
  }
  return types;
}
inline std::string_view rounding_of(const Words& words, std::string_view otherwise) {
  for (const std::string_view mode : {"rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi"}) {
    if (has(words, mode)) return mode;
  }
  return otherwise;
}
inline std::uint64_t low_mask(unsigned bits) {
  return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}
inline std::int64_t as_signed(std::uint64_t value, unsigned bits) {
  return static_cast<std::int64_t>(value << (64 - bits)) >> (64 - bits);
}
inline unsigned width_of(std::string_view type) {
  if (type == "f32x2") return 64;  // no type of the table
  return ptx::bits(*ptx::type_from_name(type));
}

__extension__ using Integer = __int128;
/// The number that bits of an integer type are.
inline Integer number(std::uint64_t bits, std::string_view type) {
  const unsigned width = width_of(type);
  return type[0] == 's' ? static_cast<Integer>(as_signed(bits, width))
                        : static_cast<Integer>(bits & low_mask(width));
}
inline Integer clamp_to(Integer value, std::string_view type) {
  const unsigned width = width_of(type);
  const Integer one = 1;
  const Integer low = type[0] == 's' ? -(one << (width - 1)) : 0;
  const Integer high = (type[0] == 's' ? one << (width - 1) : one << width) - 1;
  return std::clamp(value, low, high);
}
/// "f16x2" is two "f16".
inline std::string_view element_of(std::string_view type) {
  return type.ends_with("x2") ? type.substr(0, type.size() - 2) : type;
}

}  // namespace raddle::tests
