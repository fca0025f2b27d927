// The words of an opcode: {"global", "v4", "f32"} of ld.global.v4.f32.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace raddle::tests {

using OpcodeWords = std::vector<std::string>;

inline bool has(const OpcodeWords& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Appends what dots separate.
inline void append(OpcodeWords& words, std::string_view dotted) {
  while (!dotted.empty()) {
    const auto end = std::min(dotted.find('.'), dotted.size());
    words.emplace_back(dotted.substr(0, end));
    dotted.remove_prefix(std::min(end + 1, dotted.size()));
  }
}

}  // namespace raddle::tests
