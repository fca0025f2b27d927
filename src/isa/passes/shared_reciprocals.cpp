// Integer divisions by one divisor compute its reciprocal once. In machine code a division of
// 32-bit integers is a reciprocal by the special unit and a few products. The assembler moves the
// reciprocal to the first division by this divisor, or out of a loop. ptxas 13.0, sm_90: the four
// remainders of HeCBench's heat2d have two divisors and share two reciprocals; in a loop, 8 of 17
// instructions are left.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "isa/passes/built_in.h"
#include "isa/passes/definitions.h"
#include "isa/passes/loops.h"

namespace raddle::isa {
namespace {

class Sharing {
 public:
  explicit Sharing(FunctionBody& body) : body_(body), definitions_(body), loops_(body) {}

  std::string run() {
    unsigned divisions = 0;
    std::vector<InstructionId> shared;
    for (const BlockId block : body_.blocks()) {
      for (const InstructionId id : body_.instructions(block)) {
        if (!divides(body_[id])) continue;
        ++divisions;
        if (has_reciprocal(id, block)) shared.push_back(id);
      }
    }
    for (const InstructionId id : shared) body_.change(id).out.klass = Class::int_quotient;
    return fmt::format("{} of {} divisions find the reciprocal of their divisor", shared.size(),
                       divisions);
  }

 private:
  /// A division by a register: constants have other code (sequences.cpp).
  bool divides(const LirInstruction& lir) const {
    return lir.row != nullptr && lir.out.klass == Class::int_div && lir.s[1].is_register() &&
           lir.parts.empty() && ptx::bits(lir.form.type) == 32;
  }

  bool has_reciprocal(InstructionId id, BlockId block) {
    const LirInstruction& lir = body_[id];
    const InstructionId made = definitions_.single(lir.s[1].id);
    if (made == kNoInstruction) return false;
    // The code removes a negative divisor's sign first, so signed divisions have reciprocals of
    // their own.
    std::vector<BlockId>& places = at_[{lir.s[1].id, is_signed(lir.form.type)}];
    const auto before = [&](BlockId place) {
      return place == block || definitions_.dominates(place, block);
    };
    if (std::any_of(places.begin(), places.end(), before)) return true;
    places.push_back(block);
    if (loops_.depth(block) == 0) return false;
    const std::vector<BlockId> loop = loops_.blocks_of(block);
    return std::find(loop.begin(), loop.end(), body_.block_of(made)) == loop.end();
  }

  FunctionBody& body_;
  Definitions definitions_;
  Loops loops_;
  // [divisor, signed] blocks in which its reciprocal is computed
  std::map<std::pair<std::uint32_t, bool>, std::vector<BlockId>> at_;
};

class SharedReciprocals : public Pass {
 public:
  explicit SharedReciprocals(const PassTarget& target) : known_(target.compute_major >= 7) {}
  const char* name() const override { return "shared_reciprocals"; }
  const char* meaning() const override {
    return "compute the reciprocal of a divisor once for all integer divisions by it; on compute "
           "capability 7.0 and later, whose code is known";
  }
  void run(FunctionBody& body, PassNotes& notes) const override {
    if (known_) notes.push_back(Sharing(body).run());
  }

 private:
  bool known_;
};

}  // namespace

std::shared_ptr<const Pass> shared_reciprocals(const PassTarget& target) {
  return std::make_shared<SharedReciprocals>(target);
}

}  // namespace raddle::isa
