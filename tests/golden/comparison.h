// Results of two machines for the same cases, instruction by instruction.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "archive.h"

namespace raddle::golden {

/// What became of the numbers that one form of an instruction computed.
struct Agreement {
  std::uint64_t numbers = 0, equal = 0;
  std::uint64_t payloads = 0;  // NaNs both, of different bits
  std::uint64_t differ = 0;
  std::uint64_t ulps = 0;  // at most, where floats differ
  double absolute = 0;     // likewise
  std::string example;     // the first difference
};

struct Comparison {
  std::map<std::string, Agreement> forms;
  std::vector<std::string> outcomes;    // cases that one of them did not finish
  std::vector<std::string> unexpected;  // what hardware gives and a behaviour file does not expect
  std::uint64_t cases = 0;
};

/// Elements of which a behaviour file expects nothing are left out.
Comparison compare(const Archive& archive, const Results& hardware, const Results& simulated);

/// A line of the list of known differences: `PATTERN KIND [LIMIT] : reason`.
struct Known {
  std::string pattern;  // of forms, with * and ?
  std::string kind;     // "payload", "ulp", "absolute", "any", or "outcome" of a case
  double limit = 0;
  std::string reason;
};
std::vector<Known> read_known(const std::string& path);

/// Differences that no line covers, and lines that cover none: a text each.
std::vector<std::string> complaints(const Comparison& comparison, const std::vector<Known>& known);

/// Markdown: a line for each form, or only for those that differ.
std::string table(const Comparison& comparison, bool all);

}  // namespace raddle::golden
