// Statements to ask an assembler about: every row of the instruction table that works on memory,
// with its words combined, and operands of many kinds. Many are not valid PTX; an assembler decides
// which are (verdicts.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace raddle::tests {

/// One instruction without its semicolon, as "@%p1 ld.global.v2.b32 {%r1, %r2}, [%rd1+-4]".
using Statement = std::string;

/// All statements that are generated, each once, sorted:
///   - each row with up to one of its optional words, and for some types with up to two;
///   - rows with one word that the row does not have, without one of their words, and with two
///     neighbouring words swapped;
///   - operands: other registers, lists, constants, symbols, addresses of all kinds, one more, one
///     less; spaces where PTX has none.
std::vector<Statement> all_statements();

/// Lists of results, also of textures, surfaces and matrices, with `_` in all ways.
std::vector<Statement> result_statements();

/// Statements with any number of words, right ones and wrong ones, and any operands; the same for
/// the same seed.
std::vector<Statement> random_statements(std::uint64_t seed, std::size_t count);

/// A module with one kernel of these statements, one a line from line `first_line` on.
inline constexpr unsigned kFirstLine = 27;
inline constexpr const char* kTarget = "sm_100a";  // which has all of them
std::string module_of(const std::vector<Statement>& statements, const std::string& target);

/// Whether raddle takes it: `unsupported` is what it knows and does not carry out.
enum class Verdict : char { accepted = '+', refused = '-', unsupported = '?' };
Verdict ask_raddle(const Statement& statement);

}  // namespace raddle::tests
