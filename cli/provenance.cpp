#include "provenance.h"

#include <fmt/core.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>
#include <thread>
#include <vector>

#include "base/shell.h"

namespace raddle::cli {

extern const char* const kCommit;  // cmake/WriteCommit.cmake

namespace {
constexpr std::string_view kChanged = "-changed";
constexpr std::size_t kShortCommit = 12;
}  // namespace

std::string commit() { return kCommit; }

std::string version() {
  const std::string all = commit();
  if (all.empty()) return RADDLE_VERSION " (commit unknown: not built in a git clone)";
  return fmt::format("{} (commit {}{})", RADDLE_VERSION, all.substr(0, kShortCommit),
                     all.ends_with(kChanged) ? ", changed" : "");
}

std::string own_command() {
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(in, word, '\0');) words.push_back(word);
  if (!words.empty()) words.front() = "raddle";
  return shell_command(words);
}

std::string date() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

std::string computer() {
  std::ifstream in("/proc/cpuinfo");
  std::string processor = "unknown processor";
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("model name")) continue;
    processor = line.substr(line.find(':') + 2);
    break;
  }
  utsname system{};
  uname(&system);
  const double bytes =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  return fmt::format("{}, {} processors, {:.0f} GB, {} {}", processor,
                     std::thread::hardware_concurrency(), bytes / (1 << 30), system.sysname,
                     system.machine);
}

std::string provenance_json() {
  const nlohmann::ordered_json json{{"command", own_command()},
                                    {"raddle", RADDLE_VERSION},
                                    {"commit", commit()},
                                    {"date", date()},
                                    {"host", host_name()}};
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace raddle::cli
