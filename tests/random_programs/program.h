// Random whole programs: modules of PTX whose kernels all have the same parameters, with their
// launches. fuzz/programs makes them; tests/golden has some with the results of real hardware.
//
// A program is a PTX file with comments of its own, one a launch:
//   // launch KERNEL GX GY GZ BX BY BZ SEED [OUT GLOBAL SCRATCH]
// The three hashes at the end (16 hexadecimal digits each) are the results, if they are given. A
// file may have several programs, each after a line `// program NAME`.
//
// A kernel has the parameters (in, out, global, scratch, seed): 4,096 words to read; 16 words a
// thread to write; 4,096 words, initially zero, for operations whose order does not matter; 32
// private words a thread, initially 0x11111111.
#pragma once

#include <array>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "base/types.h"
#include "words.h"

namespace raddle::tests {

/// What a launch has left in its buffers: a hash of each.
struct ResultHashes {
  std::array<std::uint64_t, 3> of = {};  // out, global, scratch
  bool operator==(const ResultHashes&) const = default;
};
std::string text_of(const ResultHashes& hashes);

struct ProgramLaunch {
  std::string kernel;
  Dim3 grid, block;
  std::uint32_t seed = 0;
  std::optional<ResultHashes> expected;
};

struct RandomProgram {
  std::string name;
  std::string text;
  std::vector<ProgramLaunch> launches;
};

/// All programs of a file. Throws Error for a launch that cannot be understood.
std::vector<RandomProgram> read_programs(std::istream& file, const std::string& name);

}  // namespace raddle::tests
