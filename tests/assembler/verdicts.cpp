#include "verdicts.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>

#include "base/error.h"

namespace raddle::tests {
namespace {

constexpr std::size_t kMostShared = 255;

std::size_t shared_prefix(const std::string& a, const std::string& b) {
  const auto ends = std::mismatch(
      a.begin(),
      a.begin() + static_cast<std::ptrdiff_t>(std::min({a.size(), b.size(), kMostShared})),
      b.begin());
  return static_cast<std::size_t>(ends.first - a.begin());
}

std::ifstream open_to_read(const std::string& path) {
  std::ifstream file(path);
  if (!file) fail("cannot read {}", path);
  return file;
}

}  // namespace

RecordedVerdicts::RecordedVerdicts(const std::string& path) {
  std::ifstream file = open_to_read(path);
  Statement last;
  for (std::string line; std::getline(file, line);) {
    if (line.size() < 3) fail("{}: '{}' is no verdict", path, line);
    last = last.substr(0, std::stoul(line.substr(1, 2), nullptr, 16)) + line.substr(3);
    verdicts_[last] = static_cast<Verdict>(line[0]);
  }
}

std::optional<Verdict> RecordedVerdicts::of(const Statement& statement) const {
  const auto found = verdicts_.find(statement);
  if (found == verdicts_.end()) return std::nullopt;
  return found->second;
}

void RecordedVerdicts::write(const std::string& path, const std::vector<Statement>& statements,
                             const std::vector<Verdict>& verdicts) {
  std::ofstream file(path);
  Statement last;
  for (std::size_t n = 0; n < statements.size(); ++n) {
    const std::size_t shared = shared_prefix(last, statements[n]);
    file << fmt::format("{}{:02x}{}\n", static_cast<char>(verdicts[n]), shared,
                        statements[n].substr(shared));
    last = statements[n];
  }
  if (!file.flush()) fail("cannot write {}", path);
}

KnownDifferences::KnownDifferences(const std::string& path) {
  std::ifstream file = open_to_read(path);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    patterns_.push_back({line, std::regex(line), false});
  }
}

bool KnownDifferences::knows(const Statement& statement) {
  static const auto* const kGuard = new std::regex("^@ ?!? ?%\\w+ ");
  const std::string unguarded = std::regex_replace(statement, *kGuard, "");
  for (Pattern& pattern : patterns_) {
    if (!std::regex_search(unguarded, pattern.expression)) continue;
    return pattern.used = true;
  }
  return false;
}

std::vector<std::string> KnownDifferences::unused() const {
  std::vector<std::string> texts;
  for (const Pattern& pattern : patterns_) {
    if (!pattern.used) texts.push_back(pattern.text);
  }
  return texts;
}

}  // namespace raddle::tests
