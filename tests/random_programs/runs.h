// Runs random programs on a simulated GPU, in one way or in every way.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/types.h"
#include "program.h"

namespace raddle::tests {

/// How a program may be run; its results do not depend on it.
struct Way {
  std::string name;
  std::vector<std::pair<std::string, std::string>> settings;
  bool passes = true;
};

/// Without timing.
Way functional_way();
/// With timing, and otherwise as the GPU's description says.
Way timed_way();

/// Further ways: by two host threads, preempted at random, without passes, with those of each mechanism
/// that brings some, and with each scheme of lane control. `independent`: only schemes under which lanes that wait for one another may be at different places, as
/// from compute capability 7.0 on (PTX ISA 9.7.13.1). `longest`: cycles of the longest launch. It is
/// preempted at most some fifty times, since saving a large block may take longer than a short period.
std::vector<Way> further_ways(const std::string& gpu, bool independent, Cycle longest);

/// What a launch came to: its buffers, or why it did not end.
struct LaunchOutcome {
  std::string fault;
  std::vector<std::uint32_t> words[3] = {};  // out, global, scratch
  Cycle cycles = 0;                          // if timed
  ResultHashes hashes() const;
};

/// All launches of a program, in one way. What faults ends the program: later launches have that
/// fault, too. A module that is refused is a fault of all its launches.
std::vector<LaunchOutcome> run_program(const RandomProgram& program, const std::string& gpu,
                                       const Way& way);

}  // namespace raddle::tests
