#include "statements.h"

#include <fmt/core.h>

#include <algorithm>
#include <random>
#include <set>

#include "isa/syntax.h"
#include "opcode_words.h"
#include "operand_choices.h"

namespace raddle::tests {
namespace {

using Words = OpcodeWords;

/// Rows of instructions that access memory, order accesses, or make and test addresses.
bool is_of_memory(const isa::Row& row) {
  constexpr std::string_view kMnemonics[] = {
      "mov",     "ld",        "ldu",          "st",   "prefetch", "prefetchu", "applypriority",
      "discard", "isspacep",  "createpolicy", "cvta", "mapa",     "cp",        "getctarank",
      "membar",  "fence",     "atom",         "red",  "mbarrier", "ldmatrix",  "stmatrix",
      "alloca",  "stacksave", "stackrestore",
  };
  return std::find(std::begin(kMnemonics), std::end(kMnemonics), row.mnemonic) !=
         std::end(kMnemonics);
}

std::vector<const isa::CompiledRow*> memory_rows() {
  std::vector<const isa::CompiledRow*> rows;
  for (const isa::CompiledRow& row : isa::built_in_instructions().rows()) {
    if (is_of_memory(*row.row)) rows.push_back(&row);
  }
  return rows;
}

/// Calls f(words) for each way through the row's groups that takes at most `most` optional ones.
template <class F>
void each_way(const isa::CompiledRow& row, std::size_t group, unsigned most, Words& words, F& f) {
  if (group == row.groups.size()) return f(words);
  const auto& choices = row.groups[group];
  if (choices.optional) each_way(row, group + 1, most, words, f);
  if (choices.optional && most == 0) return;
  const std::size_t before = words.size();
  for (const std::string_view alternative : choices.words) {
    append(words, alternative);
    each_way(row, group + 1, most - (choices.optional ? 1 : 0), words, f);
    words.resize(before);
  }
}

std::vector<Words> ways(const isa::CompiledRow& row, unsigned most) {
  std::vector<Words> all;
  Words words;
  auto keep = [&](const Words& way) { all.push_back(way); };
  each_way(row, 0, most, words, keep);
  return all;
}

/// The row with its last group, the types, narrowed to one of them; `plain`: and all others that may
/// not be left out to the first.
isa::CompiledRow of_one_type(const isa::CompiledRow& row, std::size_t number, bool plain) {
  isa::CompiledRow narrow = row;
  for (auto& group : narrow.groups) {
    if (plain && !group.optional && &group != &narrow.groups.back()) group.words.resize(1);
  }
  auto& types = narrow.groups.back().words;
  types = {types[std::min(number, types.size() - 1)]};
  return narrow;
}

/// Every word of the rows, and words that PTX has elsewhere.
std::vector<std::string> vocabulary() {
  std::set<std::string> words = {
      "f16x2", "bf16x2",  "tf32", "e4m3", "b1",   "pred",  "u4",   "sat",     "ftz",
      "rn",    "aligned", "v1",   "v3",   "wide", "lo",    "hi",   "sync",    "uni",
      "L1",    "L2",      "x8",   "tex",  "reg",  "async", "read", "L2::32B", "global::cta"};
  for (const isa::CompiledRow* row : memory_rows()) {
    for (const auto& group : row->groups) {
      Words parts;
      for (const std::string_view alternative : group.words) append(parts, alternative);
      words.insert(parts.begin(), parts.end());
    }
  }
  return {words.begin(), words.end()};
}

std::string joined(const std::vector<std::string>& operands) {
  std::string text;
  for (const std::string& one : operands) text += (text.empty() ? " " : ", ") + one;
  return text;
}

std::string opcode(const isa::CompiledRow& row, const Words& words) {
  std::string text(row.row->mnemonic);
  for (const std::string& word : words) text += "." + word;
  return text;
}

class Collector {
 public:
  /// With the operands that fit.
  void plain(const isa::CompiledRow& row, const Words& words) {
    add(row, words, choices(row, words), {});
  }

  /// Each operand in turn replaced by all others, one left out, one more.
  void varied(const isa::CompiledRow& row, const Words& words) {
    const std::vector<OperandChoices> operands = choices(row, words);
    for (std::size_t n = 0; n < operands.size(); ++n) {
      for (std::size_t c = 1; c < operands[n].size(); ++c) add(row, words, operands, {{n, c}});
    }
    std::vector<OperandChoices> fewer = operands, more = operands;
    if (!fewer.empty()) fewer.pop_back();
    add(row, words, fewer, {});
    for (const char* extra : {"%rd6", "%r9", "%p3", "16"}) {
      more = operands;
      more.push_back({extra});
      add(row, words, more, {});
    }
    const std::string text = statement(row, words, operands, {});
    for (const char* guard : {"@%p1 ", "@!%p1 ", "@ %p1 ", "@! %p1 ", "@%r1 "})
      all_.insert(guard + text);
  }

  void text(Statement statement) { all_.insert(std::move(statement)); }

  std::vector<Statement> take() { return {all_.begin(), all_.end()}; }

 private:
  struct Replacement {
    std::size_t operand, choice;
  };
  static std::vector<OperandChoices> choices(const isa::CompiledRow& row, const Words& words) {
    return operand_choices(row.row->mnemonic, words);
  }
  static std::string statement(const isa::CompiledRow& row, const Words& words,
                               const std::vector<OperandChoices>& operands,
                               const std::vector<Replacement>& replaced) {
    std::vector<std::string> chosen;
    for (const OperandChoices& one : operands) chosen.push_back(one[0]);
    for (const Replacement& one : replaced) chosen[one.operand] = operands[one.operand][one.choice];
    return opcode(row, words) + joined(chosen);
  }
  void add(const isa::CompiledRow& row, const Words& words,
           const std::vector<OperandChoices>& operands, const std::vector<Replacement>& replaced) {
    all_.insert(statement(row, words, operands, replaced));
  }

