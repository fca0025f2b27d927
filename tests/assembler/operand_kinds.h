// Statements in which one operand is replaced by one of every kind, and which kinds ptxas accepts.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "plain_statements.h"

namespace raddle::tests {

/// What an operand is replaced by, and the character that stands for it in records.
struct OperandKind {
  char sign;
  std::string_view text;
  /// Where ptxas reads on behind it: everywhere, not in brackets, only where an operand stands by
  /// itself; `results`: in the first operand; `pairs`: as the first operand.
  enum class Reach : std::uint8_t { everywhere, in_lists, operands, results, pairs } reach;
};

/// Where an operand of a statement is written.
struct OperandPlace {
  std::size_t first, length;
  enum class In : std::uint8_t { none, braces, brackets } in;
  bool result;  // the first operand, or in it
};
/// Operands, the first ones of lists, and coordinates.
std::vector<OperandPlace> operand_places(const Statement& statement);
std::vector<OperandKind> kinds_in(const OperandPlace& place);

/// Whether a statement is taken, and which kinds of operands in each of its places, as signs.
struct TakenKinds {
  bool whole = false;
  std::vector<std::string> places;
};

/// kinds.txt: a line is + or -, a statement and, for each of its places, the signs of what is taken there.
std::map<Statement, TakenKinds> read_kinds(const std::string& path);
void write_kinds(const std::string& path, const std::map<Statement, TakenKinds>& kinds);

std::map<Statement, TakenKinds> ask_ptxas_kinds(const std::string& ptxas,
                                                const std::vector<PlainStatement>& plain);

/// The statement with another operand in that place.
Statement replaced(const Statement& statement, const OperandPlace& place, const OperandKind& kind);

}  // namespace raddle::tests
