// random_programs GPU functional|timed|all|independent|hashes|words FILE...: runs the programs of the files and compares their results
// with those that the files give; `all` and `independent` also run them in every way and compare these. Exits with 1
// where any differ. `hashes` and
// `words` print the results instead.
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

class Check {
 public:
  Check(std::string gpu, std::vector<Way> ways) : gpu_(std::move(gpu)), ways_(std::move(ways)) {}

  /// How many launches differ from what is expected, or from way to way.
  unsigned run(const RandomProgram& program) {
    const std::vector<LaunchOutcome> first = run_program(program, gpu_, ways_[0]);
    unsigned wrong = 0;
    for (std::size_t n = 0; n < first.size(); ++n) wrong += check_expected(program, n, first[n]);
    for (std::size_t way = 1; way < ways_.size(); ++way) {
      const std::vector<LaunchOutcome> other = run_program(program, gpu_, ways_[way]);
      for (std::size_t n = 0; n < first.size(); ++n) {
        const std::string text = difference(first[n], other[n]);
        if (text.empty()) continue;
        ++wrong;
        say(program, n,
            fmt::format("'{}' and '{}' differ: {}", ways_[0].name, ways_[way].name, text));
      }
    }
    return wrong;
  }

 private:
  unsigned check_expected(const RandomProgram& program, std::size_t n, const LaunchOutcome& got) {
    if (!got.fault.empty()) {
      say(program, n, got.fault);
      return 1;
    }
    const auto& expected = program.launches[n].expected;
    if (!expected || *expected == got.hashes()) return 0;
    for (unsigned b = 0; b < 3; ++b) {
      if (expected->of[b] != got.hashes().of[b]) {
        say(program, n,
            fmt::format("'{}' differs from what is expected in {}", ways_[0].name, kBuffers[b]));
      }
    }
    return 1;
  }

  static void say(const RandomProgram& program, std::size_t n, const std::string& text) {
    const ProgramLaunch& launch = program.launches[n];
    fmt::print("{}: launch {}, {} of {} threads, seed {}: {}\n", program.name, n, launch.kernel,
               launch.block.count(), launch.seed, text);
  }

  std::string gpu_;
  std::vector<Way> ways_;
};

void print_hashes(const RandomProgram& program, const std::string& gpu) {
  const std::vector<LaunchOutcome> outcomes = run_program(program, gpu, functional_way());
  for (std::size_t n = 0; n < outcomes.size(); ++n) {
    fmt::print("{} {} {}\n", program.launches[n].kernel, n,
               outcomes[n].fault.empty() ? text_of(outcomes[n].hashes()) : outcomes[n].fault);
  }
}

std::vector<Way> ways_of(const std::string& gpu, const std::string& what) {
  if (what == "all" || what == "independent") return all_ways(gpu, what == "independent");
  return {what == "timed" ? timed_way() : functional_way()};
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
  Check check(gpu, ways_of(gpu, what));
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
