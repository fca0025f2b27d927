#include "compute_forms.h"

#include <fmt/core.h>

#include <bit>
#include <map>
#include <random>

#include "base/error.h"

namespace raddle::tests {

namespace {

using Role = isa::OperandSpec::Role;

/// Halves, whole numbers and the ends of integer types, as bits of the format.
void add_whole_neighbours(const FloatFormat& f, std::vector<std::uint64_t>& values) {
  for (const double base : {0.5, 1.0, 1.5, 2.5, 3.0, 127.0, 127.5, 255.0, 255.5, 32767.5, 65535.5,
                            2147483647.5, 4294967295.5, 9.3e18, 1.9e19}) {
    for (const double sign : {1.0, -1.0}) values.push_back(encode(f, Quad{base * sign}, "rn"));
  }
}

std::vector<std::uint64_t> float_values(const FloatFormat& f, std::mt19937_64& random) {
  const std::uint64_t sign = std::uint64_t{1} << (f.bits() - 1);
  const std::uint64_t one = encode(f, 1, "rn"),
                      infinity = encode(f, 1, "rn") * 0 +
                                 (((std::uint64_t{1} << f.exponent_bits) - 1) << f.mantissa_bits);
  std::vector<std::uint64_t> values = {0,
                                       sign,
                                       1,
                                       sign | 1,
                                       low_mask(f.mantissa_bits),
                                       (std::uint64_t{1} << f.mantissa_bits),
                                       sign | (std::uint64_t{1} << f.mantissa_bits) | 1,
                                       one,
                                       sign | one,
                                       one + 1,
                                       one - 1,
                                       infinity - 1,
                                       sign | (infinity - 1),
                                       infinity,
                                       sign | infinity,
                                       canonical_nan(f),
                                       sign | canonical_nan(f)};
  add_whole_neighbours(f, values);
  while (values.size() < kThreads) {
    const auto spread = static_cast<int>(f.mantissa_bits) + 3;
    const int exponent = f.bias() + static_cast<int>(random() % (2 * spread)) - spread;
    const auto clamped =
        static_cast<std::uint64_t>(std::clamp(exponent, 0, (1 << f.exponent_bits) - 2));
    values.push_back((random() % 2) * sign | clamped << f.mantissa_bits |
                     (random() & low_mask(random() % 3 == 0 ? 2 : f.mantissa_bits)));
  }
  return values;
}

std::vector<std::uint64_t> integer_values(unsigned bits, std::mt19937_64& random) {
  const std::uint64_t top = std::uint64_t{1} << (bits - 1);
  std::vector<std::uint64_t> values = {
      0,          1,          2,          3,          ~std::uint64_t{0},
      top,        top - 1,    top + 1,    127,        128,
      255,        256,        32767,      32768,      65535,
      0x7fff8000, 0x80008000, 0x80808080, 0x7f7f7f7f, 31,
      32,         33};
  while (values.size() < kThreads) values.push_back(random() >> random() % bits);
  for (auto& value : values) value &= low_mask(bits);
  return values;
}

bool is_shift(std::string_view mnemonic) {
  return mnemonic == "shr" || mnemonic == "vshl" || mnemonic == "vshr";
}

/// The lanes' values of a type: specials first, each index in an order of its own, but for some
/// lanes in which two operands are the same number, or its negative.
std::vector<std::uint64_t> make_column(std::string_view type, unsigned index, bool shift) {
  std::mt19937_64 random(17);  // the same values for every index
  const unsigned bits = width_of(type);
  std::vector<std::uint64_t> values;
  if (shift && index == 1) {
    for (unsigned n = 0; n < kThreads; ++n) values.push_back(n < 100 ? n % 70 : 0xffffffff - n);
    return values;
  }
  const std::string_view element = element_of(type);
  const bool real = type[0] == 'f' || type[0] == 'e' || type.starts_with("bf") || type == "tf32";
  if (!real) {
    values = integer_values(bits, random);
  } else {
    values = float_values(float_format(element), random);
    if (element != type) {
      const unsigned half = bits / 2;
      auto upper = values;
      std::shuffle(upper.begin(), upper.end(), random);
      for (unsigned n = 0; n < kThreads; ++n) values[n] |= upper[n] << half;
    }
  }
  if (index == 0) return values;
  const auto first = values;
  std::shuffle(values.begin(), values.end(), std::mt19937_64(100 + index));
  for (unsigned n = 0; n < kThreads; n += 8) {
    values[n] = first[n];
    values[n + 1] = first[n + 1] ^ std::uint64_t{1} << (bits - 1);
  }
  return values;
}

const std::vector<std::uint64_t>& column(std::string_view type, unsigned index, bool shift) {
  static std::map<std::tuple<std::string, unsigned, bool>, std::vector<std::uint64_t>> known;
  auto& values = known[{std::string(type), index, shift}];
  if (values.empty()) values = make_column(type, index, shift);
  return values;
}

bool is_narrow_integer(ptx::Type type) {
  using ptx::Type;
  return type == Type::u8 || type == Type::s8 || type == Type::u16 || type == Type::s16;
}

/// A conversion of bf16 to a narrow integer, which takes no wider register.
bool makes_narrow(const ComputedForm& form, const isa::OperandSpec& spec) {
  const bool of_bf16 = std::find(form.words.begin(), form.words.end(), "bf16") != form.words.end();
  return form.row->row->mnemonic == "cvt" && spec.role == Role::destination && of_bf16 &&
         is_narrow_integer(spec.type(form.form));
}

}  // namespace

unsigned register_bits(const ComputedForm& form, const isa::OperandSpec& spec) {
  const ptx::Type type = spec.type(form.form);
  const bool converts = form.row->row->mnemonic == "cvt";
  const bool narrow = is_narrow_integer(type);
  // The result of a conversion to a narrow integer is extended to its register.
  return spec.role == Role::destination && converts && narrow && !makes_narrow(form, spec)
             ? 32
             : ptx::bits(type);
}

namespace {

/// f32x2 is no type of the table.
bool is_single_pair(const isa::CompiledRow& row) {
  return row.row->operands.lower == isa::lower_single_pair;
}

struct Text {
  std::map<std::string, std::string> registers;  // declared, and how they are loaded
  std::vector<std::uint64_t> columns;
  std::vector<ComputeKernel::Column> kinds;
  std::string body;

