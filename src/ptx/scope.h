// Nested name scopes of one module (PTX ISA 5.4, 11.1): what a name means where it stands.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ptx/module.h"

namespace raddle::ptx {

struct Symbol {
  enum class Kind : std::uint8_t { reg, variable, label } kind = Kind::variable;
  Operand::Scope scope = Operand::Scope::module_variable;  // variable: what its id counts
  std::uint32_t id = kNoId;  // reg: of the first element; variable, label: see Operand
  std::uint32_t width = 1;   // reg: elements of a vector register
};

/// Scopes as a stack; names are views that must outlive it.
class ScopeStack {
 public:
  ScopeStack() : scopes_(1) {}

  void push() { scopes_.emplace_back(); }
  void pop() { scopes_.pop_back(); }
  /// 1 = only the module's scope is open.
  std::size_t depth() const { return scopes_.size(); }

  /// False where the innermost scope already has the name.
  bool declare(std::string_view name, const Symbol&);
  /// prefix0 .. prefix<count-1>, their ids following `first.id` in steps of `first.width`.
  /// False where one of those names is taken in the innermost scope.
  bool declare_range(std::string_view prefix, std::uint32_t count, const Symbol& first);

  /// Innermost first.
  std::optional<Symbol> find(std::string_view name) const;
  std::optional<Symbol> find_innermost(std::string_view name) const;

  /// What helps with an undeclared name, to end an error's text: "; did you mean 'x'?" or nothing.
  std::string suggestion(std::string_view wrong) const;

 private:
  struct Range {
    Symbol first;
    std::uint32_t count = 0;
  };
  struct Scope {
    std::unordered_map<std::string_view, Symbol> names;
    std::unordered_map<std::string_view, Range> ranges;  // by prefix
    bool digit_prefix = false;                           // some prefix ends in a digit: %r1<10>
  };
  static std::optional<Symbol> element(const Range&, std::string_view number);
  static std::optional<Symbol> find_in(const Scope&, std::string_view name);
  static std::optional<Symbol> find_in_range(const Scope&, std::string_view name,
                                             std::size_t digits);

  std::vector<Scope> scopes_;
};

}  // namespace raddle::ptx
