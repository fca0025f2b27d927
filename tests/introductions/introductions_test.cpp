// Compares the table's introductions with ptxas (recorded.txt) in both directions. raddle refuses
// no form that ptxas accepts, and accepts no form that ptxas refuses for the version or the target.
#include "isa/introductions.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "base/error.h"
#include "recorded.h"
#include "statements.h"

namespace raddle::tests {
namespace {

const Recorded& recorded() {
  static const Recorded all = read_recorded(RADDLE_RECORDED);
  return all;
}

/// Handles of textures and surfaces in registers came later than the instructions: PTX 3.1, sm_20.
bool takes_handle(std::string_view opcode) {
  return opcode == "tex" || opcode == "tld4" || opcode == "suld" || opcode == "sust" ||
         opcode == "sured" || opcode == "suq";
}

Introduced by_table(const ptx::Instruction& instruction) {
  isa::Requirements requirements = isa::requirements_of(instruction);
  if (takes_handle(instruction.opcode))
    requirements.push_back({{3, 1}, {ptx::Target{20, 0}}, 1, {}, 0, 0});
  Introduced told;
  for (std::size_t n = 0; n < std::size(kTargets); ++n) {
    const ptx::Target target = *ptx::target_from_name(kTargets[n]);
    const bool met = std::all_of(requirements.begin(), requirements.end(), [&](const auto& one) {
      return one.has_target(target) && !one.is_withdrawn({9, 0}, target);
    });
    if (met) told.targets |= std::uint64_t{1} << n;
  }
  // The version that its first target needs: that one has been asked about.
  const auto first = static_cast<std::size_t>(std::countr_zero(told.targets));
  ptx::Version version{1, 0};
  for (const auto& one : requirements) {
    if (first < std::size(kTargets) && one.concerns(*ptx::target_from_name(kTargets[first])))
      version = std::max(version, one.version);
  }
  while (*ptx::version_from_name(kVersions[told.version]) < version) ++told.version;
  return told;
}

/// No module for a target is of an older version than the target's own.
Introduced effective(Introduced introduced) {
  ptx::Version oldest{99, 0};
  for (std::size_t n = 0; n < std::size(kTargets); ++n) {
    if ((introduced.targets >> n & 1) == 0) continue;
    oldest = std::min(oldest, *ptx::first_version(*ptx::target_from_name(kTargets[n])));
  }
  while (*ptx::version_from_name(kVersions[introduced.version]) < oldest) ++introduced.version;
  return introduced;
}

std::string text(const Introduced& introduced) {
  std::string targets;
  for (std::size_t n = 0; n < std::size(kTargets); ++n) {
    if (introduced.targets >> n & 1) targets += " " + std::string(kTargets[n]);
  }
  return fmt::format("PTX {},{}", kVersions[introduced.version], targets.substr(0, 60));
}

TEST(Introductions, AreThoseThatPtxasKnows) {
  unsigned wrong = 0;
  for (const auto& [form, introduced] : recorded()) {
    const Introduced told = effective(by_table(instruction_of(form)));
    if (told == effective(introduced)) continue;
    if (++wrong < 100) {
      ADD_FAILURE() << form << ": ptxas " << text(effective(introduced)) << "; here " << text(told);
    }
  }
  EXPECT_EQ(wrong, 0u);
  EXPECT_GT(recorded().size(), 9000u);
}

// A row without a recorded form would be compared with nothing.
TEST(Introductions, EveryRowOfTheTableIsCompared) {
  isa::Matcher matcher;
  std::set<const isa::Row*> seen;
  for (const auto& [form, introduced] : recorded()) {
    if (form.starts_with('%')) continue;
    const ptx::Instruction instruction = instruction_of(form);
    try {
      seen.insert(matcher.match(instruction).row->row);
    } catch (const isa::Unsupported&) {
      continue;  // known, and in no row
    } catch (const Error&) {
      ADD_FAILURE() << form << " is not in the table";
    }
  }
  for (const isa::CompiledRow& row : matcher.rows()) {
    EXPECT_TRUE(seen.contains(row.row)) << row.row->mnemonic << row.row->syntax;
  }
}

}  // namespace
}  // namespace raddle::tests
