// Constraints of an inclusion-based points-to analysis (L. Andersen, 1994), and their solution on
// the CPU. Both variables and objects are nodes. The set of a pointer contains the objects that it
// may point to.
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
  /// [node]: the number of the object's fields, including itself; 0: the node is no object, or an
  /// unknown one. Field n of an object is the nth node after it.
  std::vector<std::uint32_t> fields;
  std::vector<Constraint> constraints;
  /// The number of 32-bit words of a set of nodes.
  std::uint32_t words() const { return (nodes + 31) / 32; }
};

/// Reads constraints as text (data/tools/constraints_to_text.py). Throws InputError with line and
/// column.
Program read_program(const std::string& name, const std::string& text);

/// A program of large and small functions. Most constraints are between variables of one function.
/// The variables of a function have consecutive numbers.
Program random_program(std::uint32_t nodes, std::uint64_t seed);

/// The least solution: [node][word], a bit an object.
std::vector<std::uint32_t> solve(const Program& program);

}  // namespace raddle::workloads::pta
