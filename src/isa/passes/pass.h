// Passes over a program between its control-flow graph and register allocation: they analyse and
// rewrite the decoded instructions of one function at a time. A loader runs the passes that it was
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

/// What a pass reports about its work, one line each: for `raddle inspect --passes`.
struct PassNotes : std::vector<std::string> {
  std::string json;  // the same as a JSON object for programs, from passes that have it
};

class Pass {
 public:
  virtual ~Pass() = default;
  /// The key of the pass's setting, passes.<name>: one word.
  virtual const char* name() const = 0;
  virtual const char* meaning() const = 0;
  /// Leaves the function as it is, or changes it so that it computes the same. Several threads may
  /// load programs at once.
  virtual void run(FunctionBody& body, PassNotes& notes) const = 0;
};

/// The effect of one pass on one function.
struct PassRecord {
  const Pass* pass = nullptr;
  std::string function;
  std::size_t instructions_before = 0, instructions_after = 0;
  std::string before, after;  // the blocks and their instructions, a line each
  PassNotes notes;
};
using PassObserver = std::function<void(const PassRecord&)>;

/// Whether an instruction does more than write registers: it affects memory, the progress of other
/// lanes, faults, the carry, or time. An instruction without such effects can be removed when its
/// results are unused.
bool has_side_effects(const LirInstruction& instruction);

/// Whether two successive instructions may change places: neither needs what the other writes, and
/// no thread can see a difference in memory. (Of two loads that both fault, the first is reported.)
bool independent(const LirInstruction& a, const LirInstruction& b);

/// Whether lanes may execute the instruction apart from lanes that executed it together with them:
/// it computes, loads or stores, and reads neither other lanes nor the carry.
bool goes_by_lane(const LirInstruction& instruction);

/// Repeatedly removes instructions without side effects whose results are unused.
std::shared_ptr<const Pass> dead_code_elimination();

}  // namespace raddle::isa
