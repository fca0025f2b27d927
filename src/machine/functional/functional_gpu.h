// The functional machine: right values and instruction counts, no timing. Its clock counts one SM
// cycle for each warp instruction.
#pragma once

#include <deque>

#include "base/error.h"
#include "isa/global_port.h"
#include "machine/config.h"
#include "machine/engine.h"
#include "machine/functional/functional_block.h"

namespace raddle::machine {

/// Blocks run one after the other, each as far as it comes. A block that uses up its turn (it may
/// wait for others) lets a further one in, up to as many as the hardware would hold at once.
class FunctionalGpu : public Engine {
 public:
  FunctionalGpu(const GpuConfig& config, memory::AddressSpace& space);

  bool idle() const override { return grids_.empty() && !holds_any(); }
  bool has(GridId grid) const override;
  void advance(Cycle limit) override;

  void wake_warp(const isa::WarpContext& warp) override;
  const std::vector<std::unique_ptr<Grid>>& distributor() const override { return none_; }
  void add_group(Grid&, BlockGroup&) override {
    fail("a group was added to a grid of the functional machine, which has no distributor");
  }

 protected:
  void enqueue(std::unique_ptr<Grid> grid) override;

 private:
  Cycle first_ready() const;
  bool admit_block();
  void tell_watcher();
  void run_turn(Cycle limit);
  void end_block(std::size_t position);
  void report_fault(FunctionalBlock& block);
  void report_stuck(const std::string& why);
  void stop();

  std::deque<std::unique_ptr<Grid>> grids_;  // queued and running, in order
  const std::vector<std::unique_ptr<Grid>> none_;
  std::vector<std::unique_ptr<FunctionalBlock>> active_, spare_;
  isa::GlobalPort port_;
  Divergence divergence_;
  double ns_per_cycle_;
  std::size_t turn_ = 0;     // whose turn it is, in active_
  std::size_t waiting_ = 0;  // turns in a row in which nothing could run
  std::vector<const isa::Instruction*> reported_;
  bool stopped_ = false;
};

}  // namespace raddle::machine
