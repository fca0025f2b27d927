#pragma once

#include <cstdint>
#include <vector>

#include "regx/pattern.h"
#include "regx/texts.h"

namespace raddle::workloads {

/// For each text, the number of places where a match begins.
inline std::vector<std::uint32_t> regx_reference(const Automaton& automaton, const Texts& texts) {
  std::vector<std::uint32_t> matches;
  for (std::size_t text = 0; text < texts.count(); ++text) {
    matches.push_back(0);
    for (std::uint32_t begin = texts.offsets[text]; begin < texts.offsets[text + 1]; ++begin) {
      std::uint16_t state = 1;
      for (std::uint32_t at = begin; at < texts.offsets[text + 1] && state != 0; ++at) {
        state = automaton.next[state][texts.bytes[at]];
        if (automaton.accepting[state] == 0) continue;
        ++matches.back();
        break;
      }
    }
  }
  return matches;
}

}  // namespace raddle::workloads
