// Integer arithmetic (PTX ISA 9.7.1, 9.7.2) and shifts: the forms that the behaviour files do not
// have.
#include "references.h"

namespace raddle::tests {
namespace {

/// The definition of the carry flag: a sum of twice the width; a difference is a + ~b + 1.
Reference carry_reference(std::string_view op, const Words& words) {
  const std::string_view type = types_of(words)[0];
  const unsigned bits = width_of(type);
  const bool reads = op.ends_with('c'), writes = has(words, "cc");
  const bool subtracts = op.starts_with("sub"), multiplies = op.starts_with("mad");
  return [=, high = has(words, "hi")](const Inputs& in) {
    __extension__ using Wide = unsigned __int128;
    Wide x = in.v[0], y = in.v[1];
    if (subtracts) y = ~in.v[1] & low_mask(bits);
    if (multiplies) {
      const Integer product = number(in.v[0], type) * number(in.v[1], type);
      Wide exact = static_cast<Wide>(product);
      if (type == "u64") exact = Wide{in.v[0]} * in.v[1];
      x = static_cast<std::uint64_t>(high ? exact >> bits : exact) & low_mask(bits);
      y = in.v[2];
    }
    const Wide sum = x + y + (reads ? in.p : subtracts);
    return Result{.value = static_cast<std::uint64_t>(sum) & low_mask(bits),
                  .p = writes ? (sum >> bits & 1) != 0 : in.p};
  };
}

}  // namespace

Reference integer_reference(std::string_view op, const Words& words) {
  const bool carries = op == "addc" || op == "subc" || op == "madc" || has(words, "cc");
  if (carries) return carry_reference(op, words);
  if (op == "shr") {
    const std::string_view type = words[0];
    return [=](const Inputs& in) {
      const unsigned bits = width_of(type);
      const std::uint64_t amount = std::min<std::uint64_t>(in.v[1], bits);
      const Integer shifted = number(in.v[0], type) >> amount;
      return Result{.value = static_cast<std::uint64_t>(shifted) & low_mask(bits)};
    };
  }
  if (op == "mad24" && has(words, "sat")) {
    return [](const Inputs& in) {
      const Integer product = Integer{as_signed(in.v[0], 24)} * as_signed(in.v[1], 24);
      const Integer sum = (product >> 16) + as_signed(in.v[2], 32);
      return Result{.value = static_cast<std::uint64_t>(clamp_to(sum, "s32")) & low_mask(32)};
    };
  }
  if ((op == "min" || op == "max") && has(words, "relu") && types_of(words)[0][0] == 's') {
    const std::string_view element = element_of(types_of(words)[0]);
    return [=, maximum = op == "max"](const Inputs& in) {
      const unsigned width = width_of(element);
      Result result;
      for (unsigned shift = 0; shift < 32; shift += width) {
        const Integer a = number(in.v[0] >> shift & low_mask(width), element);
        const Integer b = number(in.v[1] >> shift & low_mask(width), element);
        const Integer chosen = std::max<Integer>(maximum ? std::max(a, b) : std::min(a, b), 0);
        result.value |= (static_cast<std::uint64_t>(chosen) & low_mask(width)) << shift;
      }
      return result;
    };
  }
  return nullptr;
}

Reference reference_of(std::string_view mnemonic, const Words& words) {
  for (const auto family :
       {integer_reference, approximate_reference, float_reference, comparison_reference,
        conversion_reference, packed_conversion_reference, video_reference}) {
    if (Reference found = family(mnemonic, words)) return found;
  }
  return nullptr;
}

}  // namespace raddle::tests
