#include "evidence_pages.h"

#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "base/output_file.h"
#include "experiment/evidence.h"
#include "paths.h"

namespace raddle::cli {
namespace fs = std::filesystem;

namespace {

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

void write_pages(const std::string& name) {
  experiment::Evidence evidence(root());
  std::map<std::string, std::string> files = evidence.page(name);
  files.merge(evidence.overview());
  for (const auto& [path, text] : files) {
    const fs::path file = root() / path;
    fs::create_directories(file.parent_path());
    write_file(file.string(), text);
    fmt::print("Written: {}\n", file.string());
  }
}

int check_pages() {
  experiment::Evidence evidence(root());
  std::map<std::string, std::string> files = evidence.overview();
  for (const std::string& name : evidence.names()) files.merge(evidence.page(name));
  int differing = 0;
  for (const auto& [path, text] : files) {
    if (content_of(root() / path) == text) continue;
    fmt::print("{} is not what results generate: raddle reproduce NAME --page\n", path);
    ++differing;
  }
  fmt::print("{} files, {} differ\n", files.size(), differing);
  return differing == 0 ? 0 : 1;
}

}  // namespace raddle::cli
