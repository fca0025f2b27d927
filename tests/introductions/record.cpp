// Asks ptxas from which PTX version and on which targets it accepts each form; writes recorded.txt.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "base/error.h"
#include "recorded.h"
#include "statements.h"

namespace raddle::tests {
namespace {

namespace fs = std::filesystem;

/// What the assembler says of a program.
struct Verdict {
  bool checked = true;                                  // it came so far as to check instructions
  std::map<unsigned, std::vector<std::string>> errors;  // by line
  unsigned fatal = 0;  // the line at which it gave up; 0: it did not
};

Verdict ask(const std::string& ptxas, const fs::path& folder, const std::string& text,
            const std::string& target) {
  const fs::path in = folder / "form.ptx";
  std::ofstream(in, std::ios::binary) << text;
  // It generates no code for `compute_`; of targets that it has forgotten it still reads the PTX.
  const std::string architecture = std::atoi(target.c_str() + 3) < 75 ? "75" : target.substr(3);
  const std::string command =
      fmt::format("{} -arch=compute_{} {} -o /dev/null 2>&1", ptxas, architecture, in.string());
  Verdict verdict;
  std::FILE* said = popen(command.c_str(), "r");
  char* line = nullptr;
  std::size_t room = 0;
  while (getline(&line, &room, said) > 0) {
    const std::string message = line;
    const auto at = message.find(", line ");
    const bool last = message.find("due to errors") != message.npos;
    if (message.find("syntax error") != message.npos || (at == message.npos && !last)) {
      verdict.checked = false;
    }
    const bool fatal = message.find("fatal   :") != message.npos;
    if (at == message.npos || !(fatal || message.find("error   :") != message.npos)) continue;
    const auto number = static_cast<unsigned>(std::atoi(line + at + 7));
    verdict.errors[number].push_back(message);
    if (fatal) verdict.fatal = number;
  }
  std::free(line);
  pclose(said);
  return verdict;
}

/// The text with that line empty.
std::string without_line(std::string text, unsigned number) {
  std::size_t start = 0;
  while (--number != 0) start = text.find('\n', start) + 1;
  return text.erase(start, text.find('\n', start) - start);
}

constexpr std::string_view kOfVersions = "PTX ISA .version ", kOfTargets = "requires .target ";

/// Where verdicts may change: at what the errors of the very first one name, if that is all they
/// are about.
template <std::size_t count>
std::set<std::size_t> turning_points(const Verdict& first, std::string_view about,
                                     const std::string_view (&names)[count], bool only) {
  // What is withdrawn, or of a family, no error of the first says.
  std::set<std::size_t> points = {0};
  for (const std::string_view name : {"sm_20", "sm_70", "sm_75", "sm_90", "sm_100"}) {
    const auto* const named = std::find(std::begin(names), std::end(names), name);
    if (named != std::end(names)) points.insert(static_cast<std::size_t>(named - names));
  }
  for (const auto& [line, messages] : first.errors) {
    for (const std::string& message : messages) {
      const auto at = message.find(about);
      if (at == message.npos && !only) continue;
      const auto from = at + about.size();
      const auto* const named =
          at == message.npos ? std::end(names)
                             : std::find(std::begin(names), std::end(names),
                                         message.substr(from, message.find(' ', from) - from));
      if (named != std::end(names)) {
        points.insert(static_cast<std::size_t>(named - names));
      } else {
        for (std::size_t n = 0; n < count; ++n) points.insert(n);
      }
    }
  }
  return points;
}

class Recorder {
 public:
  Recorder(std::string ptxas, const fs::path& folder) : ptxas_(std::move(ptxas)), folder_(folder) {}

  void record(const FormProgram& program, const fs::path& folder) {
    fs::create_directories(folder);
    Recorded found;
    if (!record_targets(program, folder, found)) return;
    record_versions(program, folder, found);
    const std::lock_guard lock(mutex_);
    for (const auto& [form, introduced] : found) {
      auto [place, fresh] = all_.try_emplace(form, introduced);
      // Another statement of the form may need more for reasons of its own.
      place->second.targets |= introduced.targets;
      place->second.version = std::min(place->second.version, introduced.version);
    }
  }

  void run(const std::vector<FormProgram>& programs, unsigned threads) {
    std::atomic<std::size_t> next = 0;
    std::vector<std::thread> workers;
    for (unsigned n = 0; n < threads; ++n) {
      workers.emplace_back([&, n] {
        for (std::size_t k; (k = next++) < programs.size();) {
          record(programs[k], folder_ / std::to_string(n));
          if (k % 20 == 0) fmt::print(stderr, "{} of {}\n", k, programs.size());
        }
      });
    }
    for (std::thread& worker : workers) worker.join();
  }

  const Recorded& all() const { return all_; }

