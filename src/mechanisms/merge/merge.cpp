// Opcode merging: when lanes of a warp take both sides of a branch, instructions of the two sides
// with the same opcode are executed together (irregular-control-flow, chapters 4 and 5).
#include "machine/mechanism.h"
#include "mechanisms/merge/config.h"
#include "mechanisms/merge/merging.h"

namespace raddle::mechanisms::merge {

machine::MechanismKind kind() {
  machine::MechanismKind kind;
  kind.name = "merge";
  kind.shared = true;
  kind.meaning = "divergent paths execute the same opcodes together (opcode-convergent threads)";
  kind.make_config = [](ConfigGroup& root) -> std::unique_ptr<ConfigGroup> {
    return std::make_unique<MergeConfig>(root, "merge");
  };
  kind.passes = [](const ConfigGroup& config, const machine::GpuConfig&) -> isa::PassList {
    return {merging(static_cast<const MergeConfig&>(config))};
  };
  return kind;
}

}  // namespace raddle::mechanisms::merge
