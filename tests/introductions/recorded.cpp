#include "recorded.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace raddle::tests {

void write_recorded(const std::string& file, const Recorded& recorded) {
  std::map<Introduced, std::string> lines;
  for (const auto& [form, introduced] : recorded) lines[introduced] += " " + form;
  std::ofstream out(file);
  for (const auto& [introduced, forms] : lines) {
    out << fmt::format("{} {:#x}:{}\n", kVersions[introduced.version], introduced.targets, forms);
  }
  out.close();
  if (!out) throw std::runtime_error("cannot write " + file);
}

Recorded read_recorded(const std::string& file) {
  std::ifstream in(file);
  Recorded recorded;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string version, targets;
    words >> version >> targets;
    const auto* const known = std::find(std::begin(kVersions), std::end(kVersions), version);
    if (known == std::end(kVersions)) throw std::runtime_error(file + ": " + line.substr(0, 40));
    const Introduced introduced{static_cast<std::size_t>(known - kVersions),
                                std::stoull(targets, nullptr, 16)};
    for (std::string form; words >> form;) recorded[form] = introduced;
  }
  return recorded;
}

}  // namespace raddle::tests