  std::set<Statement> all_;
};

/// The row's words with one too many, one missing, two swapped.
void add_wrong_words(Collector& all, const isa::CompiledRow& row, const Words& words) {
  static const auto* const kVocabulary = new std::vector<std::string>(vocabulary());
  for (const std::string& word : *kVocabulary) {
    Words more = words;
    more.insert(more.empty() ? more.end() : more.end() - 1, word);
    all.plain(row, more);
    if (words.empty()) continue;
    Words other = words;
    other.back() = word;
    all.plain(row, other);
  }
  for (std::size_t n = 0; n < words.size(); ++n) {
    Words fewer = words;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(n));
    all.plain(row, fewer);
    if (n == 0) continue;
    Words swapped = words;
    std::swap(swapped[n - 1], swapped[n]);
    all.plain(row, swapped);
  }
}

/// Lists of results, each of them left out in turn, and all, in instructions beyond those of memory_rows().
struct Results {
  const char *before, *behind, *first;  // the first register, "%f1"
  unsigned count;
};
constexpr Results kResults[] = {
    {"tex.2d.v4.f32.f32 ", ", [%rd1, {%f5, %f6}]", "%f", 4},
    {"tld4.r.2d.v4.f32.f32 ", ", [%rd1, {%f5, %f6}]", "%f", 4},
    {"tex.1d.v4.s32.s32 ", ", [%rd1, {%r9}]", "%r", 4},
    {"tex.1d.v2.f16x2.s32 ", ", [%rd1, {%r9}]", "%r", 2},
    {"suld.b.1d.v4.b32.trap ", ", [%rd1, {%r9}]", "%r", 4},
    {"suld.b.1d.v2.b32.trap ", ", [%rd1, {%r9}]", "%r", 2},
    {"suld.b.1d.b32.trap ", ", [%rd1, {%r9}]", "%r", 1},
    {"ldmatrix.sync.aligned.m8n8.x4.shared.b16 ", ", [%r8]", "%r", 4},
    {"ldmatrix.sync.aligned.m8n8.x2.shared.b16 ", ", [%r8]", "%r", 2},
    {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 ", ", [%r8]", "%r", 1},
    {"mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 ",
     ", {%r10, %r11, %r12, %r13}, {%r14, %r15}, {%r16, %r17, %r18, %r19}", "%r", 4},
    {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 ",
     ", {%r10, %r11, %r12, %r13}, {%r14, %r15}, {%r16, %r17}", "%r", 2},
    {"wmma.load.c.sync.aligned.row.m16n16k16.f16 ", ", [%rd1]", "%r", 4},
};

void add_left_out_results(Collector& all) {
  for (const Results& one : kResults) {
    for (unsigned left_out = 0; left_out < 1u << one.count; ++left_out) {
      std::string list;
      for (unsigned n = 0; n < one.count; ++n) {
        list += list.empty() ? "{" : ", ";
        list += (left_out >> n & 1) != 0 ? "_" : fmt::format("{}{}", one.first, n + 1);
      }
      all.text(fmt::format("{}{}}}{}", one.before, list, one.behind));
    }
    all.text(fmt::format("{}_{}", one.before, one.behind));
  }
}

}  // namespace

std::vector<Statement> all_statements() {
  Collector all;
  for (const isa::CompiledRow* row : memory_rows()) {
    const bool many = ways(*row, 0).size() > 50;  // operations times types: atom, red
    for (const Words& words : ways(*row, many ? 0 : 1)) all.plain(*row, words);
    if (row->groups.empty()) {
      all.varied(*row, {});
      continue;
    }
    const std::size_t types = row->groups.back().words.size();
    for (std::size_t type = 0; type < types; ++type) {
      const isa::CompiledRow narrow = of_one_type(*row, type, true);
      for (const Words& words : ways(narrow, type % 5 == 2 ? 2 : 0)) all.plain(*row, words);
      for (const Words& words : ways(narrow, 0)) all.varied(*row, words);
      if (type != 0 && type != types - 1) continue;
      for (const Words& words : ways(narrow, 0)) add_wrong_words(all, *row, words);
    }
  }
  return all.take();
}

std::vector<Statement> result_statements() {
  Collector all;
  add_left_out_results(all);
  return all.take();
}

std::vector<Statement> random_statements(std::uint64_t seed, std::size_t count) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
  const std::vector<std::string> words_of_all = vocabulary();
  const auto rows = memory_rows();
  std::set<Statement> all;
  while (all.size() < count) {
    const isa::CompiledRow& row = *rows[below(rows.size())];
    Words words;
    for (const auto& group : row.groups) {
      if (group.optional && below(3) != 0) continue;
      append(words, group.words[below(group.words.size())]);
    }
    if (below(8) == 0 && !words.empty())
      words[below(words.size())] = words_of_all[below(words_of_all.size())];
    std::vector<std::string> chosen;
    for (const OperandChoices& one : operand_choices(row.row->mnemonic, words)) {
      chosen.push_back(one[below(3) == 0 ? below(one.size()) : 0]);
    }
    all.insert((below(4) == 0 ? "@%p1 " : "") + opcode(row, words) + joined(chosen));
  }
  return {all.begin(), all.end()};
}

}  // namespace raddle::tests
