// The process that has the GPU, and the programs that share it (raddle corun). Time advances only
// while every program waits for the GPU or has ended. Then the next actions of all programs are
// known until one of them gets an answer. So the results and cycles of programs do not depend on
// the host's threads, or on the speed of the programs on the host.
#pragma once

#include <poll.h>

#include <atomic>
#include <memory>
#include <vector>

#include "corun/channel.h"
#include "corun/session.h"
#include "machine/config.h"
#include "machine/gpu.h"
#include "memory/address_space.h"

namespace raddle::corun {

/// The programs, as the process that has started them knows them.
class Programs {
 public:
  virtual ~Programs() = default;
  virtual unsigned count() const = 0;
  /// Whether program `n` has ended, with all processes that it has started.
  virtual bool ended(unsigned n) const = 0;
  /// Appends the descriptors to poll for news of the programs.
  virtual void watch(std::vector<pollfd>& descriptors) = 0;
  /// Handles news of the programs.
  virtual void attend() = 0;
};

class Server {
 public:
  /// `urgency`: of each program; a smaller number is more urgent (levels below CUDA's priorities of
  /// streams).
  Server(const machine::GpuConfig& config, const DeviceMemory& memory, std::vector<int> urgency);

  const std::string& entrance() const { return entrance_.name(); }
  /// Serves the programs until all have ended.
  void serve(Programs& programs);

  machine::Gpu& gpu() { return gpu_; }
  /// The shares of program n's processes, one after the other.
  const std::vector<Share>& shares(unsigned n) const { return places_[n].before; }

 private:
  struct Place {
    std::unique_ptr<Session> session;
    std::unique_ptr<Channel>
        next;     // a process that waits until the grids of the previous one have ended
    Hello hello;  // of the process in `next`
    std::vector<Share> before;
  };

  void let_in();
  void welcome(Channel::Message message, std::unique_ptr<Channel> channel);
  void begin(unsigned program);
  void listen(Programs& programs, bool wait);
  bool all_wait(const Programs& programs) const;
  bool drained(const Place& place) const;
  void step();
  void deliver();

  const machine::GpuConfig& config_;
  DeviceMemory memory_;
  memory::AddressSpace nobodys_;  // of client 0, which does not exist
  machine::Gpu gpu_;
  Entrance entrance_;
  std::vector<int> urgency_;
  std::vector<Place> places_;                        // [program]
  std::vector<std::unique_ptr<Channel>> strangers_;  // connections without a Hello yet
  std::vector<pollfd> watched_;
  std::atomic<unsigned> wanted_{0};
};

}  // namespace raddle::corun
