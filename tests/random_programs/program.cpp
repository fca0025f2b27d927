#include "program.h"

#include <fmt/core.h>

#include <istream>
#include <iterator>
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

std::uint64_t next_random(std::uint64_t& state) {
  std::uint64_t mixed = state += 0x9e3779b97f4a7c15;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
  return mixed ^ (mixed >> 31);
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

std::vector<std::uint32_t> program_input() {
  constexpr std::uint32_t kSpecial[] = {
      0,          1,          0xffffffff, 0x80000000, 0x7fffffff, 0x7f800000, 0xff800000,
      0x7fc00000, 0x00000001, 0x807fffff, 0x00800000, 0x3f800000, 0xbf800000, 0x40490fdb,
      0x7f7fffff, 0x3c003c00, 0x7bff0400, 0xfc007e00, 0x80008000, 0x00ff00ff, 0x4b000000,
      0xcf000000, 0x4f800000, 0x3f7fffff, 0x12345678, 0x7fff8000, 0x0000ffff, 0x42c80000,
      0x3eaaaaab, 0x447a0000, 0x55555555, 0x3ff00000};
  std::vector<std::uint32_t> words(kInputWords);
  std::uint64_t state = 12345;
  for (unsigned i = 0; i < kInputWords; ++i) {
    const std::uint64_t random = next_random(state);
    const auto low = static_cast<std::uint32_t>(random);
    const auto high = static_cast<std::uint32_t>(random >> 32);
    switch (i % 4) {
      case 0:
        words[i] = low;
        break;
      case 1:
        words[i] = low & 0xff;
        break;
      case 2:
        words[i] = (low & 0x807fffff) | (100 + high % 50) << 23;
        break;
      default:
        words[i] = kSpecial[high % std::size(kSpecial)];
    }
  }
  return words;
}

std::uint64_t hash_words(const std::uint32_t* words, std::size_t count) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (std::size_t i = 0; i < count; ++i) {
    hash = (hash ^ words[i]) * 0x100000001b3;
    hash ^= hash >> 29;
  }
  return hash;
}

}  // namespace raddle::tests
