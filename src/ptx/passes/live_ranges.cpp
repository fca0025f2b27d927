#include "ptx/passes/live_ranges.h"

#include <algorithm>

#include "ptx/passes/register_blocks.h"

namespace raddle::ptx {
namespace {

bool contains(const std::vector<std::uint32_t>& ascending, std::uint32_t value) {
  return std::binary_search(ascending.begin(), ascending.end(), value);
}

/// The part of liveness after a write. A register that is live but unwritten (written only under a
/// guard, seen from before that) needs no place yet.
Liveness written_liveness(const FlowFunction& function, const ControlFlowGraph& cfg,
                          const Liveness& live) {
  const auto registers = static_cast<std::uint32_t>(function.registers.size());
  const RegisterBlocks places = find_register_blocks(function, cfg);
  Liveness written;
  written.in.resize(cfg.blocks.size());
  written.out.resize(cfg.blocks.size());
  // [block] the last register for which it was marked.
  std::vector<std::uint32_t> in(cfg.blocks.size(), registers), out = in, work;
  for (std::uint32_t r = 0; r < registers; ++r) {
    const auto leave = [&](std::uint32_t block) {
      if (out[block] == r || !contains(live.out[block], r)) return;
      out[block] = r;
      written.out[block].push_back(r);
      work.push_back(block);
    };
    for (const std::uint32_t block : places.writes(r)) leave(block);
    while (!work.empty()) {
      const std::uint32_t block = work.back();
      work.pop_back();
      for (const std::uint32_t next : cfg.blocks[block].successors) {
        if (in[next] == r || !contains(live.in[next], r)) continue;
        in[next] = r;
        written.in[next].push_back(r);
        leave(next);
      }
    }
  }
  return written;
}

/// Walks the program backwards: opens a segment at the last read of a value, and closes it at its
/// write.
class RangeBuilder {
 public:
  RangeBuilder(const FlowFunction& function, const Liveness& written)
      : function_(function),
        written_(written),
        ranges_(function.registers.size()),
        end_(function.registers.size(), kClosed),
        first_touch_(function.registers.size(), 0),
        written_before_(function.registers.size(), false) {}

  void add_block(std::uint32_t number, const ControlFlowGraph::Block& block) {
    open_.clear();
    for (const std::uint32_t r : written_.out[number]) open(r, 2 * block.end);
    for (std::uint32_t i = block.end; i-- > block.first;) add_instruction(i);
    for (const std::uint32_t r : written_.in[number]) written_before_[r] = true;
    for (const std::uint32_t r : open_) {
      if (end_[r] == kClosed) continue;
      add(r, {written_before_[r] ? 2 * block.first : first_touch_[r], end_[r]});
      end_[r] = kClosed;
    }
    for (const std::uint32_t r : written_.in[number]) written_before_[r] = false;
  }

  std::vector<LiveRange> finish() {
    for (LiveRange& range : ranges_) std::reverse(range.begin(), range.end());
    return std::move(ranges_);
  }

 private:
  static constexpr std::uint32_t kClosed = 0;  // no segment ends in slot 0

  void open(std::uint32_t r, std::uint32_t end) {
    end_[r] = end;
    open_.push_back(r);
  }

  void add_instruction(std::uint32_t i) {
    const FlowInstruction& instruction = function_.instructions[i];
    const std::uint32_t read_slot = 2 * i, write_slot = read_slot + 1;
    for (const std::uint32_t r : instruction.writes) {
      if (end_[r] == kClosed) {
        add(r, {write_slot, write_slot + 1});
      } else if (instruction.conditional) {
        first_touch_[r] = write_slot;
      } else {
        add(r, {write_slot, end_[r]});
        end_[r] = kClosed;
      }
    }
    for (const std::uint32_t r : instruction.reads) {
      if (end_[r] == kClosed) open(r, read_slot + 1);
      first_touch_[r] = read_slot;
    }
  }

  /// Segments arrive from the last to the first; adjacent ones are joined.
  void add(std::uint32_t r, LiveSegment segment) {
    LiveRange& range = ranges_[r];
    if (!range.empty() && segment.end >= range.back().start) {
      range.back().start = std::min(range.back().start, segment.start);
    } else {
      range.push_back(segment);
    }
  }

  const FlowFunction& function_;
  const Liveness& written_;
  std::vector<LiveRange> ranges_;           // descending while building
  std::vector<std::uint32_t> end_;          // [register] of the open segment
  std::vector<std::uint32_t> first_touch_;  // [register] first slot seen in the open segment
  std::vector<bool> written_before_;        // [register] before the current block
  std::vector<std::uint32_t> open_;         // opened in the current block
};

}  // namespace

std::vector<LiveRange> live_ranges(const FlowFunction& function, const ControlFlowGraph& cfg,
                                   const Liveness& live) {
  const Liveness written = written_liveness(function, cfg, live);
  RangeBuilder builder(function, written);
  for (auto b = static_cast<std::uint32_t>(cfg.blocks.size()); b-- > 0;) {
    builder.add_block(b, cfg.blocks[b]);
  }
  return builder.finish();
}

}  // namespace raddle::ptx
