// A table of a TOML file that is read key by key. Errors are reported with file, line and column,
// also for keys that are never read.
#pragma once

#include <toml++/toml.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "experiment/experiment.h"
#include "experiment/formula.h"

namespace raddle::experiment {

class Section {
 public:
  /// `what`: the name of the table in messages, "this [[figure]]". File and table must outlive it.
  Section(const std::string& file, const toml::table& table, std::string what)
      : file_(file), table_(table), what_(std::move(what)) {}

  SourcePosition place(const toml::node& node) const {
    return {file_, node.source().begin.line, node.source().begin.column};
  }
  SourcePosition place() const { return place(table_); }
  SourcePosition place(const char* key) const { return place(*table_.get(key)); }

  bool has(const char* key) { return look(key) != nullptr; }
  /// A text, number or truth value as text. The first form requires the key.
  std::string text(const char* key);
  std::string text(const char* key, const std::string& otherwise);
  Formula formula(const char* key);
  double number(const char* key, double otherwise);
  bool truth(const char* key, bool otherwise);
  std::vector<std::string> texts(const char* key);
  std::vector<std::string> text_or_texts(const char* key);
  std::vector<Setting> settings(const char* key);
  /// { name = number, ... }
  std::map<std::string, double> numbers(const char* key);
  /// The tables of [[key]].
  std::vector<Section> sections(const char* key);

  /// Throws InputError for a key that was not read.
  void finish() const;

 private:
  const toml::node* look(const char* key) {
    known_.insert(key);
    return table_.get(key);
  }
  std::string text_of(const std::string& key, const toml::node& node) const;
  double number_of(const std::string& key, const toml::node& node) const;

  const std::string& file_;
  const toml::table& table_;
  std::string what_;
  std::set<std::string> known_;
};

}  // namespace raddle::experiment
