// A process that shares the GPU, in the process that has the GPU: its memory, its code, and its
// requests.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "corun/channel.h"
#include "corun/client_memory.h"
#include "isa/loader.h"
#include "machine/config.h"
#include "machine/gpu.h"

namespace raddle::corun {

/// Counts the cycles in which at least one of several periods was under way. Periods are added in
/// the order of their ends.
class Periods {
 public:
  void add(Cycle from, Cycle to);
  Cycle sum() const { return sum_; }

 private:
  struct Period {
    Cycle from, to;
  };
  std::vector<Period> apart_;  // no two touch
  Cycle sum_ = 0;
};

/// A process's use of the GPU.
struct Share {
  std::uint64_t grids = 0, warp_instructions = 0, thread_instructions = 0, faults = 0;
  Cycle busy = 0;                 // cycles in which one of its grids was queued or running
  Cycle began = 0, last_end = 0;  // GPU clock: it connected; its last grid ended
  std::string fault;              // the first line of the first fault
};

class Session {
 public:
  /// `client`: machine::Launch::client. The client must have no grids.
  Session(std::unique_ptr<Channel> channel, unsigned client, unsigned clients,
          const machine::GpuConfig& config, const DeviceMemory& memory, machine::Gpu& gpu,
          const Hello& hello);

  Channel& channel() { return *channel_; }
  unsigned client() const { return client_; }

  /// Whether it waits for the GPU, at most up to limit(). Its requested launches are not launched
  /// yet.
  bool waits() const { return waits_; }
  Cycle limit() const { return limit_; }  // of the GPU's clock
  /// Whether no other thread of the process can do anything during the wait.
  bool alone() const { return alone_; }
  /// Whether it has asked for an answer at once.
  bool interrupted() const { return interrupted_; }
  /// Whether the process is gone, or has broken the rules, so that nothing more comes from it.
  bool gone() const { return gone_; }

  /// Handles all messages that have arrived.
  void receive();
  /// Launches the requested kernels on the GPU, `urgency` levels less urgent.
  void launch(int urgency);
  void ended(const machine::GridRecord& record);
  void faulted(const machine::FaultReport& fault);
  /// Whether there are events that the process waits for.
  bool has_news() const { return !news_.ended.empty() || !news_.faults.empty(); }
  /// Answers the request: the process continues.
  void answer();
  /// Ends the connection.
  void leave();

  /// Up to now. Grids that have not ended count with their time, without their instructions.
  Share share() const;

 private:
  void take(const Channel::Message& message);
  void load(const Load& request);
  void advance(Advance request);
  Cycle here(Cycle cycle) const { return cycle - std::min(cycle, share_.began); }

  std::unique_ptr<Channel> channel_;
  unsigned client_, clients_;
  machine::Gpu& gpu_;
  isa::Loader loader_;
  std::unique_ptr<ClientMemory> memory_;
  std::map<std::uint64_t, std::unique_ptr<isa::Program>> programs_;  // by their ids in the process
  struct There {
    machine::GridId id = 0;
    Cycle issued = 0;
  };
  std::map<machine::GridId, There> grids_;
  std::deque<LaunchRequest> launches_;
  bool waits_ = false, interrupted_ = false, gone_ = false, alone_ = true;
  Cycle limit_ = 0;
  Progress news_;
  Periods busy_;
  Share share_;
};

}  // namespace raddle::corun
