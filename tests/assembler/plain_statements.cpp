#include "plain_statements.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>

#include "base/error.h"
#include "isa/syntax.h"
#include "opcode_words.h"
#include "operand_choices.h"

namespace raddle::tests {
namespace {

using Words = OpcodeWords;
using Operands = std::vector<std::string>;

/// Registers of the head in statements.h, by the type that they are to hold.
std::string register_for(ptx::Type type, unsigned number) {
  if (type == ptx::Type::pred) return fmt::format("%p{}", number % 8);
  if (type == ptx::Type::f32) return fmt::format("%f{}", number % 8);
  if (type == ptx::Type::f64) return fmt::format("%fd{}", number % 8);
  const unsigned bits = ptx::bits(type);
  if (type == ptx::Type::b8 || type == ptx::Type::e2m1x2) return fmt::format("%b{}", number % 4);
  return fmt::format("{}{}",
                     bits <= 16   ? "%rs"
                     : bits == 32 ? "%r"
                     : bits == 64 ? "%rd"
                                  : "%q",
                     number);
}

std::string list(const char* prefix, unsigned first, unsigned count) {
  std::string text = "{";
  for (unsigned n = 0; n < count; ++n)
    text += fmt::format("{}{}{}", n == 0 ? "" : ", ", prefix, first + n);
  return text + "}";
}

/// Operands as the row's roles tell; `optional`: with those that may be left out.
Operands by_roles(const isa::CompiledRow& row, const isa::Form& form, bool optional) {
  using Role = isa::OperandSpec::Role;
  Operands all;
  unsigned number = 1;
  for (const isa::OperandSpec& spec : row.operands) {
    ++number;
    if (spec.optional && !optional) continue;
    const ptx::Type type = spec.type(form);
    switch (spec.role) {
      case Role::destination:
        all.push_back(register_for(type, 2) + (spec.second ? "|%p3" : ""));
        break;
      case Role::predicates:
        all.push_back(spec.second ? "%p3|%p4" : "%p3");
        break;
      case Role::source:
        all.push_back(register_for(type, number));
        break;
      case Role::source_predicate:
        all.emplace_back("%p5");
        break;
      case Role::constant:
        all.emplace_back(row.row->mnemonic == "setmaxnreg" ? "24" : "8");
        break;
      case Role::address:
        all.emplace_back("[%rd1]");
        break;
    }
  }
  return all;
}

unsigned element_bits(std::string_view type) {
  const auto digit = type.find_first_of("0123456789");
  unsigned bits = 0;
  std::from_chars(type.data() + digit, type.data() + type.size(), bits);
  return type == "tf32" ? 32 : type[0] == 'e' ? 8 : bits;
}

struct Tile {
  unsigned m = 0, n = 0, k = 0;
};

Tile tile_of(const Words& words) {
  Tile tile;
  for (const std::string& word : words) {
    const auto n = word.find('n'), k = word.find('k');
    if (word[0] != 'm' || n == word.npos || k == word.npos) continue;
    tile = {static_cast<unsigned>(std::stoul(word.substr(1))),
            static_cast<unsigned>(std::stoul(word.substr(n + 1))),
            static_cast<unsigned>(std::stoul(word.substr(k + 1)))};
  }
  return tile;
}

std::vector<std::string> element_types(const Words& words) {
  std::vector<std::string> types;
  for (const std::string& word : words) {
    constexpr std::string_view kAll[] = {"f16", "bf16", "tf32", "f32", "f64", "e4m3", "e5m2",
                                         "s8",  "u8",   "s4",   "u4",  "b1",  "s32"};
    if (std::find(std::begin(kAll), std::end(kAll), word) != std::end(kAll)) types.push_back(word);
  }
  return types;
}

/// Registers of a fragment of so many elements (PTX ISA 9.7.14): from `first` on.
std::string fragment(unsigned elements, const std::string& type, unsigned first,
                     unsigned least = 1) {
  const unsigned bits = element_bits(type), width = bits == 64 ? 64 : 32;
  const char* prefix = type == "f32" ? "%f" : type == "f64" ? "%fd" : "%r";
  return list(prefix, first, std::max(elements * bits / 32 / width, least));
}

Operands product(const Words& words, bool wmma) {
  const Tile tile = tile_of(words);
  const std::vector<std::string> types = element_types(words);
  const std::string &d = types.front(), &c = types.back();
  const std::string a = types.size() == 4 ? types[1] : "f16",
                    b = types.size() == 4 ? types[2] : "f16";
  const bool sparse = has(words, "sp") || has(words, "sp::ordered_metadata");
  const unsigned quads = a == "f16" && tile.k == 4 ? 4 : 1;  // m8n8k4: a product for each quad pair
  const unsigned least = wmma && a == "f16" ? 8 : quads == 4 ? 2 : 1;
  Operands all = {fragment(quads * tile.m * tile.n, d, 1),
                  fragment(tile.m * tile.k / (sparse ? 2 : 1), a, 9, least),
                  fragment(tile.n * tile.k, b, 17, least), fragment(quads * tile.m * tile.n, c, 9)};
  if (sparse) all.insert(all.end(), {"%r60", "0"});
  return all;
}

Operands tile_access(const Words& words) {
  const Tile tile = tile_of(words);
  const std::string type = element_types(words).front();
  const bool a = has(words, "a"), b = has(words, "b"), store = has(words, "store");
  const unsigned elements = a ? tile.m * tile.k : b ? tile.n * tile.k : tile.m * tile.n;
  const std::string registers = fragment(elements, type, 1, (a || b) && type == "f16" ? 8 : 1);
  if (store) return {"[%rd1]", registers, "%r9"};
  return {registers, "[%rd1]", "%r9"};
}

/// {x, y} as the geometry wants them.
std::string coordinates(const Words& words, const char* prefix) {
  const unsigned count = has(words, "1d") || has(words, "a1d")   ? 1
                         : has(words, "2d") || has(words, "a2d") ? 2
                                                                 : 3;
  const bool layers = has(words, "a1d") || has(words, "a2d") || has(words, "acube");
  // PTX ISA 9.7.10.3: three coordinates are written as four, two with a layer too.
  const unsigned written = count + (layers ? 1 : 0) == 3 ? 4 : count + (layers ? 1 : 0);
  std::string text = layers ? "{%r9" : "{";
  for (unsigned n = layers ? 1 : 0; n < written; ++n)
    text += fmt::format("{}{}{}", n == 0 ? "" : ", ", prefix, n + 3);
  return text + "}";
}

Operands lookup(const Words& words) {
  Words types;
  for (const std::string& word : words) {
    if (ptx::type_from_name(word)) types.push_back(word);
  }
  const char* result = types[0] == "f32" ? "%f" : types[0] == "f16" ? "%rs" : "%r";
  const char* place = types[1] == "f32" ? "%f" : "%r";
  Operands all = {list(result, 1, types[0] == "f16x2" ? 2 : 4),
                  "[%rd1, " + coordinates(words, place) + "]"};
  if (has(words, "level")) all.push_back(types[1] == "f32" ? "%f7" : "%r7");
  if (has(words, "grad")) {
    const bool one = has(words, "1d") || has(words, "a1d"),
               two = has(words, "2d") || has(words, "a2d");
    const char* gradient = one ? "{%f1}" : two ? "{%f1, %f2}" : "{%f1, %f2, %f3, %f4}";
    all.insert(all.end(), {gradient, gradient});
  }
  return all;
}

Operands surface(const std::string& mnemonic, const Words& words) {
  unsigned bits = 32, count = has(words, "v4") ? 4 : has(words, "v2") ? 2 : 1;
  for (const std::string& word : words) {
    if (const auto type = ptx::type_from_name(word)) bits = ptx::bits(*type);
  }
  const char* prefix = bits <= 16 ? "%rs" : bits == 32 ? "%r" : "%rd";
  const std::string values = count == 1 ? fmt::format("{}2", prefix) : list(prefix, 2, count);
  const std::string place = "[%rd1, " + coordinates(words, "%r") + "]";
  if (mnemonic == "suld") return {values, place};
  return {place, values};
}

Operands block_barrier(const Words& words) {
  if (has(words, "warp")) return {"%r5"};
  if (has(words, "cluster")) return {};
  Operands all = {"1", "64"};
  if (!has(words, "red")) return all;
  all.insert(all.begin(), has(words, "popc") ? "%r2" : "%p3");
  all.emplace_back("%p5");
  return all;
}

/// Of rows whose operands are of a kind of their own.
std::optional<Operands> of_own_kind(const std::string& mnemonic, const Words& words) {
  if (mnemonic == "mma") return product(words, false);
  if (mnemonic == "wmma") return has(words, "mma") ? product(words, true) : tile_access(words);
  if (mnemonic == "movmatrix") return Operands{"%r2", "%r3"};
  if (mnemonic == "tex" || mnemonic == "tld4") return lookup(words);
  if (mnemonic == "txq" && has(words, "level")) return Operands{"%r2", "[%rd1]", "%r3"};
  if (mnemonic == "txq" || mnemonic == "suq") return Operands{"%r2", "[%rd1]"};
  if (mnemonic == "istypep") return Operands{"%p3", "%rd1"};
  if (mnemonic == "suld" || mnemonic == "sust" || mnemonic == "sured")
    return surface(mnemonic, words);
  if (mnemonic == "bar" || mnemonic == "barrier") return block_barrier(words);
  if (mnemonic == "bra") return Operands{"LB"};
  if (mnemonic == "brx") return Operands{"%r2", "TL"};
  if (mnemonic == "ret" || mnemonic == "exit") return Operands{};
  if (mnemonic == "call") return Operands{"f"};
  if (mnemonic == "discard" || mnemonic == "applypriority") return Operands{"[%rd1]", "128"};
  return std::nullopt;
}

bool names_type(std::string_view words) {
  return ptx::type_from_name(words.substr(words.rfind('.') + 1)).has_value();
}

/// The ways through the row's groups: types in all ways, or the first of them; of other groups one at a
/// time is not the first alternative; `optional`: the one optional group that is not left out.
class Ways {
 public:
  Ways(const isa::CompiledRow& row, std::size_t optional, bool all_types)
      : row_(row), optional_(optional), all_types_(all_types) {
    Words words;
    walk(0, false, words);
  }
  std::vector<Words> all() && { return std::move(all_); }

