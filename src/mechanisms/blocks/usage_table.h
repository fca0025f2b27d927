// The resource usage table (thread-block-management, section IV): for each stream and block index what
// such a block used last, whichever kernel it was of, as kernels of a stream work on the same data
// with the same blocks. No tags: what falls into one entry shares it.
#pragma once

#include <cstdint>
#include <vector>

#include "mechanisms/blocks/scheme.h"

namespace raddle::mechanisms::blocks {

class UsageTable {
 public:
  /// Entries of 3 bits for each metric.
  explicit UsageTable(unsigned bytes);

  std::size_t entries() const { return entries_.size(); }
  /// Of the block's program, stream and index.
  std::size_t index(const Subject& block) const {
    const std::uint64_t stream = block.stream + block.client * kStreams;
    return static_cast<std::size_t>((block.block + stream * kStride) % entries_.size());
  }
  const Usage& at(const Subject& block) const { return entries_[index(block)].usage; }
  /// False: the entry was another block's.
  bool set(const Subject& block, const Usage& usage);

 private:
  /// Blocks of one stream lie side by side; streams this far apart.
  static constexpr std::uint64_t kStride = 4099;
  /// Streams of one program; those of the next follow.
  static constexpr std::uint64_t kStreams = 37;
  struct Entry {
    Usage usage;
    std::uint64_t owner = 0;  // for statistics alone; 0: nobody's yet
  };
  std::vector<Entry> entries_;
};

/// Estimates by the table, and what of that is made use of.
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
