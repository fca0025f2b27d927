// The verdicts of ptxas on the statements, stored in a file, so that tests run without ptxas.
#pragma once

#include <map>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "statements.h"

namespace raddle::tests {

/// verdicts.txt: sorted; a line is the verdict, how many characters the statement has in common with
/// the one before it (two hexadecimal digits), and the rest of it.
class RecordedVerdicts {
 public:
  explicit RecordedVerdicts(const std::string& path);
  std::optional<Verdict> of(const Statement& statement) const;
  const std::map<Statement, Verdict>& all() const { return verdicts_; }

  static void write(const std::string& path, const std::vector<Statement>& statements,
                    const std::vector<Verdict>& verdicts);

 private:
  std::map<Statement, Verdict> verdicts_;
};

/// differences.txt: where raddle may differ from ptxas, and why. A line is a regular expression for
/// statements without their guard; comments say the reason of the lines below them.
class KnownDifferences {
 public:
  explicit KnownDifferences(const std::string& path);
  bool knows(const Statement& statement);
  /// Expressions that have matched nothing so far.
  std::vector<std::string> unused() const;

 private:
  struct Pattern {
    std::string text;
    std::regex expression;
    bool used = false;
  };
  std::vector<Pattern> patterns_;
};

}  // namespace raddle::tests
