// Checks an allocation without live ranges: follows each written value to its reads, and checks
// that no other register's write takes its place on the way.
#include <algorithm>

#include "ptx/passes/passes.h"

namespace raddle::ptx {
namespace {

class Checker {
 public:
  Checker(const FlowFunction& function, const ControlFlowGraph& cfg, const Liveness& live,
          const Allocation& allocation)
      : function_(function),
        cfg_(cfg),
        live_(live),
        allocation_(allocation),
        entered_(cfg.blocks.size(), Allocation::kUnused) {}

  std::string run() {
    for (std::uint32_t r = 0; r < function_.registers.size() && problem_.empty(); ++r) {
      check_place(r);
    }
    check_widths();
    for (std::uint32_t b = 0; b < cfg_.blocks.size(); ++b) {
      for (std::uint32_t i = cfg_.blocks[b].first; i < cfg_.blocks[b].end; ++i) {
        const auto& writes = function_.instructions[i].writes;
        for (const std::uint32_t r : writes) {
          if (!problem_.empty()) return problem_;
          for (const std::uint32_t other : writes) {
            if (overlap(r, other)) report(r, other, i);
          }
          follow(r, i + 1, b);
        }
      }
    }
    return problem_;
  }

 private:
  std::uint32_t width(std::uint32_t r) const {
    const FlowRegister& declared = function_.registers[r];
    return declared.file == FlowRegister::File::predicate ? 1 : declared.rows;
  }

  void check_place(std::uint32_t r) {
    const std::uint32_t place = allocation_.place[r];
    if (place == Allocation::kUnused) return;
    const bool predicate = function_.registers[r].file == FlowRegister::File::predicate;
    const std::uint32_t size = predicate ? allocation_.predicates : allocation_.rows;
    if (place % width(r) != 0 || place + width(r) > size) {
      problem_ = fmt_place(r) + " is misaligned or outside the register file";
    }
  }

  void check_widths() {
    std::vector<std::uint32_t> width_of(allocation_.rows, 0);
    for (std::uint32_t r = 0; r < function_.registers.size() && problem_.empty(); ++r) {
      const bool general = function_.registers[r].file == FlowRegister::File::general;
      if (!general || allocation_.place[r] == Allocation::kUnused) continue;
      for (std::uint32_t row = allocation_.place[r]; row < allocation_.place[r] + width(r); ++row) {
        const bool wide = width(r) > 1, taken = width_of[row] != 0;
        if (taken && (width_of[row] > 1) != wide) {
          problem_ = fmt_place(r) + " shares a row with a register of another width";
        }
        width_of[row] = width(r);
      }
    }
  }

  bool overlap(std::uint32_t a, std::uint32_t b) const {
    if (a == b || function_.registers[a].file != function_.registers[b].file) return false;
    const std::uint32_t first = allocation_.place[a], second = allocation_.place[b];
    return first < second + width(b) && second < first + width(a);
  }

  /// Follows the value from a write of `r` on; enters each block once for each register.
  void follow(std::uint32_t r, std::uint32_t from, std::uint32_t block) {
    if (allocation_.place[r] == Allocation::kUnused) {
      problem_ = fmt_place(r) + " is written but has no place";
      return;
    }
    if (!passes(r, from, block)) return;
    work_ = {block};
    while (!work_.empty() && problem_.empty()) {
      const std::uint32_t here = work_.back();
      work_.pop_back();
      for (const std::uint32_t next : cfg_.blocks[here].successors) {
        const auto& in = live_.in[next];
        if (entered_[next] == r || !std::binary_search(in.begin(), in.end(), r)) continue;
        entered_[next] = r;
        if (passes(r, cfg_.blocks[next].first, next)) work_.push_back(next);
      }
    }
  }

  /// Returns whether the value is still in place, and needed, at the end of the block.
  bool passes(std::uint32_t r, std::uint32_t from, std::uint32_t block) {
    std::uint32_t thief = Allocation::kUnused, where = 0;
    for (std::uint32_t i = from; i < cfg_.blocks[block].end; ++i) {
      const FlowInstruction& instruction = function_.instructions[i];
      const auto& reads = instruction.reads;
      if (thief != Allocation::kUnused && std::find(reads.begin(), reads.end(), r) != reads.end()) {
        report(r, thief, where);
        return false;
      }
      bool killed = false;
      for (const std::uint32_t written : instruction.writes) {
        killed |= written == r && !instruction.conditional;
        if (thief != Allocation::kUnused || !overlap(r, written)) continue;
        thief = written;
        where = i;
      }
      if (killed) return false;
    }
    const auto& out = live_.out[block];
    if (!std::binary_search(out.begin(), out.end(), r)) return false;
    if (thief != Allocation::kUnused) report(r, thief, where);
    return thief == Allocation::kUnused;
  }

  std::string fmt_place(std::uint32_t r) const { return "register " + std::to_string(r); }

  void report(std::uint32_t r, std::uint32_t thief, std::uint32_t where) {
    if (!problem_.empty()) return;
    problem_ = fmt_place(r) + " is live where instruction " + std::to_string(where) +
               " writes register " + std::to_string(thief) + ", which shares its place";
  }

  const FlowFunction& function_;
  const ControlFlowGraph& cfg_;
  const Liveness& live_;
  const Allocation& allocation_;
  std::vector<std::uint32_t> entered_;  // [block] last register that entered it
  std::vector<std::uint32_t> work_;
  std::string problem_;
};

}  // namespace

std::string check_allocation(const FlowFunction& function, const ControlFlowGraph& cfg,
                             const Liveness& live, const Allocation& allocation) {
  return Checker(function, cfg, live, allocation).run();
}

}  // namespace raddle::ptx
