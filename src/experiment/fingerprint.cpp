#include "experiment/fingerprint.h"

#include <fmt/core.h>

#include <cctype>
#include <fstream>
#include <iterator>
#include <vector>

#include "base/error.h"

namespace raddle::experiment {
namespace fs = std::filesystem;

namespace {

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) fail("cannot read {}", file.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The end of the literal that begins at `at`: behind its closing quote. Raw strings, too.
std::size_t literal_end(std::string_view source, std::size_t at) {
  if (source[at] == '"' && at > 0 && source[at - 1] == 'R') {
    const std::size_t open = source.find('(', at);
    if (open == source.npos) return source.size();
    const std::string close = fmt::format("){}\"", source.substr(at + 1, open - at - 1));
    const std::size_t end = source.find(close, open);
    return end == source.npos ? source.size() : end + close.size();
  }
  for (std::size_t i = at + 1; i < source.size(); ++i) {
    if (source[i] == '\\') {
      ++i;
    } else if (source[i] == source[at]) {
      return i + 1;
    }
  }
  return source.size();
}

/// Whether a literal begins here. A quote within a number separates digits: 1'000.
bool begins_literal(std::string_view source, std::size_t at) {
  if (source[at] == '"') return true;
  return source[at] == '\'' &&
         (at == 0 || std::isxdigit(static_cast<unsigned char>(source[at - 1])) == 0);
}

/// The texts between quotes, and between < and > after #include.
struct Quoted {
  std::vector<std::string> literals, includes;
};

Quoted quoted_in(const std::string& text) {
  Quoted quoted;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (begins_literal(text, at)) {
      const std::size_t end = literal_end(text, at);
      if (end > at + 2) quoted.literals.push_back(text.substr(at + 1, end - at - 2));
      at = end - 1;
    }
  }
  constexpr std::string_view kInclude = "#include ";
  for (std::size_t at = 0; (at = text.find(kInclude, at)) != text.npos;) {
    at += kInclude.size();
    const std::size_t end = at < text.size() ? text.find_first_of("\">", at + 1) : text.npos;
    if (end != text.npos) quoted.includes.push_back(text.substr(at + 1, end - at - 1));
  }
  return quoted;
}

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

bool is_source(const fs::path& file) {
  const std::string ending = file.extension().string();
  return ending == ".cu" || ending == ".cpp";
}

}  // namespace

std::uint64_t fingerprint(std::string_view bytes, std::uint64_t hash) {
  for (const char byte : bytes) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
  }
  return hash;
}

