// A DRAM channel: a memory controller and its banks.
#pragma once

#include <array>

#include "base/clock_ratio.h"
#include "base/latency_queue.h"
#include "base/stats.h"
#include "machine/coalescer/transaction.h"
#include "machine/dram/bank_timing.h"

namespace raddle::machine {

struct DramStats : StatGroup {
  using StatGroup::StatGroup;
  Counter reads{*this, "reads", "bursts", "Bursts of 32 bytes read."};
  Counter writes{*this, "writes", "bursts", "Bursts of 32 bytes written."};
  Counter busy_cycles{*this, "busy_cycles", "ticks",
                      "Command-clock ticks in which the data bus was busy."};
  Counter pending_cycles{
      *this, "pending_cycles", "ticks",
      "Command-clock ticks in which the controller had a request, or its data moved."};
  Counter activations{*this, "activations", "commands", "Rows opened."};
  Counter precharges{*this, "precharges", "commands",
                     "Rows closed: to open another, or by dram.row_policy."};
  Counter refreshes{*this, "refreshes", "commands", "Refreshes of all banks."};
  Counter requests{*this, "requests", "requests", "Requests accepted."};
  Counter completed{*this, "completed", "requests", "Requests whose last burst was issued."};
  Log2Histogram<9> queue{
      *this, "queue", "requests",
      "Requests in the controller's window when one enters it, itself included."};
  Log2Histogram<16> latency{*this, "latency", "ticks",
                            "From the entry of a request into the window to the end of its data, "
                            "in ticks of the command clock."};
  Formula row_hit_rate{
      *this, "row_hit_rate", "fraction", "Bursts that needed no activation of their own.",
      [this](const StatValues& of) { return 1 - of(activations) / (of(reads) + of(writes)); }};
  Formula efficiency{*this, "efficiency", "fraction", "busy_cycles, of pending_cycles.",
                     [this](const StatValues& of) { return of(busy_cycles) / of(pending_cycles); }};
};

/// Sectors of a line that have arrived from DRAM for the miss register `id`.
struct DramFill {
  std::uint32_t id = 0;
  SectorMask sectors = 0;
};

struct DramRequest {
  Address address = 0;  // of the line, in the channel
  SectorMask sectors = 0;
  bool write = false;
  std::uint32_t id = 0;                     // given back with the fill
  LatencyQueue<DramFill>* fills = nullptr;  // target of a read's fill; must have room for it
};

/// The scheduler is first-ready, first-come-first-served (Rixner et al., "Memory Access
/// Scheduling", ISCA 2000). Column commands to open rows go first, in order of age. Then rows are
/// opened for the oldest requests. A row stays open until a request needs another row of the bank;
/// or, by dram.row_policy, until no request in the window needs the row. The oldest request of all
/// goes before row hits when it has waited for dram.starvation ticks.
class DramChannel {
 public:
  /// `number`: of the channel, in the statistics below `parent`.
  DramChannel(const DramConfig& config, ClockRatio clock, StatGroup& parent, unsigned number = 0);

  bool can_send(unsigned requests) const { return input_.free() >= requests; }
  void send(const DramRequest& request, Cycle now) { input_.send(request, now); }

  /// Runs the ticks of SM cycle `now`. Returns whether there is more room for requests, or a fill
  /// was sent.
  bool cycle(Cycle now);
  /// The next cycle in which cycle() has work.
  Cycle wake() const { return free_ == 0 ? next_cycle_ : std::min(next_cycle_, input_.ready_at()); }
  bool empty() const { return input_.empty() && waiting_ == 0; }

  /// Requests that have not completed.
  unsigned queued() const { return input_.size() + waiting_; }

  static constexpr unsigned kBurstBytes = kSectorBytes;

 private:
  static constexpr unsigned kMostBanks = 64;
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};
  enum class Command : std::uint8_t { read, write, activate, precharge };

  /// A request in the scheduler's window.
  struct Entry {
    DramRequest request;
    std::uint32_t bank = 0, row = 0;
    std::uint32_t bursts = 0;  // bursts without a command yet
    std::uint64_t age = 0;     // number in order of arrival
    Cycle arrived = 0;         // tick
  };
  /// The next command of a bank: for its oldest row hit, else for its oldest request.
  struct Next {
    Command command = Command::read;
    std::uint32_t entry = kNobody;
    std::uint64_t age = 0;
  };
  struct Place {
    std::uint32_t bank, row;
  };

  Place place(Address address) const;
  bool admit(Cycle now, Cycle tick);
  void catch_up_refreshes(Cycle tick);
  Cycle schedule(Cycle tick);
  Cycle earliest(unsigned bank) const;
  void issue(unsigned bank, Cycle tick);
  void issue_column(unsigned bank, Cycle tick);
  void choose(unsigned bank, Cycle tick);
  bool row_wanted(unsigned bank) const;
  void find_oldest();
  bool starved(Cycle tick) const;
  void count_pending(Cycle until);

  const ClockRatio clock_;
  BankTiming timing_;
  unsigned burst_, ccd_, refi_, starvation_;
  unsigned group_bits_, bank_bits_, column_bits_;  // bits of the fields of an address, see place()
  bool two_buses_, closes_rows_;
  DramStats& stats_;
  LatencyQueue<DramRequest> input_;
  std::vector<Entry> window_;
  std::uint64_t free_ = 0;                           // one bit for each entry of the window
  std::array<std::uint64_t, kMostBanks> in_bank_{};  // entries of each bank, one bit for each
  std::array<Next, kMostBanks> next_{};
  std::uint64_t active_ = 0;  // banks with entries
  unsigned waiting_ = 0;      // number of taken entries
  std::uint32_t oldest_ = kNobody;
  std::uint64_t arrivals_ = 0;
  Cycle next_tick_ = kNever;   // when the next command is allowed
  Cycle next_cycle_ = kNever;  // the SM cycle of that tick
  Cycle next_refresh_;
  Cycle counted_until_ = 0;  // pending_cycles are counted up to this tick
};

}  // namespace raddle::machine
