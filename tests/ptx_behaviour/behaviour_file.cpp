#include "behaviour_file.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace raddle::tests {
namespace {

Dim3 parse_size(const std::string& text) {
  Dim3 size;
  std::istringstream in(text);
  char comma;
  in >> size.x >> comma >> size.y >> comma >> size.z;
  return size;
}

void parse_launch(BehaviourFile& file, std::istringstream words) {
  std::string word, value;
  while (words >> word) {
    if (word == "cooperative") {
      file.cooperative = true;
      continue;
    }
    words >> value;
    if (word == "grid") file.grid = parse_size(value);
    if (word == "block") file.block = parse_size(value);
    if (word == "shared") file.shared = static_cast<std::uint32_t>(std::stoul(value));
  }
}

void parse_buffer(BehaviourFile& file, Argument::Kind kind, const std::string& type,
                  std::istringstream words) {
  Argument argument;
  argument.kind = kind;
  argument.type = type;
  std::string word;
  while (words >> word) {
    if (kind == Argument::Kind::out) {
      argument.expected.push_back(expected(type, word));
    } else {
      const auto bytes = encode(type, word);
      argument.initial.insert(argument.initial.end(), bytes.begin(), bytes.end());
    }
  }
  if (kind == Argument::Kind::out) {
    argument.initial.resize(argument.expected.size() * bytes_of(type));
  }
  file.arguments.push_back(std::move(argument));
}

std::string rest_of(const std::string& text) {
  const auto from = text.find_first_not_of(' ');
  return from == std::string::npos ? "" : text.substr(from);
}

void parse_line(BehaviourFile& file, const std::string& key, const std::string& rest) {
  std::istringstream words(key);
  std::string name, type;
  words >> name >> type;
  using Kind = Argument::Kind;
  if (name == "launch") {
    parse_launch(file, std::istringstream(rest));
  } else if (name == "in" || name == "out" || name == "inout" || name == "value") {
    const Kind kind = name == "in"      ? Kind::in
                      : name == "out"   ? Kind::out
                      : name == "value" ? Kind::value
                                        : Kind::inout;
    parse_buffer(file, kind, type, std::istringstream(rest));
  } else if (name == "then") {
    Argument& last = file.arguments.back();
    std::istringstream values(rest);
    for (std::string word; values >> word;) last.expected.push_back(expected(last.type, word));
  } else if (name == "prints") {
    file.prints += rest_of(rest) + "\n";
  } else if (name == "fault") {
    file.fault = rest_of(rest);
  } else if (name == "says") {
    file.says = rest_of(rest);
  } else if (name == "error") {
    file.error = rest_of(rest);
  } else if (name == "refused") {
    file.refused = rest_of(rest);
  } else if (name == "divergence") {
    file.divergence = rest_of(rest);
  } else if (name == "gpu") {
    file.gpu = rest_of(rest);
  } else if (name != "cite" && name != "why") {
    throw std::runtime_error("unknown header line '" + key + "'");
  }
}

}  // namespace

BehaviourFile read_behaviour(const std::string& path, const std::string& name) {
  std::ifstream in(path);
  std::stringstream all;
  all << in.rdbuf();
  return read_behaviour_text(all.str(), name);
}

BehaviourFile read_behaviour_text(const std::string& text, const std::string& name) {
  BehaviourFile file;
  file.name = name;
  file.text = text;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line) && line.starts_with("//");) {
    const auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    parse_line(file, line.substr(2, colon - 2), line.substr(colon + 1));
  }
  return file;
}

}  // namespace raddle::tests
