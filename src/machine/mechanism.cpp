#include "machine/mechanism.h"

#include <fmt/core.h>

#include <algorithm>

#include "isa/table.h"
#include "machine/chip_config.h"
#include "machine/config.h"
#include "machine/dispatch/config.h"
#include "machine/placement/placement.h"
#include "machine/scheduler/config.h"
#include "machine/scheduler/policy.h"
#include "machine/unit/sm_unit.h"
#include "machine/warp/lane_control.h"

namespace raddle::machine {
namespace {

const MechanismKind& find_kind(const std::string& name) {
  std::vector<std::string> known;
  for (const MechanismKind& kind : mechanism_kinds()) {
    if (name == kind.name) return kind;
    known.emplace_back(kind.name);
  }
  std::string names;
  for (const std::string& one : known) names += (names.empty() ? "" : ", ") + one;
  const std::vector<std::string> near = near_names(name, known);
  fail("unknown mechanism '{}'{}; known: {}", name,
       near.empty() ? "" : "; did you mean " + near.front() + "?", names);
}

/// The words between commas, without spaces. Empty words are left out.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char letter : text) {
    if (letter == ',') {
      words.emplace_back();
    } else if (letter != ' ') {
      words.back() += letter;
    }
  }
  std::erase(words, "");
  return words;
}

/// For a mechanism that only adds choices to settings: the settings that choose it. "": it has
/// more.
std::string chosen_by(const MechanismKind& kind, const GpuConfig& gpu) {
  if (kind.attach != nullptr || kind.builtins != nullptr || kind.rows != nullptr ||
      kind.passes != nullptr || *kind.needs != '\0') {
    return "";
  }
  std::string settings;
  const auto add = [&](const FieldBase& setting, auto list) {
    if (list == nullptr) return;
    for (const auto& one : list()) {
      settings += fmt::format("{}{}={}", settings.empty() ? "" : " or ", setting.path(), one.name);
    }
  };
  add(gpu.scheduler.divergence, kind.lane_controls);
  add(gpu.dispatch.placement, kind.placements);
  add(gpu.scheduler.policy, kind.warp_policies);
  return settings;
}

}  // namespace

void require_no_unit(const MechanismKind& kind) {
  if (kind.rows == nullptr) return;
  for (const isa::Row& row : kind.rows()) {
    if (row.kind != isa::Kind::unit) continue;
    fail("mechanism '{}': instruction '{}' is for a unit, and Mechanism::sm_unit() makes none",
         kind.name, row.mnemonic);
  }
}

std::unique_ptr<SmUnit> Mechanism::sm_unit(SmPort& /*port*/) { return nullptr; }

std::vector<const MechanismKind*> mechanisms_on(const GpuConfig& config) {
  std::vector<const MechanismKind*> wanted;
  std::vector<std::string> names = words_of(config.gpu.mechanisms.value());
  for (const MechanismKind& kind : mechanism_kinds()) {
    const std::string off = std::string("-") + kind.name;
    if (std::erase(names, off) == 0 && kind.by_default != nullptr && kind.by_default(config))
      names.emplace_back(kind.name);
  }
  for (std::size_t n = 0; n < names.size(); ++n) {
    const MechanismKind* kind = &find_kind(names[n]);
    if (const std::string settings = chosen_by(*kind, config); !settings.empty()) {
      fail("mechanism '{}' has nothing to switch on: it is chosen by {}", names[n], settings);
    }
    if (std::find(wanted.begin(), wanted.end(), kind) != wanted.end()) continue;
    wanted.push_back(kind);
    if (*kind->needs != '\0') names.emplace_back(kind->needs);
  }
  // In order of registration: a mechanism comes after the mechanisms that it needs.
  std::vector<const MechanismKind*> on;
  for (const MechanismKind& kind : mechanism_kinds()) {
    if (std::find(wanted.begin(), wanted.end(), &kind) != wanted.end()) on.push_back(&kind);
  }
  return on;
}

}  // namespace raddle::machine
