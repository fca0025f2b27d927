// random_programs GPU functional|timed|all|independent|hashes|words FILE...: runs the programs of
// the files and compares their results with those in the files. `all` and `independent` also run
// them in every way and compare the ways. Exits with 1 if any result differs. `hashes` and `words`
// print the results instead.
#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <iostream>

#include "base/error.h"
#include "runs.h"

namespace raddle::tests {
namespace {

constexpr const char* kBuffers[] = {"out", "global", "scratch"};

/// Where two outcomes differ; empty: nowhere.
std::string difference(const LaunchOutcome& one, const LaunchOutcome& other) {
  if (one.fault.empty() != other.fault.empty()) {
    return one.fault.empty() ? other.fault : one.fault;
  }
  for (unsigned n = 0; n < 3; ++n) {
    const auto [a, b] = std::mismatch(one.words[n].begin(), one.words[n].end(),
                                      other.words[n].begin(), other.words[n].end());
    if (a == one.words[n].end()) continue;
    return fmt::format("{}[{}] is {:#x} and {:#x}", kBuffers[n], a - one.words[n].begin(), *a, *b);
  }
  return "";
}

/// In every way, a program takes as long as some fifteen timed runs. Programs of more cycles are run without
/// timing and with it alone.
constexpr Cycle kMostCyclesInEveryWay = 3'000'000;

class Check {
 public:
  /// `what`: functional, timed, all or independent.
  Check(std::string gpu, std::string what) : gpu_(std::move(gpu)), what_(std::move(what)) {}

  /// How many launches differ from what is expected, or from way to way.
  unsigned run(const RandomProgram& program) {
    const Way first_way = what_ == "timed" ? timed_way() : functional_way();
    const Outcomes first = run_program(program, gpu_, first_way);
    unsigned wrong = 0;
    for (std::size_t n = 0; n < first.size(); ++n) {
      wrong += check_expected(program, n, first_way, first[n]);
    }
    if (what_ != "all" && what_ != "independent") return wrong;

    const Outcomes timed = run_program(program, gpu_, timed_way());
    wrong += compare(program, first, timed_way(), timed);
    Cycle longest = 0, together = 0;
    for (const LaunchOutcome& outcome : timed) {
      longest = std::max(longest, outcome.cycles);
      together += outcome.cycles;
    }
    if (together > kMostCyclesInEveryWay) {
      fmt::print("{}: {} cycles, too long to be run in every way\n", program.name, together);
      return wrong;
    }
    for (const Way& way : further_ways(gpu_, what_ == "independent", longest)) {
      wrong += compare(program, first, way, run_program(program, gpu_, way));
    }
    return wrong;
  }

 private:
  using Outcomes = std::vector<LaunchOutcome>;

  static unsigned compare(const RandomProgram& program, const Outcomes& functional, const Way& way,
                          const Outcomes& got) {
    unsigned wrong = 0;
    for (std::size_t n = 0; n < got.size(); ++n) {
      const std::string text = difference(functional[n], got[n]);
      if (text.empty()) continue;
      ++wrong;
      say(program, n,
          fmt::format("'{}' and '{}' differ: {}", functional_way().name, way.name, text));
    }
    return wrong;
  }

  static unsigned check_expected(const RandomProgram& program, std::size_t n, const Way& way,
                                 const LaunchOutcome& got) {
    if (!got.fault.empty()) {
      say(program, n, got.fault);
      return 1;
    }
    const auto& expected = program.launches[n].expected;
    if (!expected || *expected == got.hashes()) return 0;
    for (unsigned b = 0; b < 3; ++b) {
      if (expected->of[b] != got.hashes().of[b]) {
        say(program, n,
            fmt::format("'{}' differs from what is expected in {}", way.name, kBuffers[b]));
      }
    }
    return 1;
  }

  static void say(const RandomProgram& program, std::size_t n, const std::string& text) {
    const ProgramLaunch& launch = program.launches[n];
    fmt::print("{}: launch {}, {} of {} threads, seed {}: {}\n", program.name, n, launch.kernel,
               launch.block.count(), launch.seed, text);
  }

  std::string gpu_, what_;
};

void print_hashes(const RandomProgram& program, const std::string& gpu) {
  const std::vector<LaunchOutcome> outcomes = run_program(program, gpu, functional_way());
  for (std::size_t n = 0; n < outcomes.size(); ++n) {
    fmt::print("{} {} {}\n", program.launches[n].kernel, n,
               outcomes[n].fault.empty() ? text_of(outcomes[n].hashes()) : outcomes[n].fault);
  }
}

void print_words(const RandomProgram& program, const std::string& gpu) {
  const std::vector<LaunchOutcome> outcomes = run_program(program, gpu, functional_way());
  for (std::size_t n = 0; n < outcomes.size(); ++n) {
    for (unsigned b = 0; b < 3; ++b) {
      for (std::size_t i = 0; i < outcomes[n].words[b].size(); ++i) {
        fmt::print("{} {}[{}] {:08x}\n", n, kBuffers[b], i, outcomes[n].words[b][i]);
      }
    }
  }
}

int run(const std::vector<std::string>& words) {
  if (words.size() < 3)
    fail("random_programs GPU functional|timed|all|independent|hashes|words FILE...");
  const std::string &gpu = words[0], &what = words[1];
  Check check(gpu, what);
  unsigned programs = 0, launches = 0, wrong = 0;
  for (std::size_t n = 2; n < words.size(); ++n) {
    std::ifstream file(words[n]);
    if (!file) fail("{} cannot be read", words[n]);
    for (const RandomProgram& program : read_programs(file, words[n])) {
      ++programs;
      launches += static_cast<unsigned>(program.launches.size());
      if (what == "hashes") {
        print_hashes(program, gpu);
      } else if (what == "words") {
        print_words(program, gpu);
      } else {
        wrong += check.run(program);
      }
    }
  }
  if (what != "hashes" && what != "words") {
    fmt::print("{} launches of {} programs, {} differences\n", launches, programs, wrong);
  }
  if (launches == 0) fail("nothing was launched");
  return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace raddle::tests

int main(int count, char** words) {
  try {
    return raddle::tests::run({words + 1, words + count});
  } catch (const std::exception& error) {
    std::cerr << "random_programs: " << error.what() << '\n';
    return 2;
  }
}
