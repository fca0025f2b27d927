#pragma once

#include <ostream>

#include "common/graph.h"

namespace raddle::workloads {

// For comparison and printing by the test framework.
inline bool operator==(const Arc& a, const Arc& b) {
  return a.source == b.source && a.target == b.target && a.weight == b.weight;
}
inline void PrintTo(const Arc& arc, std::ostream* out) {
  *out << arc.source << "->" << arc.target << " (" << arc.weight << ")";
}

}  // namespace raddle::workloads
