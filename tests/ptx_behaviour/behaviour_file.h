// The comment header of a behaviour file:
//   // launch: grid G block B [shared N] [cooperative]     sizes as 1, 2 or 3 numbers with commas
//   // in TYPE: values       a buffer for each, passed in order as 64-bit pointers
//   // out TYPE: values      expected; `*` = anything, `1.5~2ulp` within 2 ulp
//   // inout TYPE: values    before, then a line `// then: values` after
//   // value TYPE: x         a parameter passed by value
//   // prints: text          a line that printf prints
//   // fault: kind           out_of_bounds, misaligned, deadlock ...
//   // says: text           what the report of the fault contains
//   // error: text           loading fails with a message that contains the text
//   // refused: text        it loads, and its launch is refused with a message that contains the text
//   // divergence: independent|stack
//   // gpu: NAME              a description in gpus/, v100 when none is named
//   // cite: section of the PTX ISA
#pragma once

#include <string>
#include <vector>

#include "base/types.h"
#include "values.h"

namespace raddle::tests {

struct Argument {
  enum class Kind { in, out, inout, value } kind = Kind::in;
  std::string type;
  std::vector<std::byte> initial;
  std::vector<Expected> expected;
};

struct BehaviourFile {
  bool runs() const { return error.empty() && refused.empty(); }
  std::string name, text;
  Dim3 grid, block;
  std::uint32_t shared = 0;
  bool cooperative = false;
  std::vector<Argument> arguments;
  std::string prints, fault, says, error, refused, divergence, gpu = "v100";
};

/// Throws std::runtime_error for a header that cannot be understood.
BehaviourFile read_behaviour(const std::string& path, const std::string& name);
BehaviourFile read_behaviour_text(const std::string& text, const std::string& name);

}  // namespace raddle::tests
