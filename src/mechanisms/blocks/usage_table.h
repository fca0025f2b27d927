// The resource usage table (thread-block-management, section IV): for each stream and block index,
// the last usage of such a block. The kernel does not matter, because kernels of a stream work on
// the same data with the same blocks. Entries have no tags: blocks with the same entry share it.
#pragma once

#include <cstdint>
#include <vector>

#include "mechanisms/blocks/scheme.h"

namespace raddle::mechanisms::blocks {

class UsageTable {
 public:
  /// Each entry has 3 bits for each metric.
  explicit UsageTable(unsigned bytes);

  std::size_t entries() const { return entries_.size(); }
  /// The entry for the block's program, stream and index.
  std::size_t index(const Subject& block) const {
    const std::uint64_t stream = block.stream + block.client * kStreams;
    return static_cast<std::size_t>((block.block + stream * kStride) % entries_.size());
  }
  const Usage& at(const Subject& block) const { return entries_[index(block)].usage; }
  /// Returns false if the entry belonged to another block.
  bool set(const Subject& block, const Usage& usage);

 private:
  /// Blocks of one stream have adjacent entries. The entries of two streams start this far apart.
  static constexpr std::uint64_t kStride = 4099;
  /// The entries of two programs (raddle corun) start this many streams apart.
  static constexpr std::uint64_t kStreams = 37;
  struct Entry {
    Usage usage;
    std::uint64_t owner = 0;  // used by statistics only; 0: no block yet
  };
  std::vector<Entry> entries_;
};

/// Estimates from the table. `Use` says which metrics count, and whether estimates place and
/// preempt blocks.
class BlockScheme : public Scheme {
 public:
  struct Use {
    bool memory = true, fpu = true;  // metrics
    bool predicts = true, preempts = true;
  };
  BlockScheme(const SchemeSetup& setup, const Use& use);
  Usage estimate(const Subject& block) const override { return table_.at(block); }
  void learn(const Subject& block, const Rates& rates, bool ended) override;
  bool predicts() const override { return use_.predicts; }
  bool preempts() const override { return use_.preempts; }

 private:
  Use use_;
  const Steps& steps_;
  BlocksStats& stats_;
  unsigned most_fall_;
  UsageTable table_;
};

}  // namespace raddle::mechanisms::blocks
