// The instructions of the worklist (hardware-worklists, Table III), and its entry in the registry.
#include "isa/form.h"
#include "isa/table.h"
#include "mechanisms/hwwl/worklists.h"

namespace raddle::mechanisms::hwwl {
namespace {

constexpr std::string_view kNoSection;

template <isa::Execute kExecute>
isa::Execute always(const isa::Form&) {
  return kExecute;
}

const isa::Row kRows[] = {
    // wlinit.b64 a, b: sets the overflow buffer of b bytes at address a. A change of the buffer
    // empties the worklist.
    {"wlinit",
     "(.b64)",
     "a b",
     isa::Class::move,
     isa::Kind::unit,
     always<execute_init>,
     kNoSection,
     {},
     isa::kChangesState},
    // wlcfg.b32 a: 0, single-buffered; 1, double-buffered. A change of the mode empties the
    // worklist.
    {"wlcfg",
     "(.b32)",
     "a",
     isa::Class::move,
     isa::Kind::unit,
     always<execute_configure>,
     kNoSection,
     {},
     isa::kChangesState},
    // wlpull.b32 d, a: pulls a work id from worklist a. The result may also be WAIT or DONE.
    {"wlpull",
     "(.b32)",
     "d a",
     isa::Class::move,
     isa::Kind::unit,
     always<execute_pull>,
     kNoSection,
     {},
     isa::kChangesState},
    // wlpush.b32 a, b: pushes work id a to worklist b.
    {"wlpush",
     "(.b32)",
     "a b",
     isa::Class::move,
     isa::Kind::unit,
     always<execute_push>,
     kNoSection,
     {},
     isa::kChangesState},
    // wlsize.b32 d, a: the number of work ids that can be pulled from worklist a (not in Table
    // III).
    {"wlsize",
     "(.b32)",
     "d a",
     isa::Class::move,
     isa::Kind::unit,
     always<execute_size>,
     kNoSection,
     {},
     isa::kChangesState},
};

void check(const ConfigGroup& group, const machine::GpuConfig&) {
  const auto& config = static_cast<const HwwlConfig&>(group);
  scheme(config.redistribution.path(), config.redistribution.value());
  if (config.bank_entries == 1) {
    raddle::fail("{} = 1: a double-buffered bank needs an entry for each side; 0: no limit",
                 config.bank_entries.path());
  }
}

}  // namespace

machine::MechanismKind kind() {
  machine::MechanismKind kind;
  kind.name = "hwwl";
  kind.meaning = "worklists in hardware, for work that kernels generate (hardware worklists)";
  kind.make_config = [](ConfigGroup& root) -> std::unique_ptr<ConfigGroup> {
    return std::make_unique<HwwlConfig>(root, "hwwl");
  };
  kind.check = check;
  kind.attach = [](const ConfigGroup& config,
                   machine::LaunchPath& path) -> std::unique_ptr<machine::Mechanism> {
    return std::make_unique<Worklists>(static_cast<const HwwlConfig&>(config), path);
  };
  kind.rows = [] { return std::span<const isa::Row>(kRows); };
  return kind;
}

}  // namespace raddle::mechanisms::hwwl
