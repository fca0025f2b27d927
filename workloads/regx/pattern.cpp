#include "regx/pattern.h"

#include <algorithm>
#include <bitset>
#include <map>
#include <stdexcept>

namespace raddle::workloads {
namespace {

using Bytes = std::bitset<256>;

/// A state of the nondeterministic automaton. It consumes one byte of `bytes` and goes to `next`.
/// If `bytes` is empty, it goes to both `next` and `other` without consuming a byte.
struct Step {
  Bytes bytes;
  int next = -1;
  int other = -1;
};

constexpr int accept = -2;  // as a target: a match is found

/// A part of the automaton with one entry. `exits` are its open targets: patch() sets them.
struct Piece {
  int entry;
  std::vector<int*> exits;  // into `steps`, whose elements do not move (see Compiler)
};

/// Recursive descent: alternatives of sequences of repeated atoms.
class Compiler {
 public:
  explicit Compiler(const std::string& pattern) : pattern_(pattern) {
    // Room for all steps, so that they do not move. A character takes a few steps for each
    // repetition.
    steps.reserve(most_steps);
  }

  int compile() {
    Piece whole = alternatives();
    if (at_ != pattern_.size()) fail("an unmatched )");
    patch(whole, accept);
    return whole.entry;
  }

  std::vector<Step> steps;

 private:
  static constexpr std::size_t most_steps = 1 << 17;
  static constexpr int most_repeats = 64;
  static constexpr unsigned most_depth = 200;

  Piece alternatives() {
    Piece piece = sequence();
    while (accept_char('|')) {
      Piece other = sequence();
      const int fork = add({});
      steps[fork].next = piece.entry;
      steps[fork].other = other.entry;
      piece.entry = fork;
      piece.exits.insert(piece.exits.end(), other.exits.begin(), other.exits.end());
    }
    return piece;
  }

  Piece sequence() {
    Piece piece = nothing();
    while (at_ < pattern_.size() && pattern_[at_] != '|' && pattern_[at_] != ')') {
      piece = joined(piece, repeated());
    }
    return piece;
  }

  /// An atom with its repetition. The text of the atom is parsed again for every copy.
  Piece repeated() {
    const std::size_t begin = at_;
    Piece piece = atom();
    if (accept_char('*')) return star(piece);
    if (accept_char('+')) return joined_loop(piece);
    if (accept_char('?')) return optional(piece);
    if (!accept_char('{')) return piece;
    const int least = number();
    const bool open = accept_char(',');
    const bool endless = open && peek() == '}';
    const int most = !open ? least : endless ? least : number();
    if (!accept_char('}')) fail("expected }");
    if (most < least || most > most_repeats) fail("expected a count from the first one to 64");
    const std::size_t after = at_;
    auto copy = [&] {
      at_ = begin;
      Piece again = atom();
      at_ = after;
      return again;
    };
    piece = nothing();
    for (int i = 0; i < least; ++i) piece = joined(piece, copy());
    if (endless) return joined(piece, star(copy()));
    for (int i = least; i < most; ++i) piece = joined(piece, optional(copy()));
    return piece;
  }

  Piece atom() {
    const char c = pattern_[at_];
    if (accept_char('(')) {
      if (++depth_ > most_depth) fail("more than 200 parentheses within each other");
      Piece piece = alternatives();
      if (!accept_char(')')) fail("expected )");
      --depth_;
      return piece;
    }
    if (c == '*' || c == '+' || c == '?' || c == '{') fail("nothing to repeat");
    ++at_;
    if (c == '.') return consuming(Bytes().set().reset('\n'));
    if (c == '[') return consuming(bracket());
    if (c == '\\') return consuming(escaped());
    return consuming(single(c));
  }

