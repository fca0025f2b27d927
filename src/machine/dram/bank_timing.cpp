#include "machine/dram/bank_timing.h"

#include <algorithm>

namespace raddle::machine {

BankTiming::Timing::Timing(const DramConfig& config)
    : cl(config.cl),
      wl(config.wl),
      rcd(config.rcd),
      rp(config.rp),
      ras(config.ras),
      rc(config.rc),
      rrd(config.rrd),
      faw(config.faw),
      ccd(config.ccd),
      ccd_same(config.ccd_same),
      rtp(config.rtp),
      wr(config.wr),
      wtr(config.wtr),
      turnaround(config.turnaround),
      rfc(config.rfc),
      burst(config.burst) {}

BankTiming::BankTiming(const DramConfig& config) : t_(config), banks_(config.banks) {
  for (unsigned bank = 0; bank < banks_.size(); ++bank)
    banks_[bank].group = bank % config.bank_groups;
}

Cycle BankTiming::column(unsigned bank, bool write, Cycle now) {
  Bank& b = banks_[bank];
  const Cycle data_end = now + (write ? t_.wl : t_.cl) + t_.burst;
  // After the other direction: a read waits until the written data are in the bank, and written
  // data wait until the bus has turned round.
  const Cycle read_to_write = data_end + t_.turnaround - std::min<Cycle>(t_.wl, t_.cl);
  const Cycle turned = write ? data_end + t_.wtr : read_to_write;
  column_[write] = std::max(column_[write], now + std::max(t_.ccd, t_.burst));
  column_[!write] = std::max(column_[!write], turned);
  Cycle& same = group_column_[b.group][write];
  same = std::max(same, now + t_.ccd_same);
  b.precharge = std::max(b.precharge, write ? data_end + t_.wr : now + t_.rtp);
  return data_end;
}

void BankTiming::activate(unsigned bank, std::uint32_t row, Cycle now) {
  Bank& b = banks_[bank];
  b.row = row;
  b.column = now + t_.rcd;
  b.precharge = now + t_.ras;
  b.activate = now + t_.rc;
  // The oldest of the last four activations leaves the window tFAW.
  activations_[oldest_activation_] = now + t_.faw;
  oldest_activation_ = (oldest_activation_ + 1) % kActivations;
  activate_ = std::max(now + t_.rrd, activations_[oldest_activation_]);
}

void BankTiming::precharge(unsigned bank, Cycle now) {
  Bank& b = banks_[bank];
  b.row = kClosed;
  b.closed = now + t_.rp;
  b.activate = std::max(b.activate, b.closed);
}

void BankTiming::auto_precharge(unsigned bank) { precharge(bank, banks_[bank].precharge); }

void BankTiming::refresh(Cycle now) {
  Cycle closed = now;
  for (const Bank& b : banks_) {
    closed = std::max(closed, b.row == kClosed ? b.closed : std::max(now, b.precharge) + t_.rp);
  }
  for (Bank& b : banks_) {
    b.row = kClosed;
    b.activate = std::max(b.activate, closed + t_.rfc);
  }
}

}  // namespace raddle::machine
