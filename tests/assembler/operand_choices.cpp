#include "operand_choices.h"

#include <fmt/core.h>

#include <algorithm>

#include "opcode_words.h"
#include "ptx/types.h"

namespace raddle::tests {
namespace {

using Words = OpcodeWords;

unsigned bits_of(const Words& words) {
  for (auto word = words.rbegin(); word != words.rend(); ++word) {
    if (const auto type = ptx::type_from_name(*word)) return std::max(ptx::bits(*type), 1u);
  }
  return 32;
}

unsigned vector_of(const Words& words) {
  for (const std::string& word : words) {
    if (word.size() == 2 && word[0] == 'v' && word[1] >= '2' && word[1] <= '8')
      return static_cast<unsigned>(word[1] - '0');
  }
  return 1;
}

std::string register_of(unsigned bits, unsigned number) {
  const char* prefix = bits <= 16 ? "%rs" : bits == 32 ? "%r" : bits == 64 ? "%rd" : "%q";
  return fmt::format("{}{}", prefix, number);
}

std::string list_of(const std::string& first, unsigned bits, unsigned number, unsigned count) {
  std::string text = "{" + first;
  for (unsigned e = 1; e < count; ++e) text += ", " + register_of(bits, number + e);
  return text + "}";
}

/// A value of the words' type: scalar or vector, from register `number` on.
OperandChoices value(const Words& words, unsigned number, bool source) {
  const unsigned bits = bits_of(words), count = vector_of(words);
  const auto whole = [&](const std::string& first, unsigned of_bits) {
    return count == 1 ? first : list_of(first, of_bits, number, count);
  };
  const std::string fitting = register_of(bits, number);
  OperandChoices all = {whole(fitting, bits)};
  for (const unsigned other : {16u, 32u, 64u, 128u}) {
    if (other != std::max(bits, 16u)) all.push_back(whole(register_of(other, number), other));
  }
  for (const char* name : {"%f1", "%fd1", "%u1", "%s1", "%h1", "%p2", "_"}) {
    all.push_back(count == 1 ? name : list_of(name, bits, number, count));
  }
  all.push_back("{" + fitting + "}");
  all.push_back("{ " + fitting + " }");
  all.push_back("{_}");
  all.push_back("{{" + fitting + "}}");
  all.push_back(list_of(fitting, bits, number, 2));
  all.push_back(list_of(fitting, bits, number, 3));
  all.push_back(fitting);
  for (const char* name : {"1", "-1", "0x10", "1.0", "0f3F800000", "0d3FF0000000000000", "G", "G+4",
                           "S + 4", "L+4", "k", "%tid.x", "%clock64", "WARP_SZ", "!%p2", "-%r2"}) {
    if (source || name[0] == '1') all.push_back(name);
    if (source && count > 1) all.push_back(list_of(name, bits, number, count));
  }
  if (source) all.push_back("{1}");
  return all;
}

/// An address in the state space that the words name (the first of them, or `space`).
OperandChoices address(const Words& words, std::string_view space = "") {
  for (const std::string& word : words) {
    const auto named = ptx::space_from_name(word.substr(0, word.find("::")));
    if (space.empty() && named && word != "reg") space = word;
  }
  const std::string own = space.starts_with("global")   ? "G"
                          : space.starts_with("shared") ? "S"
                          : space.starts_with("const")  ? "C"
                          : space.starts_with("local")  ? "L"
                          : space.starts_with("param")  ? "PB"
                                                        : "G";
  OperandChoices all = {"[%rd1]"};
  for (const std::string& base : {std::string("%rd1"), std::string("%r8"), own}) {
    for (const char* form : {"[{}]", "[{}+4]", "[ {} + 4 ]", "[{}+0]", "[{}+-4]", "[{}-4]",
                             "[{}+4+4]", "[{}+(4*2)]", "[{}+%r9]", "[{}+1.0]", "[4+{}]"}) {
      std::string text = fmt::format(fmt::runtime(form), base);
      if (text != all[0]) all.push_back(std::move(text));
    }
  }
  for (const char* other : {"[G]",
                            "[S]",
                            "[C]",
                            "[L]",
                            "[PB]",
                            "[P0]",
                            "[k]",
                            "[0]",
                            "[16]",
                            "[16+4]",
                            "[-16]",
                            "[%rs1]",
                            "[%f1]",
                            "[%fd1]",
                            "[%q1]",
                            "[%u1]",
                            "[%p1]",
                            "[%rd1, 4]",
                            "[%tid.x]",
                            "[]",
                            "%rd1",
                            "G",
                            "16",
                            "{[%rd1]}",
                            "[{%rd1}]",
                            "[%rd1+0x7fffffff]",
                            "[%rd1+0xffffffff]",
                            "[%rd1+0x100000000]",
                            "[%rd1].unified",
                            "G[1]",
                            "[G[1]]"}) {
    if (std::find(all.begin(), all.end(), other) == all.end()) all.push_back(other);
  }
  return all;
}

OperandChoices word32(unsigned number) {
  return {fmt::format("%r{}", number),
          fmt::format("%rd{}", number),
          "%rs9",
          "%u1",
          "%s1",
          "%f1",
          "%p2",
          "1",
          "-1",
          "16",
          "1.0",
          "_",
          "G",
          "S+4",
          "{%r9}",
          "%tid.x"};
}
OperandChoices word64(unsigned number) {
  return {fmt::format("%rd{}", number),
          fmt::format("%r{}", number),
          "%rs9",
          "%fd1",
          "%f1",
          "%p2",
          "%q1",
          "1",
          "1.0",
          "_",
          "G",
          "G+4",
          "L",
          "S",
          "C",
          "PB",
          "k",
          "{%rd9}",
          "{%r8, %r9}",
          "%clock64"};
}
OperandChoices predicate() { return {"%p3", "!%p3", "_", "%p3|%p4", "%p3|_", "%r1", "{%p3}", "1"}; }
OperandChoices bytes() {
  return {"16", "4", "8", "0", "128", "0x10", "32", "%r9", "16.0", "WARP_SZ"};
}

std::vector<OperandChoices> with_policy(const Words& words, std::vector<OperandChoices> all) {
  if (has(words, "L2::cache_hint")) all.push_back(word64(6));
  return all;
}

std::vector<OperandChoices> policy_operands(const Words& words) {
  const OperandChoices to = word64(2);
  if (has(words, "cvt")) return {to, word64(3)};
  if (has(words, "range")) return {to, address(words), word32(5), word32(6)};
  return {to, {"0.5", "1.0", "0f3F000000", "0.0", "2.0", "1", "%f1", "%r1", "-0.5"}};
}

std::vector<OperandChoices> copy_operands(const Words& words) {
  if (has(words, "mbarrier")) return {address(words, "shared")};
  if (has(words, "wait_group")) return {{"0", "1", "7", "-1", "%r1", "1.0", "0x0"}};
  if (has(words, "commit_group") || has(words, "wait_all")) return {};
  OperandChoices to = address(words, "shared"), from = address(words, "global");
  std::swap(to[0], *std::find(to.begin(), to.end(), "[%r8]"));
  return with_policy(words, {to, from, bytes()});
}

std::vector<OperandChoices> barrier_object_operands(const Words& words) {
  const OperandChoices at = address(words, "shared");
  if (has(words, "pending_count")) return {word32(2), word64(3)};
  if (has(words, "inval")) return {at};
  if (has(words, "test_wait") || has(words, "try_wait")) {
    return {predicate(), at, has(words, "parity") ? word32(5) : word64(5)};
  }
  if (!has(words, "arrive") && !has(words, "arrive_drop")) return {at, word32(5)};
  OperandChoices state = word64(2);
  if (has(words, "shared::cluster"))
    std::swap(state[0], *std::find(state.begin(), state.end(), "_"));
  if (has(words, "expect_tx") || has(words, "noComplete")) return {state, at, word32(5)};
  return {state, at};
}

std::vector<OperandChoices> matrix_operands(const Words& words, bool load) {
  const unsigned count = has(words, "x4") ? 4 : has(words, "x2") ? 2 : 1;
  OperandChoices fragment = {list_of("%r10", 32, 10, count),
                             list_of("%r10", 32, 10, 2),
                             list_of("%r10", 32, 10, 4),
                             "%r10",
                             "{%r10}",
                             "{%rs10}",
                             "{_}",
                             "%rd10",
                             list_of("%f1", 32, 10, count),
                             list_of("%rd10", 64, 10, count),
                             list_of("1", 32, 10, count)};
  if (load) return {fragment, address(words, "shared")};
  return {address(words, "shared"), fragment};
}

/// mov takes packed values apart and puts them together.
std::vector<OperandChoices> move_operands(const Words& words) {
  OperandChoices to = value(words, 2, false), from = value(words, 10, true);
  for (const unsigned bits : {8u, 16u, 32u, 64u}) {
    for (const unsigned count : {2u, 4u}) {
      to.push_back(list_of(register_of(bits, 2), bits, 2, count));
      from.push_back(list_of(register_of(bits, 10), bits, 10, count));
      from.push_back(list_of("1", bits, 10, count));
    }
  }
  for (const char* one : {"{_, %r9}", "{%rs9, _}", "{_, _}", "{%rs9, %r9}"}) to.push_back(one);
  for (const char* one :
       {"S", "C", "L", "PB", "P0", "C+4", "G[1]", "%tid", "%laneid", "%p4", "-%r9"})
    from.push_back(one);
  if (has(words, "pred")) from[0] = "%p4", to[0] = "%p3";
  return {to, from};
}

}  // namespace

std::vector<OperandChoices> operand_choices(std::string_view mnemonic, const Words& words) {
  if (mnemonic == "mov") return move_operands(words);
  if (mnemonic == "ld" || mnemonic == "ldu")
    return with_policy(words, {value(words, 2, false), address(words)});
  if (mnemonic == "st") return with_policy(words, {address(words), value(words, 10, true)});
  if (mnemonic == "atom") {
    std::vector<OperandChoices> all = {value(words, 2, false), address(words),
                                       value(words, 10, true)};
    if (has(words, "cas")) all.push_back(value(words, 11, true));
    return with_policy(words, std::move(all));
  }
  if (mnemonic == "red") return with_policy(words, {address(words), value(words, 10, true)});
  if (mnemonic == "prefetch" || mnemonic == "prefetchu") return {address(words)};
  if (mnemonic == "applypriority" || mnemonic == "discard") {
    OperandChoices size = bytes();
    std::swap(size[0], *std::find(size.begin(), size.end(), "128"));
    return {address(words), size};
  }
  if (mnemonic == "createpolicy") return policy_operands(words);
  if (mnemonic == "isspacep") return {predicate(), word64(2)};
  if (mnemonic == "cvta") return {word64(2), word64(3)};
  if (mnemonic == "mapa") {
    const bool wide = bits_of(words) == 64;
    return {wide ? word64(2) : word32(2), wide ? word64(3) : word32(3), word32(5)};
  }
  if (mnemonic == "getctarank") return {word32(2), bits_of(words) == 64 ? word64(3) : word32(3)};
  if (mnemonic == "cp") return copy_operands(words);
  if (mnemonic == "mbarrier") return barrier_object_operands(words);
  if (mnemonic == "ldmatrix" || mnemonic == "stmatrix")
    return matrix_operands(words, mnemonic == "ldmatrix");
  const bool wide = bits_of(words) == 64;
  if (mnemonic == "alloca") return {wide ? word64(2) : word32(2), wide ? word64(3) : word32(3)};
  if (mnemonic == "stacksave" || mnemonic == "stackrestore") return {wide ? word64(2) : word32(2)};
  return {};  // membar, fence
}

}  // namespace raddle::tests