  Bytes bracket() {
    const bool inverted = accept_char('^');
    Bytes bytes;
    bool first = true;
    while (at_ < pattern_.size() && (first || pattern_[at_] != ']')) {
      first = false;
      const Bytes low = class_member();
      if (peek() != '-' || at_ + 1 >= pattern_.size() || pattern_[at_ + 1] == ']') {
        bytes |= low;
        continue;
      }
      ++at_;
      const Bytes high = class_member();
      if (low.count() != 1 || high.count() != 1) fail("a range needs single characters");
      for (std::size_t byte = low._Find_first(); byte <= high._Find_first(); ++byte)
        bytes.set(byte);
    }
    if (!accept_char(']')) fail("expected ]");
    return inverted ? ~bytes : bytes;
  }

  Bytes class_member() {
    const char c = pattern_[at_++];
    return c == '\\' ? escaped() : single(c);
  }

  Bytes escaped() {
    if (at_ == pattern_.size()) fail("nothing behind \\");
    const char c = pattern_[at_++];
    switch (c) {
      case 'd':
        return range('0', '9');
      case 'w':
        return range('0', '9') | range('a', 'z') | range('A', 'Z') | single('_');
      case 's':
        return single(' ') | range('\t', '\r');
      case 'n':
        return single('\n');
      case 'r':
        return single('\r');
      case 't':
        return single('\t');
      case 'x':
        return single(static_cast<char>(16 * hex_digit() + hex_digit()));
      default:
        return single(c);
    }
  }

  int hex_digit() {
    const std::string digits = "0123456789abcdef";
    const std::size_t value =
        at_ < pattern_.size() ? digits.find(pattern_[at_] | 0x20) : digits.npos;
    if (value == digits.npos) fail("expected two hexadecimal digits");
    ++at_;
    return static_cast<int>(value);
  }

  static Bytes single(char c) { return Bytes().set(static_cast<unsigned char>(c)); }
  static Bytes range(unsigned low, unsigned high) {
    Bytes bytes;
    for (unsigned byte = low; byte <= high; ++byte) bytes.set(byte);
    return bytes;
  }

  Piece consuming(const Bytes& bytes) {
    const int step = add({bytes, -1, -1});
    return {step, {&steps[step].next}};
  }
  Piece nothing() {
    const int step = add({});
    return {step, {&steps[step].next}};
  }
  Piece joined(const Piece& first, const Piece& second) {
    patch(first, second.entry);
    return {first.entry, second.exits};
  }
  Piece star(const Piece& piece) {
    const int fork = add({});
    steps[fork].next = piece.entry;
    patch(piece, fork);
    return {fork, {&steps[fork].other}};
  }
  Piece joined_loop(const Piece& piece) {
    const Piece loop = star(piece);
    return {piece.entry, loop.exits};
  }
  Piece optional(Piece piece) {
    const int fork = add({});
    steps[fork].next = piece.entry;
    piece.exits.push_back(&steps[fork].other);
    return {fork, piece.exits};
  }

  int add(const Step& step) {
    if (steps.size() == most_steps) fail("the pattern is too long");
    steps.push_back(step);
    return static_cast<int>(steps.size() - 1);
  }
  static void patch(const Piece& piece, int target) {
    for (int* exit : piece.exits) *exit = target;
  }

  int number() {
    if (peek() < '0' || peek() > '9') fail("expected a number");
    int value = 0;
    while (peek() >= '0' && peek() <= '9' && value <= most_repeats) {
      value = 10 * value + (pattern_[at_++] - '0');
    }
    return value;
  }
  char peek() const { return at_ < pattern_.size() ? pattern_[at_] : '\0'; }
  bool accept_char(char c) {
    if (at_ == pattern_.size() || pattern_[at_] != c) return false;
    ++at_;
    return true;
  }
  [[noreturn]] void fail(const std::string& what) const { throw PatternError(what, 0, at_ + 1); }

