// When each instruction was introduced: the first version of PTX (PTX ISA, "PTX ISA Notes" of its
// section) and the targets that have it ("Target ISA Notes").
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/module.h"
#include "ptx/target.h"

namespace raddle::isa {

/// What some forms of some instructions need. When several entries match an instruction, it needs
/// what all of them say.
struct Introduction {
  /// "add" or "add|sub"; "%clusterid": a special register, whose elements are the words.
  std::string_view mnemonics;
  /// The forms: "" all; else forms with all of these, separated by spaces. `x|y` one of, `!x`
  /// without. A word is a modifier without its dot, or several in a row ("f32.bf16"), or "/3" for
  /// three operands, or "generic": without a state space, or "_": with a discarded result.
  std::string_view words;
  /// First version of PTX, "7.0"; "" any.
  std::string_view version;
  /// First target, "80" (ptx::has). Several, separated by spaces: any of them. "": every target.
  std::string_view targets;
  /// "6.4 70": removed from this version on, for this target and later ones; "": never removed.
  std::string_view withdrawn = {};
  /// 90: the entry applies only to targets before sm_90; 0: to all.
  unsigned before = 0;
};

/// isa/table/introductions.cpp
std::span<const Introduction> introductions();

/// An entry after parsing.
struct Requirement {
  ptx::Version version;
  std::array<ptx::Target, 4> targets = {};  // any of the first `count`; none: every target
  unsigned count = 0;
  ptx::Version withdrawn;  // 0.0: never
  unsigned withdrawn_sm = 0;
  unsigned before = 0;  // only applies to earlier targets; 0: to all

  bool concerns(ptx::Target target) const { return before == 0 || target.sm < before; }
  bool has_target(ptx::Target target) const;
  /// Whether a GPU of this compute capability has what the entry describes.
  bool has_gpu(unsigned sm) const;
  bool is_withdrawn(ptx::Version version, ptx::Target target) const;
  std::string targets_text() const;  // "sm_100f, sm_110f or sm_120f"
};
using Requirements = std::vector<Requirement>;

Requirements requirements_of(const ptx::Instruction& instruction);
/// For a special register: "%tid.x".
Requirements requirements_of_register(std::string_view name);
/// For a directive: ".noreturn".
Requirements requirements_of_directive(std::string_view name);

/// Says which of the requirements a module with this version and target does not meet: "needs
/// '.target sm_80' or later, and the module says '.target sm_75'"; "" when it meets all.
std::string unmet(const Requirements& requirements, ptx::Version version, ptx::Target target);

}  // namespace raddle::isa
