// hamming.b32 d, a, b: counts the bits in which two words differ. An instruction of a mechanism,
// with a class of its own: `raddle run --with hamming --set hamming.distance.latency=6 ...`
#include <bit>

#include "isa/semantics/lanes.h"
#include "isa/table.h"
#include "machine/execute/config.h"
#include "machine/mechanism.h"

namespace raddle::mechanisms::hamming {
namespace {

struct HammingConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  // Unit, pipes, interval and latency; each is a setting.
  machine::ClassConfig distance{*this, {"distance", "core", 1, 1, 9}};
};

void execute_hamming(isa::WarpContext& warp, const isa::Instruction& instruction) {
  isa::map_lanes<std::uint32_t, std::uint32_t, std::uint32_t>(
      warp, instruction, [](std::uint32_t a, std::uint32_t b) {
        return static_cast<std::uint32_t>(std::popcount(a ^ b));
      });
}

constexpr isa::Row kRows[] = {
    {"hamming", "(.b32)", "d a b", isa::own_class(0), isa::Kind::compute,
     [](const isa::Form&) -> isa::Execute { return execute_hamming; }, "-"},
};

}  // namespace

machine::MechanismKind kind() {
  machine::MechanismKind kind;
  kind.name = "hamming";
  kind.meaning = "an instruction that counts the bits in which two words differ";
  kind.make_config = [](ConfigGroup& root) -> std::unique_ptr<ConfigGroup> {
    return std::make_unique<HammingConfig>(root, "hamming");
  };
  kind.classes = [](const ConfigGroup& config) -> std::vector<const machine::ClassConfig*> {
    return {&static_cast<const HammingConfig&>(config).distance};
  };
  kind.rows = []() -> std::span<const isa::Row> { return kRows; };
  return kind;
}

}  // namespace raddle::mechanisms::hamming
