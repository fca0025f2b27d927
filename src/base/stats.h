// Statistics: declared once, where they are counted; one tree a simulation, walked by every
// printer.
//
//   struct CacheStats : StatGroup {
//     using StatGroup::StatGroup;
//     Counter hits{*this, "hits", "sectors", "Sectors looked up and found."};
//   };
//   ...
//   ++stats_.hits;
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace raddle {

class StatGroup;

/// A count that only grows. Incrementing is one addition.
class Counter {
 public:
  /// The texts must outlive the counter (literals do).
  Counter(StatGroup& group, const char* name, const char* unit, const char* meaning);
  Counter(const Counter&) = delete;
  Counter& operator=(const Counter&) = delete;

  Counter& operator++() { return ++value_, *this; }
  Counter& operator+=(std::uint64_t n) { return value_ += n, *this; }
  operator std::uint64_t() const { return value_; }
  std::uint64_t value() const { return value_; }

  std::string_view name() const { return name_; }
  std::string_view unit() const { return unit_; }
  std::string_view meaning() const { return meaning_; }

 private:
  std::uint64_t value_ = 0;
  const char *name_, *unit_, *meaning_;
};

/// A named node of the tree: counters of one unit, and units below it. Neither copied nor moved.
class StatGroup {
 public:
  explicit StatGroup(std::string name) : name_(std::move(name)) {}
  StatGroup(StatGroup& parent, std::string name);
  virtual ~StatGroup() = default;
  StatGroup(const StatGroup&) = delete;
  StatGroup& operator=(const StatGroup&) = delete;

  const std::string& name() const { return name_; }
  const std::vector<const Counter*>& counters() const { return counters_; }
  const std::vector<const StatGroup*>& children() const { return children_; }

 private:
  friend class Counter;
  std::string name_;
  std::vector<const Counter*> counters_;
  std::vector<const StatGroup*> children_;
};

/// Sum of the counter `name` over `group` and everything below it in groups called `unit`
/// ("" = any): total(gpu, "l1", "hits").
std::uint64_t total(const StatGroup& group, std::string_view unit, std::string_view name);

}  // namespace raddle
