#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "drafts.h"

namespace raddle::golden {
namespace {

namespace fs = std::filesystem;

/// One thread's assembler, with files of its own.
class Assembler {
 public:
  Assembler(std::string ptxas, fs::path folder)
      : ptxas_(std::move(ptxas)), folder_(std::move(folder)) {
    fs::create_directories(folder_);
  }

  /// The cubin, or "" with complaints(). Sums of products stay two roundings, as the text has them.
  std::string run(const std::string& text) {
    const fs::path in = folder_ / "case.ptx", out = folder_ / "case.cubin",
                   log = folder_ / "case.log";
    std::ofstream(in, std::ios::binary) << text;
    fs::remove(out);
    const std::string command = ptxas_ + " -arch=sm_90a --fmad=false " + in.string() + " -o " +
                                out.string() + " > " + log.string() + " 2>&1";
    const bool good = std::system(command.c_str()) == 0;
    complaints_ = read_file(log.string());
    return good ? read_file(out.string()) : "";
  }
  const std::string& complaints() const { return complaints_; }

 private:
  std::string ptxas_, complaints_;
  fs::path folder_;
};

/// First words of the lines that errors name, with what is wrong.
std::map<std::string, std::string> named_lines(const std::string& complaints,
                                               const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  std::map<std::string, std::string> words;
  std::istringstream errors(complaints);
  for (std::string line; std::getline(errors, line);) {
    const auto at = line.find(", line "), error = line.find("error   : ");
    if (at == std::string::npos || error == std::string::npos) continue;
    const auto number = static_cast<std::size_t>(std::atoi(line.c_str() + at + 7));
    if (number == 0 || number > lines.size()) continue;
    words.emplace(first_word(lines[number - 1]), line.substr(error + 10));
  }
  return words;
}

/// Forms that the assembler cannot digest, found one by one: it names no line when it falls over.
std::map<std::string, std::string> indigestible(const Draft& draft, const Refused& refused,
                                                Assembler& assembler) {
  Refused all;
  const auto whole = draft.make(refused);
  for (const Field& field : whole.at(0).fields) all.insert(field.name);
  std::map<std::string, std::string> found;
  for (const std::string& name : all) {
    Refused others = all;
    others.erase(name);
    others.insert(refused.begin(), refused.end());
    const auto alone = draft.make(others);
    if (alone.empty() || alone[0].fields[0].name != name) return {};  // a text of one form
    if (!assembler.run(alone[0].ptx).empty()) continue;
    const std::string& why = assembler.complaints();
    found.emplace(name, "the assembler ends: " + why.substr(0, why.find('\n')));
  }
  return found;
}

struct Made {
  std::vector<Case> cases;
  std::set<std::string> refused;
};

/// A line of the list of what is refused.
std::string complaint(const std::string& what, const std::string& why) { return what + ": " + why; }

Made make(const Draft& draft, Assembler& assembler) {
  Made made;
  Refused refused;
  for (;;) {
    made.cases = draft.make(refused);
    if (made.cases.empty()) return made;
    const std::string text = made.cases[0].ptx, cubin = assembler.run(text);
    for (Case& c : made.cases) c.cubin = cubin;
    if (!cubin.empty()) return made;
    const std::string why = assembler.complaints();
    auto wrong = named_lines(why, text);
    if (wrong.empty()) wrong = indigestible(draft, refused, assembler);
    const std::size_t before = refused.size();
    for (const auto& [word, reason] : wrong) refused.insert(word);
    const auto again = draft.make(refused);
    if (refused.size() == before || (!again.empty() && again[0].ptx == text)) {
      const auto error = why.find("error   : ");
      made.refused.insert(complaint(
          made.cases[0].name, error == std::string::npos
                                  ? why.substr(0, why.find('\n'))
                                  : why.substr(error + 10, why.find('\n', error) - error - 10)));
      made.cases.clear();
      return made;
    }
    for (const auto& [word, reason] : wrong) made.refused.insert(complaint(word, reason));
  }
}

}  // namespace

Archive assemble(const Drafts& drafts, const std::string& ptxas) {
  const fs::path folder = fs::temp_directory_path() / ("golden." + std::to_string(std::rand()));
  std::vector<Made> made(drafts.size());
  std::atomic<std::size_t> next = 0;
  std::vector<std::thread> threads;
  for (unsigned n = 0; n < 2; ++n) {
    threads.emplace_back([&, n] {
      Assembler assembler(ptxas, folder / std::to_string(n));
      for (std::size_t k; (k = next++) < drafts.size();) made[k] = make(drafts[k], assembler);
    });
  }
  for (std::thread& thread : threads) thread.join();
  fs::remove_all(folder);
  Archive archive;
  std::set<std::string> refused;
  for (Made& m : made) {
    for (Case& c : m.cases) archive.cases.push_back(std::move(c));
    refused.merge(m.refused);
  }
  archive.refused.assign(refused.begin(), refused.end());
  return archive;
}

std::string for_hopper(std::string text) {
  const auto at = text.find(".target sm_");
  if (at == std::string::npos) return text;
  const auto end = text.find_first_of(", \n", at + 8);
  const int number = std::atoi(text.c_str() + at + 11);
  const auto version = text.find(".version ");
  const bool knows = std::atof(text.c_str() + version + 9) >= 8.0;  // targets with an a
  return number < 90 || !knows ? text : text.replace(at, end - at, ".target sm_90a");
}

std::string first_word(const std::string& line) {
  const auto from = line.find_first_not_of(" \t");
  if (from == std::string::npos) return "";
  return line.substr(from, line.find_first_of(" ;", from) - from);
}

std::string raw(const std::vector<std::uint64_t>& values, unsigned bytes) {
  std::string all;
  for (const std::uint64_t value : values) {
    for (unsigned n = 0; n < bytes; ++n) all += static_cast<char>(value >> 8 * n);
  }
  return all;
}

}  // namespace raddle::golden
