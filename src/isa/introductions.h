// From when on there is an instruction: from which version of PTX (PTX ISA, "PTX ISA Notes" of its
// section) and for which targets ("Target ISA Notes").
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/module.h"
#include "ptx/target.h"

namespace raddle::isa {

/// What some forms of some instructions need. An instruction needs what all entries say that are
/// about it.
struct Introduction {
  /// "add" or "add|sub"; "%clusterid": a special register, whose elements are the words.
  std::string_view mnemonics;
  /// The forms: "" all of them; else all of these, separated by spaces. `x|y` one of, `!x` without.
  /// A word is a modifier without its dot, or several in a row ("f32.bf16"), or "/3" for three
  /// operands, or "generic": without a state space, or "_": with a result that nobody wants.
  std::string_view words;
  /// First version of PTX, "7.0"; "" any.
  std::string_view version;
  /// First target, "80" (ptx::has); several, separated by spaces: any of them; "" every target.
  std::string_view targets;
  /// "6.4 70": no longer from this version on, for this target and later ones; "" still there.
  std::string_view withdrawn = {};
  /// 90: this is about targets before sm_90 alone; 0: about all.
  unsigned before = 0;
};

/// isa/table/introductions.cpp
std::span<const Introduction> introductions();

/// An entry, read.
struct Requirement {
  ptx::Version version;
  std::array<ptx::Target, 4> targets = {};  // any of the first `count`; none: every target
  unsigned count = 0;
  ptx::Version withdrawn;  // 0.0: it is not
  unsigned withdrawn_sm = 0;
  unsigned before = 0;  // about earlier targets alone; 0: about all

  bool concerns(ptx::Target target) const { return before == 0 || target.sm < before; }
  bool has_target(ptx::Target target) const;
  /// Whether a GPU of this compute capability has what was asked for.
  bool has_gpu(unsigned sm) const;
  bool is_withdrawn(ptx::Version version, ptx::Target target) const;
  std::string targets_text() const;  // "sm_100f, sm_110f or sm_120f"
};
using Requirements = std::vector<Requirement>;

Requirements requirements_of(const ptx::Instruction& instruction);
/// Of a special register: "%tid.x".
Requirements requirements_of_register(std::string_view name);
/// Of a directive: ".noreturn".
Requirements requirements_of_directive(std::string_view name);

/// What a module must say of itself for them, where it does not: "needs '.target sm_80' or later,
/// and the module says '.target sm_75'"; "" otherwise.
std::string unmet(const Requirements& requirements, ptx::Version version, ptx::Target target);

}  // namespace raddle::isa
