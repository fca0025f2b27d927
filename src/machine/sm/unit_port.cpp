#include "machine/sm/unit_port.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace raddle::machine {

UnitResult Sm::UnitPort::reserve(const UnitIssue& issue, bool long_wait) {
  std::uint32_t index = free_result_;
  if (index == kNone) {
    index = static_cast<std::uint32_t>(results_.size());
    results_.push_back({});
  } else {
    free_result_ = results_[index].next_free;
  }
  WarpSlot& slot = sm_.slot_of(issue.path);
  results_[index] = {issue.path,  long_wait, issue.code, slot.warp.registers(path_of(issue.path)),
                     issue.lanes, 0,         kNone};
  const isa::RegisterSet& writes = slot.program->writes[issue.code];
  if (long_wait) {
    sm_.scoreboard_.reserve_memory(issue.path, writes);
  } else {
    sm_.scoreboard_.reserve_execution(issue.path, writes);
  }
  ++sm_.unit_results_[warp_of(issue.path)];
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

void Sm::UnitPort::write(UnitResult result, isa::Slot slot, LaneMask lanes,
                         const std::uint32_t* values) {
  const Result& r = results_[result];
  write_lanes(sm_.slot_of(r.path).warp.rows_at(r.registers) + slot, lanes, values);
}

void Sm::UnitPort::write(UnitResult result, isa::Slot slot, LaneMask lanes,
                         const std::uint64_t* values) {
  const Result& r = results_[result];
  write_lanes(sm_.slot_of(r.path).warp.rows_at(r.registers) + slot, lanes, values);
}

void Sm::UnitPort::write_predicate(UnitResult result, std::uint16_t predicate, LaneMask lanes,
                                   LaneMask values) {
  const Result& r = results_[result];
  LaneMask& row = sm_.slot_of(r.path).warp.predicates_at(r.registers)[predicate];
  row = (row & ~lanes) | (values & lanes);
}

void Sm::UnitPort::finish(UnitResult result, LaneMask lanes, Cycle at) {
  Result& r = results_[result];
  r.left &= ~lanes;
  ++r.arriving;
  if (at > clock_) {
    if (at - clock_ > kMostDelay) {
      raddle::fail("internal error: a unit's result is due in {} cycles, the most is {}",
                   at - clock_, kMostDelay);
    }
    sm_.events_.put({WarpEvent::Kind::unit_result, r.path, number_ << kUnitShift | result}, at);
    if (!sm_.in_cycle_) sm_.rouse(at);
  } else {
    arrive(result, clock_);
  }
}

void Sm::UnitPort::result_event(WarpEvent event, Cycle now) {
  const std::uint32_t result = event.code & ((1u << kUnitShift) - 1);
  if (event.kind == WarpEvent::Kind::unit_result) {
    arrive(result, now);
  } else {
    written(result, now);
  }
}

/// A part of a result takes a bus to the register file.
void Sm::UnitPort::arrive(std::uint32_t result, Cycle now) {
  const PathId path = results_[result].path;
  const Cycle at = sm_.operands_.write(sm_.scheduler_of(warp_of(path)), false, now, now);
  if (at == now) return written(result, now);
  sm_.events_.put({WarpEvent::Kind::unit_write, path, number_ << kUnitShift | result}, at);
  if (!sm_.in_cycle_) sm_.rouse(at);
}

void Sm::UnitPort::written(std::uint32_t result, Cycle now) {
  Result& r = results_[result];
  if (--r.arriving != 0 || r.left != 0) return;
  const isa::RegisterSet& writes = sm_.slot_of(r.path).program->writes[r.code];
  if (r.long_wait) {
    sm_.scoreboard_.release_memory(r.path, writes);
  } else {
    sm_.scoreboard_.release_execution(r.path, writes);
  }
  r.next_free = std::exchange(free_result_, result);
  --results_under_way_;
  --sm_.unit_results_[warp_of(r.path)];
  sm_.reconsider(r.path, now);
}

void Sm::UnitPort::access_for(const UnitIssue& issue, const Transaction* transactions,
                              unsigned count, CacheId cache) {
  const LoadStore::Cost cost =
      sm_.memory_.issue_for(*this, issue.path, issue.code, transactions, count, cache);
  if (sm_.profile_ != nullptr) [[unlikely]]
    charge_access(sm_.slot_of(issue.path), issue.code, cost);
}

void Sm::UnitPort::access(const UnitAccess& what, Priority priority) {
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
  access.type = what.type;
  access.bytes = sizeof(std::uint32_t);
  access.bypass_l1 = priority == Priority::low;
  access.lanes = what.lanes;
  std::copy(what.address.begin(), what.address.end(), access.address);
  sm_.memory_.post(*this, index, access, priority == Priority::low);
  if (sm_.in_cycle_) {
    unmoved_.push_back(index);
    posted_ = unmoved_.size();
  } else {
    move_values(accesses_[index].what);
    rouse();
  }
}

void Sm::UnitPort::commit() {
  for (const std::uint32_t index : unmoved_) move_values(accesses_[index].what);
  unmoved_.clear();
  posted_ = 0;
  if (std::exchange(asks_commit_, false)) unit_->commit(clock_);
  rouse();
}

/// What an access does to global memory, and what it finds there.
void Sm::UnitPort::move_values(UnitAccess& access) {
  memory::AddressSpace& space = sm_.port_.space();
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

void Sm::UnitPort::fail(const UnitAccess& access, unsigned lane, isa::Fault::Kind kind) {
  if (access.blame == nullptr) {
    raddle::fail("internal error: a unit accesses address {:#x} for nobody", access.address[lane]);
  }
  SmFault fault = *access.blame;
  fault.fault.kind = kind;
  fault.fault.type = access.type;
  fault.fault.space = isa::MemoryAccess::Space::global;
  fault.fault.address = access.address[lane];
  fault.fault.bytes = sizeof(std::uint32_t);
  sm_.faults_.push_back(fault);
}

SmFault Sm::UnitPort::blame(const UnitIssue& issue, unsigned lane) const {
  isa::Fault fault;
  fault.lane = static_cast<std::uint8_t>(lane);
  return sm_.fault_of(sm_.slot_of(issue.path), fault, issue.code);
}

void Sm::UnitPort::returned(std::uint32_t index, Cycle now) {
  const UnitAccess what = accesses_[index].what;  // the unit may access more
  accesses_[index].next_free = std::exchange(free_access_, index);
  --accesses_under_way_;
  unit_->returned(what.tag, what.values.data(), now);
}

}  // namespace raddle::machine
