#include "machine/sm/unit_port.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "machine/fault.h"
#include "machine/mechanism.h"
#include "machine/sm/resident_block.h"

namespace raddle::machine {

void UnitPort::refuse(const std::string& what) const {
  raddle::fail("internal error: in cycle {}, the unit of {} on SM {} {}", now_,
               mechanism_kinds()[number_].name, p_.sm, what);
}

UnitResult UnitPort::reserve(const UnitIssue& issue, bool long_wait) {
  if (issue.lanes == 0) [[unlikely]]
    refuse("reserves a result of no lanes");
  std::uint32_t index = free_result_;
  if (index == kNone) {
    index = static_cast<std::uint32_t>(results_.size());
    results_.push_back({});
  } else {
    free_result_ = results_[index].next_free;
  }
  WarpSlot& slot = p_.warps.of(issue.path);
  results_[index] = {issue.path,  long_wait, issue.code, slot.warp.registers(path_of(issue.path)),
                     issue.lanes, 0,         kNone};
  const isa::RegisterSet& writes = slot.program->writes[issue.code];
  if (long_wait) {
    p_.scoreboard.reserve_memory(issue.path, writes);
  } else {
    p_.scoreboard.reserve_execution(issue.path, writes);
  }
  ++slot.unit_results;
  ++results_under_way_;
  return index;
}

namespace {

template <class T>
void write_lanes(std::byte* row, LaneMask lanes, const T* values) {
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    std::memcpy(row + lane * sizeof(T), values + lane, sizeof(T));
  }
}

}  // namespace

const UnitPort::Result& UnitPort::under_way(UnitResult result, LaneMask lanes) const {
  if (result >= results_.size()) [[unlikely]]
    refuse("writes a result that it has not reserved");
  const Result& r = results_[result];
  if ((lanes & ~r.left) != 0) [[unlikely]] {
    refuse(fmt::format("writes lanes {:#x} of a result, of which {:#x} have not been finished",
                       lanes, r.left));
  }
  return r;
}

void UnitPort::write(UnitResult result, isa::Slot slot, LaneMask lanes,
                     const std::uint32_t* values) {
  const Result& r = under_way(result, lanes);
  write_lanes(p_.warps.of(r.path).warp.rows_at(r.registers) + slot, lanes, values);
}

void UnitPort::write(UnitResult result, isa::Slot slot, LaneMask lanes,
                     const std::uint64_t* values) {
  const Result& r = under_way(result, lanes);
  write_lanes(p_.warps.of(r.path).warp.rows_at(r.registers) + slot, lanes, values);
}

void UnitPort::write_predicate(UnitResult result, std::uint16_t predicate, LaneMask lanes,
                               LaneMask values) {
  const Result& r = under_way(result, lanes);
  LaneMask& row = p_.warps.of(r.path).warp.predicates_at(r.registers)[predicate];
  row = (row & ~lanes) | (values & lanes);
}

void UnitPort::finish(UnitResult result, LaneMask lanes, Cycle at) {
  if (result >= results_.size()) [[unlikely]]
    refuse("finishes a result that it has not reserved");
  Result& r = results_[result];
  // A finished result has no lanes left.
  if (r.left == 0 || (lanes & ~r.left) != 0) [[unlikely]] {
    refuse(fmt::format(
        "finishes lanes {:#x} of a result, of which {:#x} have not been finished before", lanes,
        r.left));
  }
  r.left &= ~lanes;
  ++r.arriving;
  if (at > now_) {
    if (at - now_ > kMostDelay) {
      refuse(fmt::format("has a result in {} cycles, the most is {}", at - now_, kMostDelay));
    }
    p_.events.put({WarpEvent::Kind::unit_result, r.path, number_ << kUnitShift | result}, at);
    if (!p_.clock.in_cycle) p_.clock.rouse(at);
  } else {
    arrive(result, now_);
  }
}

void UnitPort::result_event(WarpEvent event, Cycle now) {
  const std::uint32_t result = event.code & ((1u << kUnitShift) - 1);
  if (event.kind == WarpEvent::Kind::unit_result) {
    arrive(result, now);
  } else {
    written(result, now);
  }
}

/// A part of a result takes a bus to the register file.
void UnitPort::arrive(std::uint32_t result, Cycle now) {
  const PathId path = results_[result].path;
  const Cycle at = p_.operands.write(p_.schedulers.of(warp_of(path)), false, now, now);
  if (at == now) return written(result, now);
  p_.events.put({WarpEvent::Kind::unit_write, path, number_ << kUnitShift | result}, at);
  if (!p_.clock.in_cycle) p_.clock.rouse(at);
}

void UnitPort::written(std::uint32_t result, Cycle now) {
  Result& r = results_[result];
  if (--r.arriving != 0 || r.left != 0) return;
  const isa::RegisterSet& writes = p_.warps.of(r.path).program->writes[r.code];
  if (r.long_wait) {
    p_.scoreboard.release_memory(r.path, writes);
  } else {
    p_.scoreboard.release_execution(r.path, writes);
  }
  r.next_free = std::exchange(free_result_, result);
  --results_under_way_;
  --p_.warps.of(r.path).unit_results;
  p_.progress.reconsider(r.path, now);
}

