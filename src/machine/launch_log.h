// A log of ended grids: sums for each kernel, and single launches if that is wanted.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/merged_stats.h"
#include "machine/gpu.h"

namespace raddle::machine {

/// All launches of one kernel.
struct KernelSum {
  std::string name;  // as in PTX
  std::uint64_t launches = 0;
  Cycle cycles = 0;   // sum over all launches, as profilers count
  Cycle running = 0;  // sum over all launches, from start to end
  std::uint64_t warp_instructions = 0, thread_instructions = 0;
  bool completed = true;  // false: one of them was stopped
  /// Sum over all launches; empty unless launches are measured.
  MergedStats::State statistics;
  std::uint64_t overlapped = 0;  // launches during which other grids ran
};

class LaunchLog {
 public:
  /// A launch without its name: some 100 bytes, and the counts of its run.
  struct One {
    std::uint32_t kernel = 0;  // in kernels()
    std::uint32_t stream = 0;
    Dim3 grid, block;
    Cycle queued = 0, start_cycle = 0, end_cycle = 0;
    Cycle cycles = 0;  // as profilers count
    std::uint64_t warp_instructions = 0, thread_instructions = 0;
    bool completed = true, overlapped = false;
    std::shared_ptr<const MergedStats::State> statistics;  // nullptr: not kept
  };

  /// Keeps all later launches one by one. Otherwise memory grows only with the number of kernels.
  void keep_each() { keeps_each_ = true; }
  /// The records will hold statistics of this form, which lives as long as the log. The log adds
  /// them up for each kernel. It also keeps them for the first `most` launches that are kept one by
  /// one.
  void measure(const MergedStats& form, std::uint64_t most) {
    form_ = &form;
    most_measured_ = most;
  }
  void add(const GridRecord& grid);

  std::uint64_t count() const { return count_; }
  /// In the order in which the first launch of each kernel ended.
  const std::vector<KernelSum>& kernels() const { return kernels_; }
  bool keeps_each() const { return keeps_each_; }
  /// In order of their end.
  const std::vector<One>& each() const { return each_; }
  /// nullptr: launches are not measured.
  const MergedStats* form() const { return form_; }

 private:
  void add_statistics(KernelSum& sum, const GridRecord& grid) const;

  std::uint64_t count_ = 0;
  bool keeps_each_ = false;
  const MergedStats* form_ = nullptr;
  std::uint64_t most_measured_ = 0;
  std::vector<KernelSum> kernels_;
  std::unordered_map<std::string, std::uint32_t> index_;  // index in kernels() by name
  std::vector<One> each_;
};

}  // namespace raddle::machine
