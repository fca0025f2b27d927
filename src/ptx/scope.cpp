#include "ptx/scope.h"

#include <algorithm>
#include <charconv>

#include "base/config.h"

namespace raddle::ptx {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

bool ScopeStack::declare(std::string_view name, const Symbol& symbol) {
  if (find_innermost(name)) return false;
  return scopes_.back().names.emplace(name, symbol).second;
}

bool ScopeStack::declare_range(std::string_view prefix, std::uint32_t count, const Symbol& first) {
  Scope& scope = scopes_.back();
  if (scope.ranges.contains(prefix)) return false;
  const Range range{first, count};
  for (const auto& [name, symbol] : scope.names) {
    if (name.starts_with(prefix) && element(range, name.substr(prefix.size()))) return false;
  }
  // Two ranges can only have a common name when one prefix is the other followed by digits.
  const bool digit_prefix = !prefix.empty() && is_digit(prefix.back());
  if (digit_prefix || scope.digit_prefix) {
    for (std::uint32_t i = 0; i < count; ++i) {
      if (find_in(scope, fmt::format("{}{}", prefix, i))) return false;
    }
  }
  scope.ranges.emplace(prefix, range);
  scope.digit_prefix |= digit_prefix;
  return true;
}

std::optional<Symbol> ScopeStack::find(std::string_view name) const {
  for (std::size_t i = scopes_.size(); i-- > 0;) {
    if (const auto symbol = find_in(scopes_[i], name)) return symbol;
  }
  return std::nullopt;
}

std::optional<Symbol> ScopeStack::find_innermost(std::string_view name) const {
  return find_in(scopes_.back(), name);
}

std::optional<Symbol> ScopeStack::find_in(const Scope& scope, std::string_view name) {
  std::size_t digits = 0;
  while (digits < name.size() && is_digit(name[name.size() - 1 - digits])) ++digits;
  if (digits != 0 && !scope.ranges.empty()) {
    const std::size_t shortest = scope.digit_prefix ? 1 : digits;
    for (std::size_t length = digits; length >= shortest; --length) {
      if (const auto symbol = find_in_range(scope, name, length)) return symbol;
    }
  }
  const auto found = scope.names.find(name);
  return found == scope.names.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Symbol> ScopeStack::find_in_range(const Scope& scope, std::string_view name,
                                                std::size_t digits) {
  const auto range = scope.ranges.find(name.substr(0, name.size() - digits));
  if (range == scope.ranges.end()) return std::nullopt;
  return element(range->second, name.substr(name.size() - digits));
}

std::optional<Symbol> ScopeStack::element(const Range& range, std::string_view number) {
  if (number.empty() || (number.size() > 1 && number.front() == '0')) return std::nullopt;
  std::uint32_t index = 0;
  const char* const end = number.data() + number.size();
  const auto [stop, error] = std::from_chars(number.data(), end, index);
  if (error != std::errc{} || stop != end || index >= range.count) return std::nullopt;
  Symbol symbol = range.first;
  symbol.id += index * symbol.width;
  return symbol;
}

std::string ScopeStack::suggestion(std::string_view wrong) const {
  std::string_view prefix = wrong;
  while (!prefix.empty() && is_digit(prefix.back())) prefix.remove_suffix(1);
  std::vector<std::string> known;
  for (const Scope& scope : scopes_) {
    // A number past the end is the usual mistake, so the message names the whole range.
    const auto range = scope.ranges.find(prefix);
    if (range != scope.ranges.end()) {
      return fmt::format("; declared are {}0 to {}{}", prefix, prefix, range->second.count - 1);
    }
    for (const auto& [name, symbol] : scope.names) known.emplace_back(name);
    for (const auto& [name, members] : scope.ranges) known.push_back(fmt::format("{}0", name));
  }
  std::string list;
  for (const std::string& name : near_names(wrong, known)) {
    list += (list.empty() ? "'" : "', '") + name;
  }
  return list.empty() ? "" : "; did you mean " + list + "'?";
}

}  // namespace raddle::ptx
