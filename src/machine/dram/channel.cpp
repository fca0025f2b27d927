#include "machine/dram/channel.h"

#include <algorithm>
#include <bit>

namespace raddle::machine {
namespace {

/// Consecutive ranges of this many bytes lie in different bank groups, so that a stream of them
/// does not wait for tCCD of one group.
constexpr unsigned kStretchBytes = 256;

unsigned log2_of(const Field<unsigned>& field) {
  if (!std::has_single_bit(field.value())) {
    fail("{} = {}: should be a power of two", field.path(), field.value());
  }
  return static_cast<unsigned>(std::countr_zero(field.value()));
}

}  // namespace

DramChannel::DramChannel(const DramConfig& config, ClockRatio clock, StatGroup& parent,
                         unsigned number)
    : clock_(clock),
      timing_(config),
      burst_(config.burst),
      ccd_(config.ccd),
      refi_(config.refi),
      starvation_(config.starvation),
      group_bits_(log2_of(config.bank_groups)),
      bank_bits_(log2_of(config.banks)),
      column_bits_(log2_of(config.row_bytes) - std::countr_zero(kStretchBytes)),
      two_buses_(config.two_command_buses),
      closes_rows_(config.row_policy == "closed"),
      stats_(parent.unit<DramStats>("dram", number)),
      input_(config.input_queue, config.path_latency),
      window_(config.window),
      free_(config.window == 64u ? ~std::uint64_t{0} : (std::uint64_t{1} << config.window) - 1),
      next_refresh_(config.refi) {
  if (bank_bits_ < group_bits_) {
    fail("{} = {}: should not be more than {} = {}", config.bank_groups.path(),
         config.bank_groups.value(), config.banks.path(), config.banks.value());
  }
}

/// The fields of an address, from the low end: range, bank group, rest of the column, bank in the
/// group, row. The low bits of the row permute the banks, so that rows a power of two apart are in
/// different banks (Zhang et al., "A permutation-based page interleaving scheme", MICRO 2000).
DramChannel::Place DramChannel::place(Address address) const {
  Address rest = address / kStretchBytes;
  const Address group = rest & ((1u << group_bits_) - 1);
  rest >>= group_bits_ + column_bits_;
  const unsigned in_group_bits = bank_bits_ - group_bits_;
  const Address in_group = rest & ((1u << in_group_bits) - 1);
  const Address row = rest >> in_group_bits;
  const Address bank = (in_group << group_bits_ | group) ^ (row & ((1u << bank_bits_) - 1));
  return {static_cast<std::uint32_t>(bank), static_cast<std::uint32_t>(row)};
}

bool DramChannel::cycle(Cycle now) {
  if (wake() > now) return false;
  const Cycle first = clock_.first_tick(now), end = clock_.first_tick(now + 1);
  const bool admitted = admit(now, first);
  const unsigned waited = waiting_;
  while (next_tick_ < end) {
    const Cycle tick = next_tick_;
    next_tick_ = schedule(tick);
  }
  next_cycle_ = next_tick_ == kNever ? kNever : clock_.cycle_of(next_tick_);
  return admitted || waiting_ != waited;
}

/// Moves requests into the window at the first tick of the SM cycle, or at the next tick if the
/// cycle has none. Returns whether any were moved.
bool DramChannel::admit(Cycle now, Cycle tick) {
  const std::uint64_t before = arrivals_;
  while (free_ != 0 && input_.can_receive(now)) {
    const auto index = static_cast<std::uint32_t>(std::countr_zero(free_));
    Entry& entry = window_[index];
    entry.request = input_.receive();
    const Place at = place(entry.request.address);
    entry.bank = at.bank;
    entry.row = at.row;
    entry.bursts = count(entry.request.sectors);
    entry.age = ++arrivals_;
    entry.arrived = tick;
    if (waiting_ == 0) {
      counted_until_ = std::max(counted_until_, tick);
      oldest_ = index;
      catch_up_refreshes(tick);
    }
    ++stats_.requests;
    ++waiting_;
    stats_.queue.add(waiting_);
    free_ &= ~(std::uint64_t{1} << index);
    in_bank_[at.bank] |= std::uint64_t{1} << index;
    active_ |= std::uint64_t{1} << at.bank;
    choose(at.bank, tick);
    next_tick_ = std::min(next_tick_, std::max(tick, earliest(at.bank)));
  }
  return arrivals_ != before;
}

/// Performs the refreshes that were due up to `tick`. If an idle channel missed several, only the
/// last can still keep the banks closed.
void DramChannel::catch_up_refreshes(Cycle tick) {
  if (tick < next_refresh_) return;
  const Cycle missed = (tick - next_refresh_) / refi_;
  timing_.refresh(next_refresh_ + missed * refi_);
  stats_.refreshes += missed + 1;
  next_refresh_ += (missed + 1) * refi_;
  for (std::uint64_t banks = active_; banks != 0; banks &= banks - 1) {
    choose(static_cast<unsigned>(std::countr_zero(banks)), tick);
  }
}

/// Issues commands that are allowed at `tick`. Returns a tick before which no other command is
/// allowed.
Cycle DramChannel::schedule(Cycle tick) {
  count_pending(tick);
  catch_up_refreshes(tick);
  const unsigned urgent = starved(tick) ? window_[oldest_].bank : kMostBanks;
  if (urgent != kMostBanks) choose(urgent, tick);
  unsigned column = kMostBanks, row = kMostBanks;  // none
  std::uint64_t column_age = kNever, row_age = kNever;
  Cycle next_column = kNever, next_row = kNever;
  for (std::uint64_t banks = active_; banks != 0; banks &= banks - 1) {
    const auto bank = static_cast<unsigned>(std::countr_zero(banks));
    const Cycle ready = earliest(bank);
    if (next_[bank].command > Command::write) {
      next_row = std::min(next_row, std::max(ready, tick + 1));
      if (ready > tick || next_[bank].age >= row_age) continue;
      row = bank;
      row_age = next_[bank].age;
    } else if (urgent == kMostBanks || urgent == bank) {
      next_column = std::min(next_column, std::max(ready, tick + 1));
      if (ready > tick || next_[bank].age >= column_age) continue;
      column = bank;
      column_age = next_[bank].age;
    }
  }
  if (column != kMostBanks) {
    issue(column, tick);
    next_column = tick + ccd_;
    if (active_ >> column & 1) next_row = std::min(next_row, std::max(earliest(column), tick + 1));
  }
  if (row != kMostBanks && (two_buses_ || column == kMostBanks)) {
    issue(row, tick);
    next_row = std::min(next_row, std::max(earliest(row), tick + 1));
  }
  return waiting_ == 0 ? kNever : std::min(next_row, next_column);
}

Cycle DramChannel::earliest(unsigned bank) const {
  switch (next_[bank].command) {
    case Command::read:
    case Command::write:
      return timing_.earliest_column(bank, next_[bank].command == Command::write);
    case Command::activate:
      return timing_.earliest_activate(bank);
    case Command::precharge:
      return timing_.earliest_precharge(bank);
  }
  return kNever;
}

void DramChannel::issue(unsigned bank, Cycle tick) {
  switch (next_[bank].command) {
    case Command::read:
    case Command::write:
      return issue_column(bank, tick);
    case Command::activate:
      timing_.activate(bank, window_[next_[bank].entry].row, tick);
      ++stats_.activations;
      return choose(bank, tick);
    case Command::precharge:
      timing_.precharge(bank, tick);
      ++stats_.precharges;
      return choose(bank, tick);
  }
}

void DramChannel::issue_column(unsigned bank, Cycle tick) {
  const std::uint32_t index = next_[bank].entry;
  Entry& entry = window_[index];
  const Cycle data_end = timing_.column(bank, entry.request.write, tick);
  ++(entry.request.write ? stats_.writes : stats_.reads);
  stats_.busy_cycles += burst_;
  if (--entry.bursts != 0) return;
  if (entry.request.fills != nullptr) {
    // The SM cycle after the arrival of the last data.
    entry.request.fills->send_at({entry.request.id, entry.request.sectors},
                                 clock_.cycle_of(data_end - 1) + 1);
  }
  ++stats_.completed;
  stats_.latency.add(data_end - entry.arrived);
  --waiting_;
  free_ |= std::uint64_t{1} << index;
  in_bank_[bank] &= ~(std::uint64_t{1} << index);
  if (index == oldest_) find_oldest();
  if (closes_rows_ && !row_wanted(bank)) {
    timing_.auto_precharge(bank);
    ++stats_.precharges;
  }
  if (in_bank_[bank] == 0) {
    active_ &= ~(std::uint64_t{1} << bank);
  } else {
    choose(bank, tick);
  }
  if (waiting_ == 0) count_pending(data_end);
}

/// Chooses the bank's next command: for the oldest request to the open row, else for the oldest
/// request. If the oldest request of the channel has starved, its bank serves it first.
void DramChannel::choose(unsigned bank, Cycle tick) {
  const std::uint32_t open = timing_.open_row(bank);
  std::uint32_t first = kNobody, hit = kNobody;
  for (std::uint64_t entries = in_bank_[bank]; entries != 0; entries &= entries - 1) {
    const auto index = static_cast<std::uint32_t>(std::countr_zero(entries));
    if (first == kNobody || window_[index].age < window_[first].age) first = index;
    if (window_[index].row != open) continue;
    if (hit == kNobody || window_[index].age < window_[hit].age) hit = index;
  }
  const bool starving = first == oldest_ && starved(tick);
  const std::uint32_t chosen = hit == kNobody || starving ? first : hit;
  const Entry& entry = window_[chosen];
  next_[bank] = {Command::precharge, chosen, entry.age};
  if (open == BankTiming::kClosed) {
    next_[bank].command = Command::activate;
  } else if (entry.row == open) {
    next_[bank].command = entry.request.write ? Command::write : Command::read;
  }
}

/// Whether a request in the window goes to the bank's open row.
bool DramChannel::row_wanted(unsigned bank) const {
  for (std::uint64_t entries = in_bank_[bank]; entries != 0; entries &= entries - 1) {
    const Entry& entry = window_[static_cast<unsigned>(std::countr_zero(entries))];
    if (entry.row == timing_.open_row(bank)) return true;
  }
  return false;
}

void DramChannel::find_oldest() {
  oldest_ = kNobody;
  std::uint64_t age = kNever;
  std::uint64_t taken = 0;
  for (std::uint64_t banks = active_; banks != 0; banks &= banks - 1) {
    taken |= in_bank_[static_cast<unsigned>(std::countr_zero(banks))];
  }
  for (; taken != 0; taken &= taken - 1) {
    const auto index = static_cast<std::uint32_t>(std::countr_zero(taken));
    if (window_[index].age >= age) continue;
    age = window_[index].age;
    oldest_ = index;
  }
}

bool DramChannel::starved(Cycle tick) const {
  return oldest_ != kNobody && tick >= window_[oldest_].arrived + starvation_;
}

void DramChannel::count_pending(Cycle until) {
  if (until <= counted_until_) return;
  stats_.pending_cycles += until - counted_until_;
  counted_until_ = until;
}

}  // namespace raddle::machine
