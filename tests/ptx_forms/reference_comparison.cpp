// Comparison and selection (PTX ISA 9.7.6, 9.7.7).
#include "references.h"

namespace raddle::tests {
namespace {

bool compare_numbers(std::string_view op, const auto& a, const auto& b) {
  if (op == "eq") return a == b;
  if (op == "ne") return a != b;
  if (op == "lt" || op == "lo") return a < b;
  if (op == "le" || op == "ls") return a <= b;
  if (op == "gt" || op == "hi") return a > b;
  return a >= b;  // ge, hs
}

bool compare(std::string_view op, std::string_view type, std::uint64_t a, std::uint64_t b,
             bool ftz) {
  if (type[0] != 'f' && type != "bf16")
    return compare_numbers(op, number(a, type), number(b, type));
  const FloatFormat& f = float_format(type);
  if (ftz) a = flush(f, a), b = flush(f, b);
  const bool unordered = is_nan(f, a) || is_nan(f, b);
  if (op == "num") return !unordered;
  if (op == "nan") return unordered;
  const bool takes_unordered = op.size() == 3;  // equ neu ltu leu gtu geu
  if (unordered) return takes_unordered;
  return compare_numbers(op.substr(0, 2), decode(f, a), decode(f, b));
}

bool combine(std::string_view boolean, bool a, bool b) {
  if (boolean == "and") return a && b;
  if (boolean == "or") return a || b;
  if (boolean == "xor") return a != b;
  return a;
}

/// What `set` writes for true.
std::uint64_t truth(std::string_view type) {
  if (type[0] == 'f' || type == "bf16") return encode(float_format(type), 1, "rn");
  return low_mask(width_of(type));
}

Reference select_reference(std::string_view op, const Words& types, bool ftz) {
  if (op == "selp") {
    return [](const Inputs& in) { return Result{.value = in.p ? in.v[0] : in.v[1]}; };
  }
  return [=](const Inputs& in) {
    bool first;
    if (types[1] == "s32") {
      first = as_signed(in.v[2], 32) >= 0;
    } else {
      const FloatFormat& f = float_format("f32");
      const std::uint64_t c = ftz ? flush(f, in.v[2]) : in.v[2];
      first = !is_nan(f, c) && decode(f, c) >= 0;
    }
    return Result{.value = first ? in.v[0] : in.v[1]};
  };
}

}  // namespace

Reference comparison_reference(std::string_view op, const Words& words) {
  const Words types = types_of(words);
  const bool ftz = has(words, "ftz");
  if (op == "selp" || op == "slct") return select_reference(op, types, ftz);
  if (op != "set" && op != "setp") return nullptr;
  const std::string_view compared = words[0], source = types.back();
  const std::string_view element = element_of(source);
  std::string_view boolean;
  for (const std::string_view word : {"and", "or", "xor"}) {
    if (has(words, word)) boolean = word;
  }
  const bool pair = element != source;
  const unsigned width = width_of(element);
  const auto both = [=](const Inputs& in, bool(&halves)[2]) {
    for (unsigned e = 0; e < (pair ? 2u : 1u); ++e) {
      const bool found = compare(compared, element, in.v[0] >> e * width & low_mask(width),
                                 in.v[1] >> e * width & low_mask(width), ftz);
      halves[e] = found;
    }
  };
  if (op == "setp") {
    return [=](const Inputs& in) {
      bool halves[2] = {};
      both(in, halves);
      return Result{.p = combine(boolean, halves[0], in.p),
                    .q = combine(boolean, pair ? halves[1] : !halves[0], in.p)};
    };
  }
  // A pair gives two elements, each of them half as wide where the result is an integer.
  const std::string_view to = types[0];
  const std::uint64_t yes = !pair                        ? truth(to)
                            : to == "u32" || to == "s32" ? 0xffff
                                                         : truth(element_of(to));
  return [=](const Inputs& in) {
    bool halves[2] = {};
    both(in, halves);
    Result result;
    for (unsigned e = 0; e < (pair ? 2u : 1u); ++e) {
      if (combine(boolean, halves[e], in.p)) result.value |= yes << 16 * e;
    }
    return result;
  };
}

}  // namespace raddle::tests