  const std::string& pattern_;
  std::size_t at_ = 0;
  unsigned depth_ = 0;
};

/// The nondeterministic automata of all patterns side by side, and sets of their states.
class Determinizer {
 public:
  void add(const std::string& pattern) {
    Compiler compiler(pattern);
    const int entry = compiler.compile();
    const int offset = static_cast<int>(steps_.size());
    auto moved = [offset](int target) { return target < 0 ? target : target + offset; };
    for (Step step : compiler.steps) {
      step.next = moved(step.next);
      step.other = moved(step.other);
      steps_.push_back(step);
    }
    entries_.push_back(moved(entry));
  }

  Automaton run(std::size_t most_states) {
    Automaton automaton;
    number(automaton, {}, false);  // dead
    Set start;
    bool found = false;
    visited_.assign(steps_.size(), false);
    for (const int entry : entries_) follow(entry, start, found);
    forget(start);
    number(automaton, start, found);
    for (std::size_t state = 1; state < sets_.size(); ++state) {
      if (sets_.size() > most_states) {
        throw std::invalid_argument("the patterns need more than " + std::to_string(most_states) +
                                    " states");
      }
      if (!automaton.accepting[state]) expand(automaton, state);
    }
    return automaton;
  }

 private:
  using Set = std::vector<int>;                         // steps that consume a byte, ascending
  static constexpr std::size_t most_members = 1 << 25;  // each is stored twice, in four bytes

  /// Adds all steps that can be reached from `first` without consuming a byte. It does not use
  /// recursion, because chains of steps may be as long as the pattern.
  void follow(int first, Set& set, bool& found) {
    to_follow_.assign(1, first);
    while (!to_follow_.empty()) {
      const int step = to_follow_.back();
      to_follow_.pop_back();
      if (step == accept) found = true;
      if (step < 0 || visited_[static_cast<std::size_t>(step)]) continue;
      visited_[static_cast<std::size_t>(step)] = true;
      touched_.push_back(step);
      const Step& here = steps_[static_cast<std::size_t>(step)];
      if (here.bytes.any()) {
        set.push_back(step);
      } else {
        to_follow_.push_back(here.other);
        to_follow_.push_back(here.next);
      }
    }
  }
  void forget(Set& set) {
    for (const int step : touched_) visited_[static_cast<std::size_t>(step)] = false;
    touched_.clear();
    std::sort(set.begin(), set.end());
  }

  void expand(Automaton& automaton, std::size_t state) {
    for (unsigned byte = 0; byte < 256; ++byte) {
      Set reached;
      bool found = false;
      for (const int step : sets_[state]) {
        const Step& here = steps_[static_cast<std::size_t>(step)];
        if (here.bytes[byte]) follow(here.next, reached, found);
      }
      forget(reached);
      // Once a match is found, other states do not matter.
      if (found) reached.clear();
      const auto next = static_cast<std::uint16_t>(number(automaton, reached, found));
      automaton.next[state][byte] = next;
    }
  }

  std::size_t number(Automaton& automaton, const Set& set, bool found) {
    const auto [entry, added] = numbers_.try_emplace({found, set}, sets_.size());
    if (added) {
      members_ += set.size();
      if (members_ > most_members) {
        throw std::invalid_argument("the patterns need more than 256 MB for their states");
      }
      sets_.push_back(set);
      automaton.next.push_back({});
      automaton.accepting.push_back(found);
    }
    return entry->second;
  }

  std::vector<Step> steps_;
  std::vector<int> entries_;
  std::vector<Set> sets_;
  std::map<std::pair<bool, Set>, std::size_t> numbers_;
  std::vector<bool> visited_;
  std::vector<int> touched_;
  std::vector<int> to_follow_;
  std::size_t members_ = 0;  // of all sets
};

}  // namespace

Automaton compile_patterns(const std::vector<std::string>& patterns, std::size_t most_states) {
  Determinizer determinizer;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    try {
      determinizer.add(patterns[i]);
    } catch (const PatternError& error) {
      throw PatternError(error.what(), i, error.column);
    }
  }
  return determinizer.run(std::min<std::size_t>(most_states, 65536));
}

}  // namespace raddle::workloads
