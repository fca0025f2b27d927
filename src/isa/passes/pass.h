// Passes over a program between its control-flow graph and register allocation: what analyses and
// rewrites the decoded instructions of one function at a time. A loader runs those that it was
// given, in the order in which it was given them (isa/loader.h).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "isa/passes/function_body.h"
#include "isa/passes/pass_list.h"

namespace raddle::isa {

/// What a pass says of its work, a line each: for `raddle inspect --passes`.
struct PassNotes : std::vector<std::string> {
  std::string json;  // the same for programs, of a pass that says it: an object
};

class Pass {
 public:
  virtual ~Pass() = default;
  /// The key of its setting, passes.<name>: a word.
  virtual const char* name() const = 0;
  virtual const char* meaning() const = 0;
  /// Leaves the function as it is, or changed so that what it computes is the same. Several threads
  /// may load programs at once.
  virtual void run(FunctionBody& body, PassNotes& notes) const = 0;
};

/// What one pass did to one function.
struct PassRecord {
  const Pass* pass = nullptr;
  std::string function;
  std::size_t instructions_before = 0, instructions_after = 0;
  std::string before, after;  // the blocks and their instructions, a line each
  PassNotes notes;
};
using PassObserver = std::function<void(const PassRecord&)>;

/// Whether an instruction does anything but write registers: memory, other lanes' progress, faults,
/// the carry, time. What has none of it can go when nobody reads what it writes.
bool has_side_effects(const LirInstruction& instruction);

/// Whether two instructions, one behind the other, may change places: neither needs what the other
/// writes, and no thread can tell from memory. (Of two loads that both fault, the first is told.)
bool independent(const LirInstruction& a, const LirInstruction& b);

/// Whether lanes may execute it apart from others that executed it together with them: it computes,
/// loads or stores, and looks neither at other lanes nor at the carry.
bool goes_by_lane(const LirInstruction& instruction);

/// Writes that nobody reads, of instructions without side effects, again and again.
std::shared_ptr<const Pass> dead_code_elimination();

}  // namespace raddle::isa
