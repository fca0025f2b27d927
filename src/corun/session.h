// A process that shares the GPU, as who has the GPU sees it: its memory, its code, and what it waits for.
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

/// Cycles in which one of several periods was under way, which end in order.
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

/// What a process has had of the GPU.
struct Share {
  std::uint64_t grids = 0, warp_instructions = 0, thread_instructions = 0, faults = 0;
  Cycle busy = 0;                 // a grid of it was queued or running
  Cycle began = 0, last_end = 0;  // of the GPU: when it came, and the end of its last grid
  std::string fault;              // the first line of the first
};

class Session {
 public:
  /// `client`: machine::Launch::client; it has no grids now.
  Session(std::unique_ptr<Channel> channel, unsigned client, unsigned clients,
          const machine::GpuConfig& config, const DeviceMemory& memory, machine::Gpu& gpu,
          const Hello& hello);

  Channel& channel() { return *channel_; }
  unsigned client() const { return client_; }

  /// It waits for the GPU, up to limit() at most; what it wants launched is not launched yet.
  bool waits() const { return waits_; }
  Cycle limit() const { return limit_; }  // of the GPU's clock
  /// No other thread of it can do anything meanwhile.
  bool alone() const { return alone_; }
  /// It has asked to be told at once.
  bool interrupted() const { return interrupted_; }
  /// The process is gone, or has broken the rules: there is nobody to wait for.
  bool gone() const { return gone_; }

  /// Takes all messages that have come.
  void receive();
  /// Hands what it wants launched to the GPU, `urgency` levels less urgent.
  void launch(int urgency);
  void ended(const machine::GridRecord& record);
  void faulted(const machine::FaultReport& fault);
  /// Something has happened that it waits for.
  bool has_news() const { return !news_.ended.empty() || !news_.faults.empty(); }
  /// Answers: it goes on.
  void answer();
  /// It will say nothing more.
  void leave();

  /// Up to now, with grids that have not ended.
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
  std::map<std::uint64_t, std::unique_ptr<isa::Program>> programs_;  // by their ids there
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
