#include "mechanisms/merge/merging.h"

#include "mechanisms/merge/choice.h"
#include "mechanisms/merge/report.h"
#include "mechanisms/merge/sequence.h"

namespace raddle::mechanisms::merge {
namespace {

using Side = isa::JointPlace::Side;

class Merging : public isa::Pass {
 public:
  explicit Merging(const MergeConfig& config) : config_(config) {}
  const char* name() const override { return "merging"; }
  const char* meaning() const override {
    return "join the two sides of a branch, and issue instructions of the same opcode as one";
  }

  void run(isa::FunctionBody& body, isa::PassNotes& notes) const override {
    Report report(body, notes);
    std::uint32_t region = 0;
    for (const Candidate& one : choose(body, config_)) {
      if (one.joined()) {
        join(body, one, ++region, report);
      } else {
        report.stays(one);
      }
    }
    report.finish();
  }

 private:
  void join(isa::FunctionBody& body, const Candidate& one, std::uint32_t region,
            Report& report) const {
    const auto& jumps = one.of.jumps.code;
    const auto& falls = one.of.falls.code;
    Sequence sequence(body, config_, region, one.of.branch);
    report.begin(one);
    std::size_t i = 0, j = 0;
    const auto add = [&](const BranchSide::Step& step, Side side) {
      sequence.add(step, side);
      report.add(step.id, side);
    };
    const auto up_to = [&](std::size_t first, std::size_t second) {
      while (i < first) add(jumps[i++], Side::jumps);
      while (j < second) add(falls[j++], Side::falls);
    };
    for (const auto& [first, second] : one.pairs) {
      up_to(first, second);
      const isa::InstructionId left = jumps[i++].id, right = falls[j++].id;
      sequence.add_pair(left, right);
      report.add_pair(left, right);
    }
    up_to(jumps.size(), falls.size());
    sequence.end(one.of);
    report.end(one, sequence.entries());
  }

  const MergeConfig& config_;
};

}  // namespace

std::shared_ptr<const isa::Pass> merging(const MergeConfig& config) {
  return std::make_shared<Merging>(config);
}

}  // namespace raddle::mechanisms::merge
