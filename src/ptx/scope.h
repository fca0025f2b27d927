// Nested name scopes of one module (PTX ISA 5.4, 11.1): the meaning of a name at a place.
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
  Operand::Scope scope = Operand::Scope::module_variable;  // variable: the list in which its id is
                                                           // an index
  std::uint32_t id = kNoId;  // reg: id of the first element; variable, label: see Operand
  std::uint32_t width = 1;   // reg: elements of a vector register
};

/// A stack of scopes; names are views that must outlive it.
class ScopeStack {
 public:
  ScopeStack() : scopes_(1) {}

  void push() { scopes_.emplace_back(); }
  void pop() { scopes_.pop_back(); }
  /// 1 = only the module's scope is open.
  std::size_t depth() const { return scopes_.size(); }

  /// Returns false where the innermost scope already has the name.
  bool declare(std::string_view name, const Symbol&);
  /// Declares prefix0 .. prefix<count-1>, with ids from `first.id` on in steps of `first.width`.
  /// Returns false where the innermost scope already has one of those names.
  bool declare_range(std::string_view prefix, std::uint32_t count, const Symbol& first);

  /// Searches the innermost scope first.
  std::optional<Symbol> find(std::string_view name) const;
  std::optional<Symbol> find_innermost(std::string_view name) const;

  /// The end of an error text about an undeclared name: "; did you mean 'x'?" or nothing.
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
