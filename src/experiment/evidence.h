// Pages of evidence: docs/evidence/NAME.md with a picture. They are made from results in the tree
// (results/NAME.json), an experiment's file and a text written by hand (experiments/NAME.md).
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "experiment/placeholders.h"

namespace raddle::experiment {

class Evidence {
 public:
  /// `root`: the root of the source tree.
  explicit Evidence(std::filesystem::path root) : root_(std::move(root)) {}

  /// The experiments that have results and a text, by name.
  std::vector<std::string> names() const;

  /// The files of one experiment, and the overview of all, by path from the root. Throws Error if
  /// results lack runs. Throws InputError, with file and line, for texts that are too long for a
  /// page, and as filled() does.
  std::map<std::string, std::string> page(const std::string& name);
  std::map<std::string, std::string> overview();

  static constexpr std::size_t kHeadLines = 10, kDeviations = 10, kPageLines = 250;

 private:
  const Source& source(const std::string& name);
  std::string head(const HandText& text, const Source& source);
  std::string deviations(const HandText& text, const Source& source);
  std::string paragraph(const HandText& text, const std::string& section, const Source& source);

  std::filesystem::path root_;
  std::map<std::string, std::unique_ptr<Source>> sources_;
};

}  // namespace raddle::experiment
