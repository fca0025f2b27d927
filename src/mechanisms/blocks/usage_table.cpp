#include "mechanisms/blocks/usage_table.h"

#include <algorithm>
#include <utility>

namespace raddle::mechanisms::blocks {
namespace {

constexpr unsigned kBitsOfMetric = 3;

}  // namespace

UsageTable::UsageTable(unsigned bytes)
    : entries_(std::max<std::size_t>(1, std::size_t{bytes} * 8 / (kBitsOfMetric * kMetrics))) {}

bool UsageTable::set(const Subject& block, const Usage& usage) {
  Entry& entry = entries_[index(block)];
  const std::uint64_t owner =
      (std::uint64_t{block.client} << 56 | std::uint64_t{block.stream} << 40 | block.block) + 1;
  entry.usage = usage;
  const std::uint64_t before = std::exchange(entry.owner, owner);
  return before == 0 || before == owner;
}

BlockScheme::BlockScheme(const SchemeSetup& setup, const Use& use)
    : use_(use),
      steps_(setup.steps),
      stats_(setup.stats),
      most_fall_(setup.config.most_fall),
      table_(setup.config.table_bytes) {}

void BlockScheme::learn(const Subject& block, const Rates& rates, bool /*ended*/) {
  Usage usage = steps_.usage(rates);
  const Usage& before = table_.at(block);
  for (std::size_t m = 0; m < kMetrics; ++m) {
    const unsigned least = before.levels[m] - std::min<unsigned>(before.levels[m], most_fall_);
    usage.levels[m] = static_cast<std::uint8_t>(std::max<unsigned>(usage.levels[m], least));
  }
  if (!use_.memory) usage.levels[static_cast<std::size_t>(Metric::memory)] = 0;
  if (!use_.fpu) usage.levels[static_cast<std::size_t>(Metric::fpu)] = 0;
  stats_.conflicts += !table_.set(block, usage);
}

}  // namespace raddle::mechanisms::blocks