 private:
  void walk(std::size_t group, bool varied, Words& words) {
    if (group == row_.groups.size()) {
      all_.push_back(words);
      return;
    }
    const auto& choices = row_.groups[group];
    // wmma has to say .aligned since PTX 6.3.
    const bool left_out = choices.optional && group != optional_ && choices.words[0] != "aligned";
    if (left_out) return walk(group + 1, varied, words);
    const bool types = names_type(choices.words.front());
    for (std::size_t n = 0; n < choices.words.size(); ++n) {
      if (n != 0 && (types ? !all_types_ : varied)) break;
      const std::size_t before = words.size();
      append(words, choices.words[n]);
      walk(group + 1, varied || (n != 0 && !types), words);
      words.resize(before);
    }
  }

  const isa::CompiledRow& row_;
  std::size_t optional_;
  bool all_types_;
  std::vector<Words> all_;
};

class Writer {
 public:
  std::vector<PlainStatement> take() {
    std::vector<PlainStatement> all;
    for (const auto& [text, varied] : all_) all.push_back({text, varied});
    return all;
  }

  void add(const isa::CompiledRow& row) {
    constexpr std::size_t kNone = ~std::size_t{0};
    std::set<std::string> seen;  // tuples of types, and other words
    for (const Words& words : Ways(row, kNone, true).all()) add_new(row, words, seen);
    // Some conversions must have the rounding that others may leave out.
    const bool needs_more = seen.empty();
    for (std::size_t group = 0; group < row.groups.size(); ++group) {
      if (!row.groups[group].optional) continue;
      for (const Words& words : Ways(row, group, needs_more).all()) add_new(row, words, seen);
    }
  }

