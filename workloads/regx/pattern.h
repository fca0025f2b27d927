#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace raddle::workloads {

/// A deterministic automaton over bytes. State 0 is dead: no transition leaves it. A match begins
/// in state 1. It is found when the automaton enters an accepting state.
struct Automaton {
  std::vector<std::array<std::uint16_t, 256>> next;
  std::vector<std::uint8_t> accepting;  // by state, 0 or 1
};

/// A pattern that cannot be read: the message says what was expected.
struct PatternError : std::invalid_argument {
  PatternError(const std::string& what, std::size_t which, std::size_t where)
      : std::invalid_argument(what), pattern(which), column(where) {}
  std::size_t pattern;  // index of the pattern, from 0
  std::size_t column;   // column in the pattern, from 1
};

/// Returns the automaton that finds a match of any of `patterns` that begins at the first byte.
/// Patterns are POSIX-like: literals, `.`, [classes] with ranges and ^, \d \w \s \n \r \t \xHH and
/// escaped characters, ( ) | * + ? and {m}, {m,}, {m,n} up to 64. Throws PatternError for a
/// pattern, std::invalid_argument when all together need more than `most_states` states, or too
/// much memory. Source: K. Thompson, "Regular Expression Search Algorithm", CACM 11, 1968 (to a
/// nondeterministic automaton); M. Rabin, D. Scott, IBM J. Res. Dev. 3, 1959 (subset construction).
Automaton compile_patterns(const std::vector<std::string>& patterns,
                           std::size_t most_states = 8192);

}  // namespace raddle::workloads
