#include "mechanisms/merge/merging.h"

#include <fmt/core.h>

#include "isa/passes/uniformity.h"
#include "mechanisms/merge/common_subsequence.h"
#include "mechanisms/merge/sides.h"

namespace raddle::mechanisms::merge {
namespace {

using isa::InstructionId;
using isa::JointPlace;

/// More would take too long: the product of the sides' lengths.
constexpr std::size_t kMostCells = std::size_t{1} << 24;

/// Instructions of the same opcode, which its type, space and modifiers are part of.
bool same_opcode(const isa::LirInstruction& a, const isa::LirInstruction& b) {
  return a.row == b.row && a.out.execute == b.out.execute && a.out.klass == b.out.klass &&
         a.out.bytes == b.out.bytes && a.out.elements == b.out.elements;
}

/// Loads and stores stay with their side, as in section 5.1.
bool can_be_merged(const isa::LirInstruction& lir) {
  return lir.out.kind == isa::Kind::compute && lir.parts.empty() && lir.effects == 0 &&
         lir.list.empty();
}

class Merging : public isa::Pass {
 public:
  explicit Merging(const MergeConfig& config) : config_(config) {}
  const char* name() const override { return "merging"; }
  const char* meaning() const override {
    return "join the two sides of a branch, and issue instructions of the same opcode as one";
  }

  void run(isa::FunctionBody& body, isa::PassNotes& notes) const override {
    const isa::Uniformity uniformity(body);
    std::uint32_t region = 0;
    for (const Divergence& one : divergences(body, uniformity)) {
      const std::string note = one.why_not.empty() ? join(body, one, region) : one.why_not;
      notes.push_back(fmt::format("{}: {}", where(body[one.branch]), note));
    }
  }

 private:
  static std::string where(const isa::LirInstruction& branch) {
    if (branch.from == nullptr) return "branch";
    const auto& at = branch.from->at;
    return at.source_line != 0 ? fmt::format("line {}", at.source_line)
                               : fmt::format("PTX line {}", at.line);
  }

  /// Returns what is to be said about it.
  std::string join(isa::FunctionBody& body, const Divergence& one, std::uint32_t& region) const {
    const auto& jumps = one.jumps.code;
    const auto& falls = one.falls.code;
    if (jumps.size() * falls.size() > kMostCells) {
      return fmt::format("its sides of {} and {} instructions are too long", jumps.size(),
                         falls.size());
    }
    const auto pairs = common_subsequence(jumps.size(), falls.size(), [&](auto i, auto j) {
      return can_be_merged(body[jumps[i]]) && can_be_merged(body[falls[j]]) &&
             same_opcode(body[jumps[i]], body[falls[j]]);
    });
    const std::string sizes =
        fmt::format("{} and {} instructions, {} pairs", jumps.size(), falls.size(), pairs.size());
    if (pairs.size() < config_.least_pairs) return "not joined: " + sizes;
    ++region;
    const auto put = [&](InstructionId id, std::uint32_t place, JointPlace::Side side) {
      body.change(id).joint = {region, place, side};
    };
    std::uint32_t place = 0;
    put(one.branch, place++, JointPlace::Side::both);
    std::size_t i = 0, j = 0;
    const auto up_to = [&](std::size_t first, std::size_t second) {
      while (i < first) put(jumps[i++], place++, JointPlace::Side::jumps);
      while (j < second) put(falls[j++], place++, JointPlace::Side::falls);
    };
    for (const auto& [first, second] : pairs) {
      up_to(first, second);
      put(jumps[i++], place, JointPlace::Side::jumps);
      put(falls[j++], place++, JointPlace::Side::falls);
    }
    up_to(jumps.size(), falls.size());
    for (const InstructionId id : one.falls.jumps) put(id, place, JointPlace::Side::none);
    for (const InstructionId id : one.jumps.jumps) put(id, place, JointPlace::Side::none);
    if (one.jumps_behind) {
      const auto& with_jump = one.jumps.jumps.empty() ? one.falls.jumps : one.jumps.jumps;
      put(with_jump.back(), place, JointPlace::Side::both);
    }
    return sizes;
  }

  const MergeConfig& config_;
};

}  // namespace

std::shared_ptr<const isa::Pass> merging(const MergeConfig& config) {
  return std::make_shared<Merging>(config);
}

}  // namespace raddle::mechanisms::merge
