#include "ptxas.h"

#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <utility>

#include "base/error.h"

namespace raddle::tests {
namespace {

/// What ptxas says of a text: whether it takes it, and which lines it complains of.
struct Answer {
  bool accepted = false;
  std::set<std::size_t> lines;
  std::size_t last = 0;  // where it gave up; 0: it did not
};

/// The number behind `before` in the line, 0 if it is not there.
std::size_t number_after(const std::string& line, const std::string& before) {
  const auto at = line.find(before);
  return at == std::string::npos ? 0 : std::strtoul(line.c_str() + at + before.size(), nullptr, 10);
}

Answer run(const std::string& ptxas, const std::string& text, const std::string& target) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / fmt::format("raddle_statements_{}.ptx", getpid());
  std::ofstream(file) << text;
  const std::string command =
      fmt::format("{} -O0 -arch {} -o /dev/null {} 2>&1", ptxas, target, file.string());
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) fail("cannot run {}", ptxas);
  std::string said;
  char part[4096];
  while (const std::size_t got = std::fread(part, 1, sizeof part, pipe)) said.append(part, got);
  Answer answer;
  answer.accepted = pclose(pipe) == 0;
  std::filesystem::remove(file);
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    const bool fatal = line.find("; fatal") != std::string::npos;
    const bool error = fatal || line.find("; error") != std::string::npos;
    const std::size_t at = error ? number_after(line, ", line ") : 0;
    if (at != 0) answer.lines.insert(at);
    if (fatal) answer.last = at;
    // A 32-bit address of global memory makes it refuse the whole.
    const std::size_t narrow = number_after(line, "Program uses 32-bit address on line '");
    if (narrow != 0) answer.lines.insert(narrow);
  }
  return answer;
}

using Numbers = std::vector<std::size_t>;

class Referee {
 public:
  Referee(std::string ptxas, std::string target, const std::vector<Statement>& statements)
      : ptxas_(std::move(ptxas)), target_(std::move(target)), statements_(statements) {}

  /// Those of `open` that it takes.
  Numbers accepted(Numbers open) const {
    for (;;) {
      Numbers left = without_errors(open);
      if (left.size() == open.size()) return halved(std::move(left));
      open = std::move(left);
    }
  }

 private:
  Answer ask(const Numbers& open) const {
    std::vector<Statement> asked;
    for (const std::size_t n : open) asked.push_back(statements_[n]);
    return run(ptxas_, module_of(asked, target_), target_);
  }

  /// It gives up at the first error of syntax: what comes behind is asked again by itself.
  Numbers without_errors(Numbers open) const {
    Numbers left;
    while (!open.empty()) {
      const Answer answer = ask(open);
      const std::size_t seen = answer.last < kFirstLine
                                   ? open.size()
                                   : std::min(open.size(), answer.last - kFirstLine + 1);
      for (std::size_t n = 0; n < seen; ++n) {
        if (!answer.lines.contains(kFirstLine + n)) left.push_back(open[n]);
      }
      open.erase(open.begin(), open.begin() + static_cast<std::ptrdiff_t>(seen));
    }
    return left;
  }

  /// Of statements that it complains of without naming a line.
  Numbers halved(Numbers open) const {
    if (open.empty() || ask(open).accepted) return open;
    if (open.size() == 1) return {};
    const auto middle = open.begin() + static_cast<std::ptrdiff_t>(open.size() / 2);
    // Beside fewer others, it may name lines.
    Numbers first = accepted({open.begin(), middle}), second = accepted({middle, open.end()});
    first.insert(first.end(), second.begin(), second.end());
    return first;
  }

  std::string ptxas_, target_;
  const std::vector<Statement>& statements_;
};

}  // namespace

std::string find_ptxas() {
  const char* named = std::getenv("PTXAS");
  const std::string path = named != nullptr ? named : "/usr/local/cuda/bin/ptxas";
  return access(path.c_str(), X_OK) == 0 ? path : "";
}

std::vector<Verdict> ask_ptxas(const std::string& ptxas, const std::vector<Statement>& statements) {
  constexpr std::size_t kAtOnce = 2000;
  std::vector<Verdict> verdicts(statements.size(), Verdict::refused);
  const Referee referee(ptxas, kTarget, statements);
  Numbers open;
  for (std::size_t n = 0; n < statements.size(); ++n) {
    open.push_back(n);
    if (open.size() < kAtOnce && n + 1 != statements.size()) continue;
    for (const std::size_t taken : referee.accepted(std::exchange(open, {})))
      verdicts[taken] = Verdict::accepted;
  }
  return verdicts;
}

}  // namespace raddle::tests