 private:
  /// Where ptxas gives up at a line, what is behind it is asked about without that line.
  Verdict ask_for(const FormProgram& program, const fs::path& folder, std::size_t version,
                  std::size_t target) const {
    const std::string name(kTargets[target]);
    std::string text = retargeted(program.text, std::string(kVersions[version]), name);
    Verdict all = ask(ptxas_, folder, text, name);
    for (unsigned fatal = all.fatal; all.checked && fatal != 0;) {
      text = without_line(text, fatal);
      Verdict rest = ask(ptxas_, folder, text, name);
      all.checked = rest.checked;
      all.errors.merge(rest.errors);
      fatal = rest.fatal;
    }
    return all;
  }

  /// A form that no target has is left out.
  bool record_targets(const FormProgram& program, const fs::path& folder, Recorded& found) const {
    const std::size_t newest = std::size(kVersions) - 1;
    const Verdict first = ask_for(program, folder, newest, 0);
    const auto points = turning_points(first, kOfTargets, kTargets, true);
    Verdict verdict;
    for (std::size_t n = 0; n < std::size(kTargets); ++n) {
      if (points.contains(n)) verdict = ask_for(program, folder, newest, n);
      if (!verdict.checked) {
        fmt::print(stderr, "{}: not checked for {}\n", program.name, kTargets[n]);
        return false;
      }
      for (const auto& [line, form] : program.forms) {
        if (!verdict.errors.contains(line)) found[form].targets |= std::uint64_t{1} << n;
      }
    }
    for (const auto& [line, form] : program.forms) {
      if (found.contains(form)) continue;
      fmt::print(stderr, "{}: {} is refused: {}", program.name, form, verdict.errors[line].front());
    }
    return true;
  }

  /// Only what is said of versions counts: of some target it is said in any version. Of what a target
  /// does not have, ptxas does not say from which version on others have it: each form is asked about
  /// on a target that has it.
  void record_versions(const FormProgram& program, const fs::path& folder, Recorded& found) const {
    const auto* const named = std::find(std::begin(kTargets), std::end(kTargets), "sm_75");
    const auto any = static_cast<std::size_t>(named - kTargets);
    std::map<std::size_t, std::map<unsigned, std::string>> by_target;
    for (const auto& [line, form] : program.forms) {
      const auto known = found.find(form);
      if (known == found.end()) continue;
      const auto oldest = static_cast<std::size_t>(std::countr_zero(known->second.targets));
      by_target[std::max(oldest, any)][line] = form;
    }
    std::map<std::string, std::size_t> first;
    for (const auto& [target, forms] : by_target)
      record_versions_of(program, forms, target, folder, first);
    for (auto& [form, introduced] : found) {
      const auto known = first.find(form);
      if (known == first.end()) raddle::fail("{}: {} is of no version", program.name, form);
      introduced.version = known->second;
    }
  }

  void record_versions_of(const FormProgram& program, const std::map<unsigned, std::string>& forms,
                          std::size_t target, const fs::path& folder,
                          std::map<std::string, std::size_t>& first) const {
    const auto points =
        turning_points(ask_for(program, folder, 0, target), kOfVersions, kVersions, false);
    for (const std::size_t n : points) {
      const Verdict verdict = ask_for(program, folder, n, target);
      for (const auto& [line, form] : forms) {
        const auto errors = verdict.errors.find(line);
        const bool refused =
            errors != verdict.errors.end() &&
            std::any_of(errors->second.begin(), errors->second.end(), [](const std::string& one) {
              return one.find(kOfVersions) != one.npos || one.find("fatal   :") != one.npos;
            });
        if (!refused) first.try_emplace(form, n);
      }
    }
  }

  std::string ptxas_;
  fs::path folder_;
  std::mutex mutex_;
  Recorded all_;
};

}  // namespace
}  // namespace raddle::tests

int main(int count, char** arguments) {
  using namespace raddle::tests;
  if (count != 3 && count != 4) {
    fmt::print(stderr,
               "usage: record_introductions PTXAS recorded.txt [NAME]\n"
               "NAME: only programs whose name contains it; the file keeps the other forms\n");
    return 2;
  }
  raddle::isa::Matcher matcher;
  auto programs = form_programs(matcher, RADDLE_BEHAVIOUR_DIR);
  Recorded all;
  if (count == 4) {
    std::erase_if(programs, [&](const FormProgram& program) {
      return program.name.find(arguments[3]) == program.name.npos;
    });
    all = read_recorded(arguments[2]);
  }
  fmt::print(stderr, "{} programs\n", programs.size());
  const auto folder = std::filesystem::temp_directory_path() /
                      fmt::format("introductions.{}", static_cast<long>(getpid()));
  Recorder recorder(arguments[1], folder);
  recorder.run(programs, 2);
  std::filesystem::remove_all(folder);
  for (const auto& [form, introduced] : recorder.all()) all[form] = introduced;
  write_recorded(arguments[2], all);
}
