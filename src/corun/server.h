// Who has the GPU, and several programs on it (raddle corun). Time goes on only while each program waits for
// the GPU, or has ended: then all is known that any of them does until the first of them is told something.
// So what they compute, and in how many cycles, depends neither on the host's threads nor on how fast the
// programs are on it.
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

/// The programs as whoever has started them knows them.
class Programs {
 public:
  virtual ~Programs() = default;
  virtual unsigned count() const = 0;
  /// Whether program `n` has ended, with all that it has started.
  virtual bool ended(unsigned n) const = 0;
  /// Appends what is to be polled for news of them.
  virtual void watch(std::vector<pollfd>& descriptors) = 0;
  /// Takes what has come.
  virtual void attend() = 0;
};

class Server {
 public:
  /// `urgency`: of each program; less is more urgent (levels below CUDA's priorities of streams).
  Server(const machine::GpuConfig& config, const DeviceMemory& memory, std::vector<int> urgency);

  const std::string& entrance() const { return entrance_.name(); }
  /// Until all programs have ended.
  void serve(Programs& programs);

  machine::Gpu& gpu() { return gpu_; }
  /// Of program n: what its processes have had, one after the other.
  const std::vector<Share>& shares(unsigned n) const { return places_[n].before; }

 private:
  struct Place {
    std::unique_ptr<Session> session;
    std::unique_ptr<Channel>
        next;     // a process that waits until what the one before has left is over
    Hello hello;  // its
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
  memory::AddressSpace nobodys_;  // of client 0, which there is not
  machine::Gpu gpu_;
  Entrance entrance_;
  std::vector<int> urgency_;
  std::vector<Place> places_;                        // [program]
  std::vector<std::unique_ptr<Channel>> strangers_;  // that have not said who they are
  std::vector<pollfd> watched_;
  std::atomic<unsigned> wanted_{0};
};

}  // namespace raddle::corun
