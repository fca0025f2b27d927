// Which values of a function are in registers at which places, so that no place needs more
// registers than there are. (M. Braun, S. Hack: Register Spilling and Live-Range Splitting for
// SSA-Form Programs, CC 2009: the value that is needed last leaves first; at the beginning of a
// loop the values that the loop uses stay. P. Briggs, K. Cooper, L. Torczon: Rematerialization,
// PLDI 1992: a value that one instruction can make again from available values is not loaded.)
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "isa/passes/definitions.h"
#include "isa/passes/next_uses.h"

namespace raddle::isa {

/// A change of the place of a register's value.
struct SpillEvent {
  enum class Kind : std::uint8_t {
    leave,  // from here on the value is not in its register, and needed later
    load,   // the value comes back from memory
    remake  // its instruction runs again
  };
  Kind kind = Kind::leave;
  std::uint32_t reg = 0;
};

class SpillPlan {
 public:
  /// Plans with at most `limit` 32-bit registers, unless a single instruction needs more.
  SpillPlan(const FunctionBody& body, const Loops& loops, int limit);

  /// Events before the n-th instruction of the block, in this order.
  struct Place {
    std::uint32_t at = 0;
    SpillEvent event;
  };
  const std::vector<Place>& inside(BlockId block) const { return inside_[block]; }
  /// Events on the path from one block to another.
  struct Edge {
    BlockId from = 0, to = 0;
    std::vector<SpillEvent> events;
  };
  const std::vector<Edge>& edges() const { return edges_; }
  /// The only instruction that makes the register, without the instructions merged with it.
  LirInstruction maker(std::uint32_t reg) const;

 private:
  /// The registers that hold their values at present.
  class Held {
   public:
    explicit Held(const FunctionBody& body) : body_(body), in_(body.register_count(), false) {}
    bool has(std::uint32_t reg) const { return in_[reg]; }
    void add(std::uint32_t reg);
    void remove(std::uint32_t reg);
    void become(const std::vector<std::uint32_t>& regs);
    int size() const { return size_; }
    const std::vector<std::uint32_t>& all() const { return all_; }

   private:
    const FunctionBody& body_;
    std::vector<bool> in_;
    std::vector<std::uint32_t> all_;
    int size_ = 0;  // 32-bit registers
  };

  void find_order();
  void find_most_needed();
  void find_remakable();
  void visit(BlockId block);
  void visit(BlockId block, std::uint32_t at, const LirInstruction& lir);
  std::vector<std::uint32_t> at_start(BlockId block) const;
  std::vector<std::uint32_t> at_header(BlockId block) const;
  void fill(std::vector<std::uint32_t>& held, std::vector<NextUses::Use> more, int room) const;
  void make_room(BlockId block, std::uint32_t at, int room,
                 const std::vector<std::uint32_t>& needed);
  double reason_to_leave(std::uint32_t reg, std::uint32_t distance) const;
  void bring(BlockId block, std::uint32_t at, std::uint32_t reg);
  bool operands_held(std::uint32_t reg) const;
  void join(BlockId from, BlockId to);
  int size_of(std::uint32_t reg) const;

  const FunctionBody& body_;
  const Loops& loops_;
  const int limit_;
  const Definitions definitions_;
  NextUses uses_;
  Held held_;
  std::vector<BlockId> order_;           // each after its predecessors, except back edges
  std::vector<bool> reached_, visited_;  // [block]
  std::vector<int> needed_;              // [block] at most, without spilling
  std::vector<bool> remakable_;          // [register]
  std::vector<bool> makes_others_;       // [register] read by remakable ones
  std::vector<bool> left_;               // [register] it has left its register somewhere
  std::vector<std::vector<std::uint32_t>> start_, end_;  // [block] registers held
  std::vector<std::vector<Place>> inside_;               // [block]
  std::vector<Edge> edges_;
};

}  // namespace raddle::isa