std::string fingerprint_text(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

std::string fingerprint_text(const fs::path& file) {
  return fingerprint_text(fingerprint(content_of(file)));
}

std::string without_comments(std::string_view source) {
  std::string text;
  const auto blank = [&] {
    if (!text.empty() && text.back() != ' ') text += ' ';
  };
  for (std::size_t at = 0; at < source.size();) {
    if (source.substr(at, 2) == "//") {
      at = std::min(source.find('\n', at), source.size());
    } else if (source.substr(at, 2) == "/*") {
      const std::size_t end = source.find("*/", at + 2);
      at = end == source.npos ? source.size() : end + 2;
      blank();
    } else if (begins_literal(source, at)) {
      const std::size_t end = literal_end(source, at);
      text += source.substr(at, end - at);
      at = end;
    } else if (std::isspace(static_cast<unsigned char>(source[at])) != 0) {
      blank();
      ++at;
    } else {
      text += source[at++];
    }
  }
  return text;
}

bool ProgramFingerprints::is_workload(const std::string& name) const {
  return name.find('/') == name.npos && is_file(root_ / "workloads" / name / "workload.toml");
}

/// The file of the tree that an #include names; "" for headers of the system.
fs::path ProgramFingerprints::included(const fs::path& from, const std::string& name) const {
  for (const fs::path& folder : {from.parent_path(), root_ / "workloads", root_ / "include"}) {
    const fs::path file = (folder / name).lexically_normal();
    if (is_file(file)) return file;
  }
  return {};
}

const ProgramFingerprints::Source& ProgramFingerprints::source(const fs::path& file) {
  const auto [at, fresh] = sources_.try_emplace(file);
  if (!fresh) return at->second;
  at->second.text = without_comments(content_of(file));
  const Quoted quoted = quoted_in(at->second.text);
  for (const std::string& name : quoted.includes) {
    const fs::path other = included(file, name);
    if (!other.empty()) at->second.includes.insert(other);
  }
  for (const std::string& literal : quoted.literals) {
    at->second.literals.insert(literal);
    if (literal.find('/') == literal.npos) continue;
    if (is_file(root_ / "data" / literal)) at->second.named_input.insert(root_ / "data" / literal);
  }
  return at->second;
}

/// The host sources beside a header that include it: they define its declarations.
std::set<fs::path> ProgramFingerprints::implementations(const fs::path& header) {
  std::set<fs::path> found;
  for (const auto& entry : fs::directory_iterator(header.parent_path())) {
    if (entry.path().extension() != ".cpp") continue;
    const fs::path file = entry.path().lexically_normal();
    if (source(file).includes.contains(header)) found.insert(file);
  }
  return found;
}

const std::set<fs::path>& ProgramFingerprints::files_of(const std::string& workload) {
  const auto [at, fresh] = workloads_.try_emplace(workload);
  std::set<fs::path>& known = at->second;
  if (!fresh) return known;
  std::vector<fs::path> left;
  const auto reach = [&](const fs::path& file) {
    if (known.insert(file).second) left.push_back(file);
  };
  const fs::path folder = (root_ / "workloads" / workload).lexically_normal();
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (is_source(entry.path())) reach(entry.path().lexically_normal());
  }
  while (!left.empty()) {
    const fs::path file = left.back();
    left.pop_back();
    for (const fs::path& other : source(file).includes) reach(other);
    if (is_source(file)) continue;
    for (const fs::path& other : implementations(file)) reach(other);
  }
  return known;
}

std::uint64_t ProgramFingerprints::of_workload(const std::string& name) {
  std::set<fs::path> inputs;
  std::uint64_t hash = fingerprint("");
  for (const fs::path& file : files_of(name)) {
    const Source& own = source(file);
    inputs.insert(own.named_input.begin(), own.named_input.end());
    hash = fingerprint(fs::relative(file, root_).string() + "\n", hash);
    hash = fingerprint(own.text, hash);
  }
  for (const fs::path& file : inputs) {
    hash = fingerprint(fs::relative(file, root_).string() + " " + fingerprint_text(of_file(file)),
                       hash);
  }
  return hash;
}

bool ProgramFingerprints::mentions(const std::string& workload, const std::string& word) {
  const auto is_part = [](char letter) {
    return letter == '_' || std::isalnum(static_cast<unsigned char>(letter)) != 0;
  };
  for (const fs::path& file : files_of(workload)) {
    const std::string& text = source(file).text;
    for (std::size_t at = 0; (at = text.find(word, at)) != text.npos; ++at) {
      const std::size_t end = at + word.size();
      if ((at == 0 || !is_part(text[at - 1])) && (end == text.size() || !is_part(text[end]))) {
        return true;
      }
    }
  }
  return false;
}

std::set<std::string> ProgramFingerprints::literals_of(const std::string& workload) {
  std::set<std::string> all;
  for (const fs::path& file : files_of(workload)) {
    const Source& own = source(file);
    all.insert(own.literals.begin(), own.literals.end());
  }
  return all;
}

std::uint64_t ProgramFingerprints::of_file(const fs::path& file) {
  const auto [at, fresh] = files_.try_emplace(file, 0);
  if (fresh) at->second = fingerprint(content_of(file));
  return at->second;
}

}  // namespace raddle::experiment
