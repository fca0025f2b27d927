// Matrices: the products of whole numbers of tests/ptx_forms. For mma also numbers of all
// magnitudes: their sums show in which order, and with how many bits, the hardware adds.
#include <fmt/core.h>

#include <random>
#include <regex>

#include "drafts.h"
#include "tests/ptx_forms/matrix_forms.h"
#include "tests/ptx_forms/references.h"

namespace raddle::golden {
namespace {

constexpr unsigned kTiles = 16;

std::vector<std::string> split(const std::string& name) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : name + ".") {
    if (c != '.' && c != ' ') {
      word += c;
      continue;
    }
    words.push_back(word);
    word.clear();
  }
  return words;
}

/// The types after the shape: d a b c, or d c of wmma in half precision.
std::vector<std::string> element_types(const std::string& name) {
  std::vector<std::string> types;
  for (const std::string& word : split(name)) {
    unsigned m, n, k;
    if (tests::read_shape(word, m, n, k)) types.clear();
    if (ptx::type_from_name(word) || word == "s4" || word == "u4" || word == "b1") {
      types.push_back(word);
    }
  }
  return types;
}

std::string bytes(const std::vector<std::uint8_t>& from) { return {from.begin(), from.end()}; }

/// As an assembler wants it: `.aligned` may be left out only in old versions of PTX, FP8 came late,
/// and metadata are in a register.
std::string for_assembler(std::string text) {
  static const std::regex sync(R"(\.sync\.(?!aligned))"), metadata(R"((  mma.*)(0x\w+), 0;)");
  text = std::regex_replace(text, sync, ".sync.aligned.");
  text = std::regex_replace(text, std::regex(R"(\.version 8\.\d)"), ".version 8.8");
  return std::regex_replace(text, metadata,
                            "  .reg .b32 %metadata;\n  mov.u32 %metadata, $2;\n$1%metadata, 0;");
}

Case whole_numbers(const tests::MatrixProgram& program, const std::string& kind) {
  Case c;
  c.name = kind + "/" + program.name;
  c.kernel = "test";
  c.ptx = for_assembler(for_hopper(program.text));
  c.arguments = {{Argument::in, bytes(program.in)},
                 {Argument::out, std::string(program.out.size(), '\0')}};
  std::string type = element_types(program.name).at(0);
  const bool fragments = kind == "mma";  // a register in each doubleword
  if (fragments && type == "f16") type = "f16x2";
  const unsigned stride = fragments ? 8 : tests::width_of(type) / 8;
  c.fields = {{program.name.substr(0, program.name.find(' ')), type, 1, 0,
               static_cast<std::uint32_t>(program.out.size() / stride), stride}};
  return c;
}

/// One element: near 1 in most tiles, of all sizes or any bits in others.
std::uint64_t element(const std::string& type, unsigned tile, std::mt19937_64& random) {
  const bool real = type[0] == 'f' || type[0] == 'e' || type[0] == 't' || type == "bf16";
  const std::uint64_t any = random();
  if (!real) return any & tests::low_mask(tests::element_width(type));
  const tests::FloatFormat& f = tests::float_format(type);
  if (tile % 8 == 7) return any & tests::low_mask(f.bits()) & ~tests::low_mask(f.low_zeros);
  const int spreads[] = {2, 4, 8, 12, 16, 24, 30};
  const int spread = spreads[tile % 8], last = (1 << f.exponent_bits) - 2;
  const int exponent = f.bias() + static_cast<int>(random() % (2 * spread + 1)) - spread;
  const auto clamped = static_cast<std::uint64_t>(std::clamp(exponent, 0, last));
  return ((any >> 63) << (f.exponent_bits + f.mantissa_bits) | clamped << f.mantissa_bits |
          (any & tests::low_mask(f.mantissa_bits)))
         << f.low_zeros;
}

/// A register of elements; those of 32 bits and more have it alone.
std::uint64_t register_of(const std::string& type, unsigned tile, std::mt19937_64& random) {
  const unsigned width = tests::element_width(type);
  std::uint64_t value = 0;
  for (unsigned at = 0; at < std::max(32u, width); at += width) {
    value |= element(type, tile, random) << at;
  }
  return value;
}

unsigned registers(const std::string& text, const std::string& name) {
  const auto at = text.find(" %" + name + "<");
  return static_cast<unsigned>(std::atoi(text.c_str() + at + name.size() + 3));
}

Case numbers_of_all_sizes(const tests::MatrixProgram& program) {
  Case c = whole_numbers(program, "mma");
  c.name += " (random)";
  c.grid[0] = kTiles;
  const std::string lane = "  mov.u32 %lane, %laneid;\n";
  c.ptx.insert(c.ptx.find(lane) + lane.size(),
               fmt::format("  .reg .b32 %tile;\n  mov.u32 %tile, %ctaid.x;\n"
                           "  mad.wide.u32 %from, %tile, {}, %from;\n"
                           "  mad.wide.u32 %to, %tile, {}, %to;\n",
                           program.in.size(), program.out.size()));
  const auto types = element_types(program.name);
  std::mt19937_64 random(40);  // the same for forms that differ in nothing but their result
  std::vector<std::uint64_t> values;
  for (unsigned tile = 0; tile < kTiles; ++tile) {
    const char* names[] = {"a", "b", "c"};
    for (unsigned n = 0; n < 3; ++n) {
      for (unsigned k = registers(program.text, names[n]) * 32; k > 0; --k) {
        values.push_back(register_of(types.at(n + 1), tile, random));
      }
    }
  }
  c.arguments = {{Argument::in, raw(values)},
                 {Argument::out, std::string(program.out.size() * kTiles, '\0')}};
  c.fields[0].count *= kTiles;
  return c;
}

}  // namespace

Drafts matrix_drafts() {
  isa::Matcher matcher;
  Drafts drafts;
  for (const auto& program : tests::wmma_programs(matcher)) {
    drafts.push_back({[=](const Refused&) { return std::vector{whole_numbers(program, "wmma")}; }});
  }
  for (const auto& program : tests::mma_programs(matcher)) {
    drafts.push_back({[=](const Refused&) { return std::vector{whole_numbers(program, "mma")}; }});
    drafts.push_back({[=](const Refused&) { return std::vector{numbers_of_all_sizes(program)}; }});
  }
  return drafts;
}

}  // namespace raddle::golden
