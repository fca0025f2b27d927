#include "program.h"

#include <fmt/core.h>

#include <istream>
#include <sstream>

#include "base/error.h"

namespace raddle::tests {
namespace {

constexpr std::string_view kProgram = "// program ", kLaunch = "// launch ";

ProgramLaunch read_launch(const std::string& line, const std::string& where) {
  ProgramLaunch launch;
  std::istringstream words(line.substr(kLaunch.size()));
  words >> launch.kernel;
  for (Dim3* size : {&launch.grid, &launch.block}) words >> size->x >> size->y >> size->z;
  words >> launch.seed;
  if (!words) fail("{}: a launch has a kernel, six sizes and a seed: {}", where, line);
  ResultHashes hashes;
  unsigned given = 0;
  words >> std::hex;
  while (given < 3 && words >> hashes.of[given]) ++given;
  if (given == 3) launch.expected = hashes;
  if (given != 3 && given != 0) fail("{}: a launch has three results or none: {}", where, line);
  return launch;
}

}  // namespace

std::string text_of(const ResultHashes& hashes) {
  return fmt::format("{:016x} {:016x} {:016x}", hashes.of[0], hashes.of[1], hashes.of[2]);
}

std::vector<RandomProgram> read_programs(std::istream& file, const std::string& name) {
  std::vector<RandomProgram> programs;
  std::string line;
  while (std::getline(file, line)) {
    const bool begins = line.starts_with(kProgram);
    if (begins || programs.empty()) {
      programs.emplace_back().name = begins ? line.substr(kProgram.size()) : name;
    }
    RandomProgram& program = programs.back();
    if (line.starts_with(kLaunch)) program.launches.push_back(read_launch(line, program.name));
    program.text += line + '\n';
  }
  return programs;
}

}  // namespace raddle::tests