void UnitPort::access_for(const UnitIssue& issue, const Transaction* transactions, unsigned count,
                          CacheId cache) {
  if (!p_.memory.can_issue()) [[unlikely]]
    refuse("accesses memory for an instruction that the load-store unit has no room for");
  const LoadStore::Cost cost =
      p_.memory.issue_for(*this, issue.path, issue.code, transactions, count, cache);
  if (p_.charges.active()) [[unlikely]]
    p_.charges.access(issue.path, issue.code, cost);
}

void UnitPort::access(const UnitAccess& what, Priority priority) {
  if (what.lanes == 0) [[unlikely]]
    refuse("accesses memory for no lanes");
  if (!can_access(priority)) [[unlikely]]
    refuse("accesses memory when SmPort::can_access() says that there is no room");
  std::uint32_t index = free_access_;
  if (index == kNone) {
    index = static_cast<std::uint32_t>(accesses_.size());
    accesses_.push_back({});
  } else {
    free_access_ = accesses_[index].next_free;
  }
  accesses_[index].what = what;
  ++accesses_under_way_;
  isa::MemoryAccess access;
  access.space = isa::MemoryAccess::Space::global;
  const bool prefetch = what.type == AccessType::prefetch;
  access.type = prefetch ? AccessType::load : what.type;
  access.bytes = sizeof(std::uint32_t);
  access.bypass_l1 = priority == Priority::low && !prefetch;
  access.lanes = what.lanes;
  std::copy(what.address.begin(), what.address.end(), access.address);
  p_.memory.post(*this, index, access, priority == Priority::low);
  if (p_.clock.in_cycle) {
    unmoved_.push_back(index);
    posted_ = unmoved_.size();
  } else {
    move_values(accesses_[index].what);
    rouse();
  }
}

void UnitPort::commit() {
  for (const std::uint32_t index : unmoved_) move_values(accesses_[index].what);
  unmoved_.clear();
  posted_ = 0;
  if (std::exchange(asks_commit_, false)) unit_->commit(now_);
  rouse();
}

/// Carries out the access in global memory; a load puts the values into `access`.
void UnitPort::move_values(UnitAccess& access) {
  if (access.type == AccessType::prefetch) return;
  memory::AddressSpace& space = p_.global.space();
  for (LaneMask rest = access.lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const Address address = access.address[lane];
    if (address % sizeof(std::uint32_t) != 0) {
      return fail(access, lane, isa::Fault::Kind::misaligned);
    }
    std::byte* const at = space.values(address, sizeof(std::uint32_t));
    if (at == nullptr) {
      const memory::Allocation* const near = space.find(address);
      return fail(access, lane,
                  near != nullptr && near->freed ? isa::Fault::Kind::use_after_free
                                                 : isa::Fault::Kind::out_of_bounds);
    }
    if (access.type == AccessType::store) {
      std::memcpy(at, &access.values[lane], sizeof(std::uint32_t));
    } else {
      std::memcpy(&access.values[lane], at, sizeof(std::uint32_t));
    }
  }
}

void UnitPort::fail(const UnitAccess& access, unsigned lane, isa::Fault::Kind kind) {
  if (access.blame == nullptr) {
    refuse(fmt::format("accesses address {:#x} for nobody", access.address[lane]));
  }
  SmFault fault = *access.blame;
  fault.fault.kind = kind;
  fault.fault.type = access.type;
  fault.fault.space = isa::MemoryAccess::Space::global;
  fault.fault.address = access.address[lane];
  fault.fault.bytes = sizeof(std::uint32_t);
  p_.faults.add(fault);
}

SmFault UnitPort::blame(const UnitIssue& issue, unsigned lane) const {
  isa::Fault fault;
  fault.lane = static_cast<std::uint8_t>(lane);
  return FaultLog::fault_of(p_.warps.of(issue.path), fault, issue.code);
}

void UnitPort::returned(std::uint32_t index, Cycle now) {
  const UnitAccess what = accesses_[index].what;  // a copy, since the unit may add accesses
  accesses_[index].next_free = std::exchange(free_access_, index);
  --accesses_under_way_;
  unit_->returned(what.tag, what.values.data(), now);
}

void UnitPort::describe_unfinished(std::string& text, unsigned& lines, unsigned most) const {
  for (const Result& result : results_) {
    if (result.left == 0 || lines >= most) continue;
    ++lines;
    const WarpSlot& slot = p_.warps.of(result.path);
    const std::string& written = slot.program->info[result.code].text;
    text += fmt::format(
        "\n  SM {}: the unit of {} has not finished, for {} lanes of block {}, warp {}: {}{}",
        p_.sm, mechanism_kinds()[number_].name, std::popcount(result.left),
        index_text(slot.block->context.index), slot.warp.context().warp_in_block,
        slot.program->source_of(result.code), written.empty() ? "" : fmt::format(" ({})", written));
  }
}

}  // namespace raddle::machine
