// The memory side of the GPU: network, L2 slices, DRAM channels.
#pragma once

#include <memory>
#include <vector>

#include "machine/dram/channel.h"
#include "machine/interconnect/config.h"
#include "machine/interconnect/crossbar.h"
#include "machine/l2/l2_slice.h"

namespace raddle::machine {

class MemorySystem {
 public:
  struct Config {
    const InterconnectConfig& interconnect;
    const L2Config& l2;
    const DramConfig& dram;
    unsigned core_mhz, dram_mhz;  // network and L2 slices run at the SM clock
  };

  /// `ports`: those of the L1 caches, in order of the multiprocessors' numbers; not owned. Throws
  /// Error for settings which are fine one by one and impossible together.
  MemorySystem(const Config& config, const std::vector<MemoryPort*>& ports, StatGroup& parent);

  /// The memory phase of SM cycle `now`, after the multiprocessors' phase. What it sends can be
  /// received in the next cycle at the earliest. Calling it in a cycle before wake() does nothing.
  void cycle(Cycle now);
  /// The next cycle in which cycle() does anything; kNever when nothing is under way.
  Cycle wake() const;
  /// Whether no request and no reply is under way on this side of the ports.
  bool empty() const;

 private:
  StatGroup interconnect_stats_;
  AddressMap map_;
  ClockRatio dram_clock_;
  std::vector<std::unique_ptr<DramChannel>> channels_;
  std::vector<std::unique_ptr<L2Slice>> slices_;
  std::unique_ptr<Crossbar> requests_, replies_;
  std::vector<MemoryPort*> ports_;
  // When each next does anything; what is sent to it meanwhile is not visible before.
  std::vector<Cycle> channel_wake_, slice_wake_;
  Cycle inner_wake_ = kNever;  // of all but the requests crossbar, whose inputs the SMs fill
};

}  // namespace raddle::machine
