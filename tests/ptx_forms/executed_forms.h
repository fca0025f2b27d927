// The rows of the instruction table that the tests execute, and with which words.
#pragma once

#include <map>
#include <set>
#include <string>

#include "form_list.h"

namespace raddle::tests {

struct Executed {
  std::set<std::string> cores;  // form_list.h: core()
  std::set<std::string> words;  // hints
};

class ExecutedForms {
 public:
  explicit ExecutedForms(isa::Matcher& matcher) : matcher_(matcher) {}

  /// Every instruction of a module whose results are compared.
  void add_text(const std::string& name, const std::string& text);
  /// Every behaviour file below `folder` but those that must not load.
  void add_behaviour_files(const std::string& folder);
  void add(const isa::Row* row, const Words& words);

  const Executed& of(const isa::Row* row) { return rows_[row]; }

 private:
  isa::Matcher& matcher_;
  std::map<const isa::Row*, Executed> rows_;
};

/// Programs of parameters_test.cpp: ld and st of .param space in functions.
std::vector<std::string> parameter_programs();

}  // namespace raddle::tests