  std::string source(const ComputedForm& form, unsigned index, const std::string& type) {
    const bool shift = is_shift(form.row->row->mnemonic);
    const std::string name = fmt::format("%s{}_{}", index, type);
    if (registers.contains(name)) return name;
    const unsigned bits = width_of(type);
    const std::size_t at = columns.size() * 8;
    const auto& values = column(type, index, shift);
    columns.insert(columns.end(), values.begin(), values.end());
    kinds.push_back({type, index, shift});
    // Conversions of bytes to bf16, and of pairs of fp4, take no wider register.
    const unsigned held = form.row->row->mnemonic == "cvt" ? bits : std::max(bits, 16u);
    registers[name] =
        fmt::format("  .reg .b{} {};\n  ld.global.b{} {}, [%in+{}];\n", held, name, bits, name, at);
    return name;
  }
};

std::string operands_text(Text& text, const ComputedForm& form, std::size_t number) {
  std::string list;
  const auto add = [&](const std::string& operand) {
    list += (list.empty() ? " " : ", ") + operand;
  };
  for (const isa::OperandSpec& spec : form.operands) {
    if (spec.optional) continue;
    switch (spec.role) {
      case Role::destination:
        add(fmt::format("%d{}", register_bits(form, spec)));
        break;
      case Role::predicates:
        add(spec.second ? "%p0|%p1" : "%p0");
        break;
      case Role::source:
        add(text.source(form, spec.index, source_type(form, spec)));
        break;
      case Role::source_predicate:
        add(negates(number) ? "!%sp" : "%sp");
        break;
      default:
        fail("an operand that no test writes");
    }
  }
  return list;
}

}  // namespace

std::string source_type(const ComputedForm& form, const isa::OperandSpec& spec) {
  return is_single_pair(*form.row) ? "f32x2" : std::string(ptx::name(spec.type(form.form)));
}

bool uses_carry(const ComputedForm& form) {
  const std::string_view op = form.row->row->mnemonic;
  return op == "addc" || op == "subc" || op == "madc" || has(form.words, "cc");
}

std::vector<ComputedForm> computed_forms(isa::Matcher& matcher, const isa::CompiledRow& row,
                                         bool all) {
  std::vector<ComputedForm> forms;
  if (!computes(row)) return forms;
  const std::vector<isa::OperandSpec>& operands = row.operands;
  for (const isa::OperandSpec& spec : operands) {
    if (spec.role == Role::constant || spec.named == ptx::Type::pred) return forms;
  }
  each_form(row, true, [&](const Words& words) {
    ptx::Instruction instruction;
    instruction.opcode = row.row->mnemonic;
    instruction.modifiers = words;
    instruction.operands.resize(static_cast<std::size_t>(std::count_if(
        operands.begin(), operands.end(), [](const auto& spec) { return !spec.optional; })));
    const isa::Match* match = nullptr;
    try {
      match = &matcher.match(instruction);
    } catch (const Error&) {
      return;  // a combination that the manual forbids
    }
    if (match->row->row != row.row) return;
    ComputedForm form{&row, match->form, words, reference_of(row.row->mnemonic, words), operands};
    if (form.reference || all) forms.push_back(std::move(form));
  });
  return forms;
}

std::uint64_t operand_value(const ComputedForm& form, const isa::OperandSpec& spec, unsigned lane) {
  return column(source_type(form, spec), spec.index, is_shift(form.row->row->mnemonic))[lane];
}

bool source_predicate_value(unsigned lane) { return lane * 5 % 7 < 3; }

ComputeKernel compute_kernel(const std::vector<ComputedForm>& forms) {
  Text text;
  for (std::size_t n = 0; n < forms.size(); ++n) {
    const ComputedForm& form = forms[n];
    const std::string operands = operands_text(text, form, n);
    if (uses_carry(form)) {
      text.body += "  selp.u32 %t, 1, 0, %sp;\n  add.cc.u32 %t, %t, 0xffffffff;\n";
    }
    text.body += fmt::format("  {}{};\n", form.name(), operands);
    const std::size_t at = n * kThreads * 16;
    if (uses_carry(form)) {
      text.body += fmt::format("  addc.u32 %t, 0, 0;\n  st.global.u32 [%out+{}], %t;\n", at + 8);
    }
    for (const isa::OperandSpec& spec : form.operands) {
      if (spec.role == Role::destination) {
        unsigned bits = register_bits(form, spec);
        if (makes_narrow(form, spec)) {
          const std::string type(ptx::name(spec.type(form.form)));
          text.body += fmt::format("  cvt.{0}32.{1} %d32, %d{2};\n", type[0], type, bits);
          bits = 32;
        }
        text.body += fmt::format("  st.global.b{} [%out+{}], %d{};\n", bits, at, bits);
      }
      if (spec.role != Role::predicates) continue;
      text.body +=
          fmt::format("  selp.u32 %t, 1, 0, %p0;\n  st.global.u32 [%out+{}], %t;\n", at + 8);
      if (!spec.second) continue;
      text.body +=
          fmt::format("  selp.u32 %t, 1, 0, %p1;\n  st.global.u32 [%out+{}], %t;\n", at + 12);
    }
  }
  std::string head =
      ".version 8.8\n.target sm_100a\n.address_size 64\n"
      ".visible .entry test(.param .u64 values, .param .u64 results)\n{\n"
      "  .reg .pred %sp, %p0, %p1;\n  .reg .b32 %t, %lane;\n  .reg .b64 %in, %out, %place;\n"
      "  .reg .b8 %d8;\n  .reg .b16 %d16;\n  .reg .b32 %d32;\n  .reg .b64 %d64;\n"
      "  ld.param.u64 %in, [values];\n  ld.param.u64 %out, [results];\n  mov.u32 %lane, %tid.x;\n"
      "  mul.wide.u32 %place, %lane, 8;\n  add.u64 %in, %in, %place;\n"
      "  add.u64 %out, %out, %place;\n  add.u64 %out, %out, %place;\n"
      "  mul.lo.u32 %t, %lane, 5;\n  rem.u32 %t, %t, 7;\n  setp.lt.u32 %sp, %t, 3;\n";
  for (const auto& [name, load] : text.registers) head += load;
  return {head + text.body + "  ret;\n}\n", std::move(text.columns), std::move(text.kinds)};
}

namespace {

/// Numbers of like size, whose sums and quotients round.
std::uint64_t near_one(std::string_view type, std::uint64_t bits, std::mt19937_64& random) {
  const FloatFormat& f = float_format(element_of(type));
  for (unsigned at = 0; at < width_of(type); at += f.bits()) {
    const std::uint64_t mask = low_mask(f.exponent_bits) << f.mantissa_bits << at;
    const auto exponent = static_cast<std::uint64_t>(f.bias()) + random() % 13 - 6;
    bits = (bits & ~mask) | exponent << f.mantissa_bits << at;
  }
  return bits;
}

/// What makes NaNs of nearly all numbers.
std::uint64_t nan_exponents(std::string_view type) {
  const FloatFormat& f = float_format(element_of(type));
  std::uint64_t bits = 0;
  for (unsigned at = 0; at < width_of(type); at += f.bits()) {
    bits |= low_mask(f.exponent_bits) << f.mantissa_bits << at;
  }
  return bits;
}

}  // namespace

std::vector<std::uint64_t> operand_columns(const ComputeKernel& kernel, unsigned round) {
  if (round == 0) return kernel.columns;
  std::vector<std::uint64_t> columns;
  for (const ComputeKernel::Column& kind : kernel.kinds) {
    // The same for every kernel that has such a column: files of golden vectors stay small.
    std::seed_seq seed(kind.type.begin(), kind.type.end());
    std::mt19937_64 random(seed);
    random.discard(1000 * round + 10000 * kind.index);
    const unsigned bits = width_of(kind.type);
    const bool real = kind.type[0] == 'f' || kind.type.starts_with("bf");
    for (unsigned lane = 0; lane < kThreads; ++lane) {
      std::uint64_t value = random() & low_mask(bits);
      if (real && round > 1) value = near_one(kind.type, value, random);
      if (real && round > 2 && random() % 2 == 0) value |= nan_exponents(kind.type);
      if (!real && random() % 2 == 0) value >>= random() % bits;
      if (kind.shift && kind.index == 1) value = random() % 80;
      columns.push_back(value);
    }
  }
  return columns;
}

}  // namespace raddle::tests