 private:
  /// If anything in it is new.
  void add_new(const isa::CompiledRow& row, const Words& words, std::set<std::string>& seen) {
    std::string types;
    std::set<std::string> all;
    for (const std::string& word : words) {
      if (names_type(word)) {
        types += "." + word;
      } else {
        all.insert(word);
      }
    }
    types += ":";
    all.insert(types);
    varied_ = !seen.contains(types);
    if (std::includes(seen.begin(), seen.end(), all.begin(), all.end())) return;
    if (add(row, words)) seen.insert(all.begin(), all.end());
  }

  /// False: there is no such form.
  bool add(const isa::CompiledRow& row, const Words& words) {
    const std::string mnemonic(row.row->mnemonic);
    std::string opcode = mnemonic;
    for (const std::string& word : words) opcode += "." + word;
    if (const auto own = of_own_kind(mnemonic, words)) return write(opcode, *own);
    if (row.operands.empty() || mnemonic == "mov" || mnemonic == "createpolicy" ||
        mnemonic == "mbarrier") {
      const auto choices = operand_choices(mnemonic, words);
      if (choices.empty() && row.row->operands.lower != nullptr && row.required != 0)
        fail("nobody knows the operands of '{}'", opcode);
      Operands operands;
      for (const OperandChoices& one : choices) operands.push_back(one[0]);
      return write(opcode, operands);
    }
    bool any = false;
    for (const bool optional : {false, true}) {
      if (optional && row.required == row.operands.size()) continue;
      const auto form = form_of(row, words, optional);
      if (form) any = write(opcode, by_roles(row, *form, optional));
    }
    return any;
  }

  std::optional<isa::Form> form_of(const isa::CompiledRow& row, const Words& words, bool optional) {
    ptx::Instruction instruction;
    instruction.opcode = row.row->mnemonic;
    for (const std::string& word : words) instruction.modifiers.push_back(word);
    instruction.operands.resize(optional ? row.operands.size() : row.required);
    try {
      const isa::Match& match = matcher_.match(instruction);
      if (match.row != &row) return std::nullopt;
      return match.form;
    } catch (const Error&) {
      return std::nullopt;
    }
  }

  bool write(const std::string& opcode, const Operands& operands) {
    std::string text = opcode;
    for (const std::string& one : operands) text += (&one == &operands.front() ? " " : ", ") + one;
    all_[text] |= varied_;
    return true;
  }

  isa::Matcher matcher_;
  std::map<Statement, bool> all_;
  bool varied_ = false;
};

}  // namespace

std::vector<PlainStatement> plain_statements() {
  Writer writer;
  for (const isa::CompiledRow& row : isa::built_in_instructions().rows()) writer.add(row);
  return writer.take();
}

}  // namespace raddle::tests
