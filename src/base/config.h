// Configuration: a struct a unit, a line a field with its default, unit, range, meaning and source.
// TOML files, the command line, validation and the reference page all come from those lines.
//
//   struct L1Config : ConfigGroup {
//     using ConfigGroup::ConfigGroup;
//     Field<unsigned> latency{*this, "latency", 32, "SM cycles", {1, 10000}, "load hit", "K40:
//     PPT"};
//   };
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/error.h"

namespace raddle {

class ConfigGroup;

/// What is common to all fields; values pass through text, so one walker serves every type.
class FieldBase {
 public:
  FieldBase(ConfigGroup& group, const char* name, const char* unit, const char* meaning,
            const char* source);
  virtual ~FieldBase() = default;
  FieldBase(const FieldBase&) = delete;
  FieldBase& operator=(const FieldBase&) = delete;

  /// Takes a value written as text; throws Error naming the field and what it admits.
  virtual void set(std::string_view text) = 0;
  virtual std::string text() const = 0;
  /// What it admits: "1..1024", "gto | lrr", "true | false".
  virtual std::string admits() const = 0;

  std::string_view name() const { return name_; }
  std::string_view unit() const { return unit_; }
  std::string_view meaning() const { return meaning_; }
  const std::string& source() const { return source_; }
  void set_source(std::string source) { source_ = std::move(source); }
  std::string path() const;  // "l1.latency"

 private:
  const ConfigGroup& group_;
  const char *name_, *unit_, *meaning_;
  std::string source_;
};

/// The least and the most that a number may be; without arguments, whatever its type holds.
template <class T>
struct Range {
  constexpr Range()
      : least(std::numeric_limits<T>::lowest()), most(std::numeric_limits<T>::max()) {}
  constexpr Range(T least, T most) : least(least), most(most) {}
  T least, most;
};

/// A number within a range.
template <class T>
class Field : public FieldBase {
 public:
  Field(ConfigGroup& group, const char* name, T value, const char* unit, Range<T> range,
        const char* meaning, const char* source = "")
      : FieldBase(group, name, unit, meaning, source), value_(value), range_(range) {}
  operator T() const { return value_; }
  T value() const { return value_; }
  Field& operator=(T value);  // range-checked, for tests and embedding

  void set(std::string_view text) override;
  std::string text() const override;
  std::string admits() const override;

 private:
  T value_;
  Range<T> range_;
};

/// Free text, or one of several words.
class TextField : public FieldBase {
 public:
  /// `choices`: words separated by '|'; empty: any text.
  TextField(ConfigGroup& group, const char* name, std::string value, const char* choices,
            const char* meaning, const char* source = "")
      : FieldBase(group, name, "", meaning, source), value_(std::move(value)), choices_(choices) {}
  const std::string& value() const { return value_; }
  bool operator==(std::string_view other) const { return value_ == other; }

  void set(std::string_view text) override;
  std::string text() const override { return value_; }
  std::string admits() const override;

 private:
  std::string value_;
  const char* choices_;
};

class ConfigGroup {
 public:
  explicit ConfigGroup(std::string name) : name_(std::move(name)) {}
  ConfigGroup(ConfigGroup& parent, std::string name);
  virtual ~ConfigGroup() = default;
  ConfigGroup(const ConfigGroup&) = delete;
  ConfigGroup& operator=(const ConfigGroup&) = delete;

  const std::string& name() const { return name_; }
  std::string path() const;  // "" for the root
  const std::vector<FieldBase*>& fields() const { return fields_; }
  const std::vector<ConfigGroup*>& groups() const { return groups_; }

  /// Sets "unit.field" (relative to this group) from text; unknown names are an Error listing near
  /// ones.
  void set(std::string_view path, std::string_view value);
  FieldBase& field(std::string_view path);

 private:
  friend class FieldBase;
  std::string name_;
  const ConfigGroup* parent_ = nullptr;
  std::vector<FieldBase*> fields_;
  std::vector<ConfigGroup*> groups_;
};

/// Reads a TOML description into `root`: tables are groups; a value is written plainly or as
/// { value = 32, source = "..." }. Errors name file, line and column; unknown keys list near names.
void read_toml(ConfigGroup& root, const std::string& file);

/// The words of `known` nearest to `wrong` by edit distance, for "did you mean".
std::vector<std::string> near_names(std::string_view wrong, const std::vector<std::string>& known);

}  // namespace raddle
