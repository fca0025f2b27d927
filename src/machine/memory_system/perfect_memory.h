// A memory without latency or limits, in place of network, L2 slices and DRAM, for limit studies.
#pragma once

#include <utility>
#include <vector>

#include "machine/interconnect/packet.h"

namespace raddle::machine {

class PerfectMemory {
 public:
  explicit PerfectMemory(std::vector<MemoryPort*> ports) : ports_(std::move(ports)) {}

  /// Answers all requests that have arrived. The replies arrive in the next cycle. Calls
  /// `answered(port)` for each port with a request.
  template <class Answered>
  void cycle(Cycle now, Answered answered) {
    for (std::uint32_t n = 0; n < ports_.size(); ++n) {
      MemoryPort& port = *ports_[n];
      if (!port.requests.can_receive(now)) continue;
      while (port.requests.can_receive(now) && port.replies.can_send()) {
        port.replies.send(port.requests.receive(), now);
      }
      answered(n);
    }
  }

  Cycle wake() const {
    Cycle wake = kNever;
    for (const MemoryPort* port : ports_) wake = std::min(wake, port->requests.ready_at());
    return wake;
  }

 private:
  std::vector<MemoryPort*> ports_;
};

}  // namespace raddle::machine
