#include "experiment/hand_text.h"

#include <algorithm>
#include <fstream>

#include "base/config.h"

namespace raddle::experiment {

const std::vector<std::string>& HandText::headings() {
  static const std::vector<std::string> all = {
      "Claim", "Here", "Agreement", "Decides", "Not to conclude", "Deviations", "Row"};
  return all;
}

HandText::HandText(std::string file) : file_(std::move(file)) {
  std::ifstream in(file_);
  if (!in) fail("cannot read {}: a page of evidence needs a text by hand", file_);
  std::vector<HandLine>* section = nullptr;
  unsigned number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.starts_with("## ")) {
      const std::string heading = line.substr(3);
      if (std::count(headings().begin(), headings().end(), heading) == 0) {
        const std::vector<std::string> near = near_names(heading, headings());
        fail_at({file_, number, 0}, "there is no section '{}'{}{}", heading,
                near.empty() ? "" : "; did you mean ", near.empty() ? "" : near.front());
      }
      if (sections_.contains(heading)) {
        fail_at({file_, number, 0}, "the section '{}' is there twice", heading);
      }
      section = &sections_[heading];
    } else if (section != nullptr) {
      if (line.find_first_not_of(' ') != line.npos) section->push_back({line, number});
    } else if (!line.empty()) {
      fail_at({file_, number, 0}, "text before the first section ('## {}')", headings().front());
    }
  }
  for (const std::string& heading : headings()) {
    if (sections_.contains(heading)) continue;
    fail_at({file_, 0, 0}, "has no section '## {}'", heading);
  }
}

std::vector<HandLine> HandText::lines() const {
  std::vector<HandLine> all;
  for (const std::string& heading : headings()) {
    const std::vector<HandLine>& own = section(heading);
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

}  // namespace raddle::experiment
