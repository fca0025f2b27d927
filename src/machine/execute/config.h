// Functional units: the unit, the issue interval and the latency of each class of instructions.
#pragma once

#include <array>
#include <memory>
#include <string_view>
#include <vector>

#include "base/config.h"
#include "isa/instruction.h"

namespace raddle::machine {

inline constexpr std::size_t kClasses = static_cast<std::size_t>(isa::Class::count_);

/// A class of instructions. It takes one of the first `pipes` pipes of its unit for `interval`
/// cycles, so an SM produces 32 * pipes / interval results per cycle.
struct ClassConfig : ConfigGroup {
  struct Default {
    const char* name;
    const char* unit;
    unsigned pipes, interval, latency;
  };
  ClassConfig(ConfigGroup& parent, const Default& values);
  TextField unit;
  Field<unsigned> pipes{*this,   "pipes", 1,
                        "pipes", {1, 16}, "pipes of the unit that can execute it"};
  Field<unsigned> interval{*this,    "interval",
                           1,        "SM cycles",
                           {1, 512}, "cycles for which an instruction keeps its pipe busy"};
  Field<unsigned> latency{
      *this,       "latency", 9,
      "SM cycles", {1, 1000}, "from issue to the issue of an instruction that uses the result"};
};

struct ExecuteConfig : ConfigGroup {
  ExecuteConfig(ConfigGroup& parent, std::string name);
  Field<bool> partitioned{
      *this, "partitioned",
      false, "",
      {},    "each scheduler has its own share of the pipes (Maxwell and later)"};
  Field<unsigned> guard_latency{
      *this,
      "guard_latency",
      0,
      "SM cycles",
      {0, 1000},
      "from the issue of an instruction that writes a predicate to that of one which it guards, "
      "branches too, if that is longer than its class takes"};

  /// For a number without a class: the class `move`.
  const ClassConfig& of(std::size_t klass) const {
    return klass < kClasses                       ? *classes[klass]
           : klass < kClasses + extensions.size() ? *extensions[klass - kClasses]
                                                  : *classes[0];
  }
  const ClassConfig& of(isa::Class klass) const { return of(static_cast<std::size_t>(klass)); }
  /// Adds a class of a mechanism, which owns its settings. Returns the new number. Throws Error
  /// when there are too many classes.
  isa::Class add(const ClassConfig& klass);

  std::array<std::unique_ptr<ClassConfig>, kClasses> classes;
  std::vector<const ClassConfig*> extensions;  // not owned; in the order of their numbers
};

}  // namespace raddle::machine
