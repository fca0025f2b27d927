// The hand-written part of a page of evidence: experiments/NAME.md, Markdown in sections with fixed
// headings. Its numbers are {{placeholders}} (placeholders.h).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/error.h"

namespace raddle::experiment {

struct HandLine {
  std::string text;
  unsigned number = 0;  // in the file, from 1
};

class HandText {
 public:
  /// The headings of the sections. Each must be present, in this order.
  static const std::vector<std::string>& headings();

  /// Throws InputError with file and line for a heading that is unknown, occurs twice, or is
  /// missing.
  explicit HandText(std::string file);

  const std::string& file() const { return file_; }
  const std::vector<HandLine>& section(const std::string& heading) const {
    return sections_.at(heading);
  }
  /// The lines of all sections.
  std::vector<HandLine> lines() const;
  SourcePosition place(const HandLine& line) const { return {file_, line.number, 0}; }

 private:
  std::string file_;
  std::map<std::string, std::vector<HandLine>> sections_;
};

}  // namespace raddle::experiment
