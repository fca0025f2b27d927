// What is kept of grids that have ended: sums for each kernel, and one by one if that is wanted.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "machine/gpu.h"

namespace raddle::machine {

/// All launches of one kernel.
struct KernelSum {
  std::string name;  // as in PTX
  std::uint64_t launches = 0;
  Cycle cycles = 0;  // from start to end, of all of them
  std::uint64_t warp_instructions = 0, thread_instructions = 0;
  bool completed = true;  // false: one of them was stopped
};

class LaunchLog {
 public:
  /// A launch without its name: some 90 bytes.
  struct One {
    std::uint32_t kernel = 0;  // in kernels()
    std::uint32_t stream = 0;
    Dim3 grid, block;
    Cycle queued = 0, start_cycle = 0, end_cycle = 0;
    std::uint64_t warp_instructions = 0, thread_instructions = 0;
    bool completed = true;
  };

  /// Launches are kept one by one from now on; otherwise memory grows with kernels alone.
  void keep_each() { keeps_each_ = true; }
  void add(const GridRecord& grid);

  /// In the order in which the first launch of each ended.
  const std::vector<KernelSum>& kernels() const { return kernels_; }
  bool keeps_each() const { return keeps_each_; }
  /// In order of their end.
  const std::vector<One>& each() const { return each_; }

 private:
  bool keeps_each_ = false;
  std::vector<KernelSum> kernels_;
  std::unordered_map<std::string, std::uint32_t> index_;  // by name, in kernels_
  std::vector<One> each_;
};

}  // namespace raddle::machine
