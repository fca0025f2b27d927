#include "operand_kinds.h"

#include <algorithm>
#include <fstream>
#include <set>

#include "base/error.h"
#include "ptxas.h"

namespace raddle::tests {
namespace {

using Reach = OperandKind::Reach;

constexpr OperandKind kKinds[] = {
    // Registers: lower case untyped, and the like.
    {'p', "%p2", Reach::everywhere},
    {'b', "%b1", Reach::everywhere},
    {'c', "%ub1", Reach::everywhere},
    {'d', "%sb1", Reach::everywhere},
    {'h', "%rs9", Reach::everywhere},
    {'i', "%us1", Reach::everywhere},
    {'j', "%ss1", Reach::everywhere},
    {'H', "%h1", Reach::everywhere},
    {'r', "%r9", Reach::everywhere},
    {'u', "%u1", Reach::everywhere},
    {'s', "%s1", Reach::everywhere},
    {'X', "%hx1", Reach::everywhere},
    {'F', "%f1", Reach::everywhere},
    {'l', "%rd9", Reach::everywhere},
    {'m', "%ul1", Reach::everywhere},
    {'n', "%sl1", Reach::everywhere},
    {'D', "%fd1", Reach::everywhere},
    {'q', "%q9", Reach::everywhere},
    // Negated ones, and parts.
    {'R', "-%r9", Reach::in_lists},
    {'E', "-%f1", Reach::in_lists},
    {'N', "!%r9", Reach::in_lists},
    {'!', "!%p2", Reach::in_lists},
    {'P', "-%p2", Reach::in_lists},
    {'B', "%r9.b0", Reach::operands},
    {'A', "%r9.h1", Reach::operands},
    // Constants.
    {'0', "0", Reach::in_lists},
    {'1', "1", Reach::in_lists},
    {'-', "-1", Reach::in_lists},
    {'7', "7", Reach::in_lists},
    {'8', "8", Reach::in_lists},
    {'f', "16", Reach::in_lists},
    {'g', "17", Reach::in_lists},
    {'2', "32", Reach::in_lists},
    {'3', "33", Reach::in_lists},
    {'5', "300", Reach::in_lists},
    {'6', "65536", Reach::in_lists},
    {'w', "0xffffffff", Reach::in_lists},
    {'W', "0x100000000", Reach::in_lists},
    {'.', "1.0", Reach::in_lists},
    {',', "-1.0", Reach::in_lists},
    {'x', "0f3F800000", Reach::in_lists},
    {'y', "0d3FF0000000000000", Reach::in_lists},
    // Special registers.
    {'t', "%tid.x", Reach::in_lists},
    {'k', "%clock64", Reach::in_lists},
    {'T', "%tid", Reach::operands},
    {'z', "WARP_SZ", Reach::in_lists},
    {'Z', "-WARP_SZ", Reach::in_lists},
    // Lists.
    {'(', "{%r9}", Reach::operands},
    {')', "{%r9, %r10}", Reach::operands},
    {'<', "{%r9, %r10, %r11, %r12}", Reach::operands},
    {'>', "{%rs9, %rs10}", Reach::operands},
    {'^', "{%rd9, %rd10}", Reach::operands},
    {'%', "{%f1, %f2, %f3, %f4}", Reach::operands},
    {'=', "{_}", Reach::operands},
    // Addresses and names.
    {'[', "[%rd1]", Reach::operands},
    {']', "[G]", Reach::operands},
    {'G', "G", Reach::everywhere},
    {'L', "L", Reach::everywhere},
    {'o', "LB", Reach::in_lists},
    {'O', "P0", Reach::in_lists},
    // Results.
    {'_', "_", Reach::results},
    {'|', "%r9|%p3", Reach::pairs},
    {'/', "%p3|%p4", Reach::pairs},
    {'*', "%p3|_", Reach::pairs},
};

/// Of what is between `from` and `to`: the parts that commas separate, and the first one of those in them.
void add_places(const Statement& text, std::size_t from, std::size_t to, OperandPlace::In in,
                std::vector<OperandPlace>& places) {
  unsigned depth = 0;
  std::size_t start = from;
  for (std::size_t at = from; at <= to; ++at) {
    if (at == to || (text[at] == ',' && depth == 0)) {
      while (start < at && text[start] == ' ') ++start;
      if (start < at) {
        places.push_back(
            {start, at - start, in,
             places.empty() || (in != OperandPlace::In::none && places.back().result)});
        const char open = text[start];
        if (open == '{')
          add_places(text, start + 1, at - 1,
                     in == OperandPlace::In::brackets ? in : OperandPlace::In::braces, places);
        // Plain addresses are the matter of statements.h.
        if (open == '[' && text.find(',', start) < at)
          add_places(text, start + 1, at - 1, OperandPlace::In::brackets, places);
        if (in == OperandPlace::In::braces) return;
      }
      start = at + 1;
    } else if (text[at] == '{' || text[at] == '[') {
      ++depth;
    } else if (text[at] == '}' || text[at] == ']') {
      --depth;
    }
  }
}

}  // namespace

std::vector<OperandKind> kinds_in(const OperandPlace& place) {
  using In = OperandPlace::In;
  std::vector<OperandKind> kinds;
  for (const OperandKind& kind : kKinds) {
    const bool fits = kind.reach == Reach::everywhere ? true
                      : kind.reach == Reach::in_lists ? place.in != In::brackets
                      : kind.reach == Reach::results  ? place.result && place.in != In::brackets
                      : kind.reach == Reach::pairs    ? place.result && place.in == In::none
                                                      : place.in == In::none;
    if (fits) kinds.push_back(kind);
  }
  return kinds;
}

std::vector<OperandPlace> operand_places(const Statement& statement) {
  std::vector<OperandPlace> places;
  const auto space = statement.find(' ');
  if (space != statement.npos)
    add_places(statement, space, statement.size(), OperandPlace::In::none, places);
  return places;
}

Statement replaced(const Statement& statement, const OperandPlace& place, const OperandKind& kind) {
  Statement text = statement;
  return text.replace(place.first, place.length, kind.text);
}

std::map<Statement, TakenKinds> ask_ptxas_kinds(const std::string& ptxas,
                                                const std::vector<PlainStatement>& plain) {
  std::vector<Statement> texts;
  for (const PlainStatement& one : plain) texts.push_back(one.text);
  const auto verdicts = ask_ptxas(ptxas, texts);
  std::map<Statement, TakenKinds> all;
  std::set<Statement> variants;
  for (std::size_t n = 0; n < plain.size(); ++n) {
    TakenKinds& taken = all[texts[n]];
    taken.whole = verdicts[n] == Verdict::accepted;
    if (!taken.whole || !plain[n].varied) continue;
    for (const OperandPlace& place : operand_places(texts[n])) {
      for (const OperandKind& kind : kinds_in(place))
        variants.insert(replaced(texts[n], place, kind));
    }
  }
  const std::vector<Statement> asked(variants.begin(), variants.end());
  const auto answers = ask_ptxas(ptxas, asked);
  for (std::size_t n = 0; n < asked.size(); ++n) {
    if (answers[n] != Verdict::accepted) variants.erase(asked[n]);
  }
  for (const PlainStatement& one : plain) {
    TakenKinds& taken = all[one.text];
    if (!taken.whole || !one.varied) continue;
    for (const OperandPlace& place : operand_places(one.text)) {
      std::string signs;
      for (const OperandKind& kind : kinds_in(place)) {
        if (variants.contains(replaced(one.text, place, kind))) signs += kind.sign;
      }
      taken.places.push_back(signs);
    }
  }
  return all;
}

std::map<Statement, TakenKinds> read_kinds(const std::string& path) {
  std::ifstream file(path);
  if (!file) fail("cannot read {}", path);
  std::map<Statement, TakenKinds> all;
  for (std::string line; std::getline(file, line);) {
    const auto end = std::min(line.find('\t'), line.size());
    TakenKinds& kinds = all[line.substr(1, end - 1)];
    kinds.whole = line[0] == '+';
    for (std::size_t at = end; at != line.size();) {
      const auto next = std::min(line.find('\t', at + 1), line.size());
      kinds.places.push_back(line.substr(at + 1, next - at - 1));
      at = next;
    }
  }
  return all;
}

void write_kinds(const std::string& path, const std::map<Statement, TakenKinds>& kinds) {
  std::ofstream file(path);
  for (const auto& [statement, taken] : kinds) {
    file << (taken.whole ? '+' : '-') << statement;
    for (const std::string& signs : taken.places) file << '\t' << signs;
    file << '\n';
  }
  if (!file.flush()) fail("cannot write {}", path);
}

}  // namespace raddle::tests
