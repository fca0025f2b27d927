// Linear scan over live ranges with holes: each register takes the lowest place that is free over
// its whole range. M. Poletto, V. Sarkar: Linear Scan Register Allocation (1999); holes after O.
// Traub, G. Holloway, M. Smith: Quality and Speed in Linear-scan Register Allocation (1998).
#include <algorithm>
#include <numeric>

#include "ptx/passes/live_ranges.h"
#include "ptx/passes/passes.h"

namespace raddle::ptx {
namespace {

/// The slots in which one place is occupied.
class Occupancy {
 public:
  bool is_free(const LiveRange& range) const {
    auto taken = taken_.begin();
    for (const LiveSegment& segment : range) {
      taken = std::partition_point(taken, taken_.end(), [&](const LiveSegment& other) {
        return other.end <= segment.start;
      });
      if (taken == taken_.end()) return true;
      if (taken->start < segment.end) return false;
    }
    return true;
  }

  void take(const LiveRange& range) {
    const auto middle = static_cast<std::ptrdiff_t>(taken_.size());
    const bool in_order = taken_.empty() || taken_.back().end <= range.front().start;
    taken_.insert(taken_.end(), range.begin(), range.end());
    if (in_order) return;
    std::inplace_merge(
        taken_.begin(), taken_.begin() + middle, taken_.end(),
        [](const LiveSegment& a, const LiveSegment& b) { return a.start < b.start; });
  }

 private:
  std::vector<LiveSegment> taken_;  // ascending
};

/// One register file: rows, or predicates.
class PlaceFile {
 public:
  std::uint32_t size() const { return static_cast<std::uint32_t>(rows_.size()); }

  /// The lowest multiple of `width` from which `width` rows are free over the range.
  std::uint32_t take(const LiveRange& range, std::uint32_t width) {
    // A function that needs this many rows runs on no GPU, so only the search time matters.
    constexpr std::uint32_t kSearched = 1024;
    std::uint32_t place = size() > kSearched ? (size() - kSearched) / width * width : 0;
    while (!is_free(place, range, width)) place += width;
    if (place + width > size()) rows_.resize(place + width);
    for (std::uint32_t row = place; row < place + width; ++row) rows_[row].take(range);
    return place;
  }

 private:
  bool is_free(std::uint32_t place, const LiveRange& range, std::uint32_t width) const {
    for (std::uint32_t row = place; row < place + width && row < size(); ++row) {
      if (!rows_[row].is_free(range)) return false;
    }
    return true;
  }

  std::vector<Occupancy> rows_;
};

/// The rows of a file in which registers of all widths share places.
std::uint32_t shared_rows(const FlowFunction& function, const std::vector<LiveRange>& ranges,
                          const std::vector<std::uint32_t>& order) {
  PlaceFile file;
  for (const std::uint32_t r : order) {
    if (function.registers[r].file == FlowRegister::File::predicate) continue;
    if (function.registers[r].constant_bank) continue;
    file.take(ranges[r], function.registers[r].rows);
  }
  return file.size();
}

/// The most rows that are needed at the same time.
std::uint32_t most_at_once(const FlowFunction& function, const std::vector<LiveRange>& ranges,
                           const std::vector<std::uint32_t>& order) {
  std::vector<std::pair<std::uint32_t, int>> changes;
  for (const std::uint32_t r : order) {
    const FlowRegister& declared = function.registers[r];
    if (declared.file == FlowRegister::File::predicate || declared.constant_bank) continue;
    for (const LiveSegment& segment : ranges[r]) {
      changes.emplace_back(segment.start, declared.rows);
      changes.emplace_back(segment.end, -static_cast<int>(declared.rows));
    }
  }
  std::sort(changes.begin(), changes.end());
  int now = 0, most = 0;
  for (const auto& [slot, change] : changes) most = std::max(most, now += change);
  return static_cast<std::uint32_t>(most);
}

Allocation allocate_in_order(const FlowFunction& function, const std::vector<LiveRange>& ranges,
                             const std::vector<std::uint32_t>& order) {
  Allocation result;
  result.place.assign(function.registers.size(), Allocation::kUnused);
  PlaceFile narrow, wide, predicates;
  for (const std::uint32_t r : order) {
    const FlowRegister& declared = function.registers[r];
    if (declared.file == FlowRegister::File::predicate) {
      result.place[r] = predicates.take(ranges[r], 1);
    } else {
      result.place[r] = (declared.rows == 1 ? narrow : wide).take(ranges[r], declared.rows);
    }
  }
  // Wide registers begin at a multiple of the widest size.
  constexpr std::uint32_t kWidest = 4;
  const std::uint32_t first_wide = (narrow.size() + kWidest - 1) / kWidest * kWidest;
  for (const std::uint32_t r : order) {
    const FlowRegister& declared = function.registers[r];
    if (declared.file == FlowRegister::File::general && declared.rows != 1) {
      result.place[r] += first_wide;
    }
  }
  result.rows = wide.size() == 0 ? narrow.size() : first_wide + wide.size();
  result.predicates = predicates.size();
  return result;
}

}  // namespace

Allocation allocate_registers(const FlowFunction& function, const ControlFlowGraph& cfg,
                              const Liveness& live) {
  const std::vector<LiveRange> ranges = live_ranges(function, cfg, live);
  std::vector<std::uint32_t> order;
  for (std::uint32_t r = 0; r < ranges.size(); ++r) {
    if (!ranges[r].empty()) order.push_back(r);
  }
  const auto start = [&](std::uint32_t r) { return ranges[r].front().start; };
  const auto width = [&](std::uint32_t r) { return function.registers[r].rows; };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return start(a) < start(b); });
  Allocation result = allocate_in_order(function, ranges, order);
  result.registers = shared_rows(function, ranges, order);
  // Narrow registers fill the gaps between wide ones. Which order is better depends on the mix.
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return width(a) > width(b); });
  result.registers = std::min(result.registers, shared_rows(function, ranges, order));
  result.at_once = most_at_once(function, ranges, order);
  return result;
}

}  // namespace raddle::ptx
