// Constraints of an inclusion-based points-to analysis (L. Andersen, 1994), and their solution on the
// CPU. Nodes are variables and objects alike: a pointer's set has the objects that it may point to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace raddle::workloads::pta {

struct Constraint {
  enum class Kind : std::uint8_t {
    address,  // destination = &source
    copy,     // destination = source
    load,     // destination = *(source + offset)
    store,    // *(destination + offset) = source
    offset    // destination = source + offset
  } kind;
  std::uint32_t destination, source, offset;
};

struct Program {
  std::uint32_t nodes = 0;
  /// [node]: how many fields the object has, itself included; 0: it is none, or nothing is known of it.
  /// Field n of an object is the node n after it.
  std::vector<std::uint32_t> fields;
  std::vector<Constraint> constraints;
  /// Words of 32 bits of a set of nodes.
  std::uint32_t words() const { return (nodes + 31) / 32; }
};

/// Reads constraints as text (data/tools/constraints_to_text.py). Throws InputError with line and column.
Program read_program(const std::string& name, const std::string& text);

/// A program of functions, large and small: most constraints are between variables of one function, in
/// which they lie side by side.
Program random_program(std::uint32_t nodes, std::uint64_t seed);

/// The least solution: [node][word], a bit an object.
std::vector<std::uint32_t> solve(const Program& program);

}  // namespace raddle::workloads::pta
