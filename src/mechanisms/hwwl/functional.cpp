#include "mechanisms/hwwl/functional.h"

#include <bit>

#include "isa/block_context.h"
#include "isa/global_port.h"
#include "isa/services.h"
#include "mechanisms/hwwl/worklists.h"

namespace raddle::mechanisms::hwwl {

/// Whether a lane that has not exited holds a work id.
bool FunctionalList::anybody_holds() {
  for (const auto& [warp, lanes] : holders_) {
    if ((lanes & warp->live) != 0) return true;
  }
  return false;
}

bool FunctionalList::pull(const isa::WarpContext& warp, LaneMask lanes, const Sides& sides,
                          std::uint32_t* ids) {
  LaneMask& holds = holders_[&warp];
  bool changed = (holds & lanes) != 0;
  holds &= ~lanes;
  LaneMask got = 0;
  std::deque<std::uint32_t>& list = ids_[sides.pull];
  for_lanes(lanes, [&](unsigned lane) {
    if (list.empty()) return;
    ids[lane] = list.front();
    list.pop_front();
    got |= LaneMask{1} << lane;
  });
  holds |= got;
  if (got == lanes) return true;
  const bool waits = !sides.double_buffered && anybody_holds();
  for_lanes(lanes & ~got, [&](unsigned lane) { ids[lane] = waits ? kWait : kDone; });
  return changed || got != 0 || !waits;
}

BlockName name_of(const isa::BlockContext& block) {
  return {block.grid->id, block.index.x, block.index.y, block.index.z};
}

void FunctionalList::block_ended(const isa::BlockContext& block) {
  const BlockName ended = name_of(block);
  std::erase_if(holders_, [&](const auto& one) { return name_of(*one.first->block) == ended; });
  users_.erase(ended);
}

namespace {

Worklists& all_of(isa::WarpContext& w, const isa::Instruction& i) {
  return *static_cast<Worklists*>(w.global->services().unit_state(i.unit));
}

unsigned first_of(LaneMask lanes) { return static_cast<unsigned>(std::countr_zero(lanes)); }

}  // namespace

void raise(isa::WarpContext& w, unsigned lane, const char* text) {
  w.fault.kind = isa::Fault::Kind::exception;
  w.fault.lane = static_cast<std::uint8_t>(lane);
  w.fault.text = text;
}

const char* wrong_number(const isa::WarpContext& w, const isa::Instruction& i) {
  const auto* number = w.source<std::uint32_t>(i.s[i.execute == execute_push ? 1 : 0]);
  return number[first_of(w.active)] == 0 ? nullptr : "there is one worklist, number 0";
}

const char* wrong_mode(std::uint32_t mode) {
  return mode <= 1 ? nullptr : "wlcfg takes 0 (single-buffered) or 1 (double-buffered)";
}

void execute_init(isa::WarpContext& w, const isa::Instruction& i) {
  if (w.active == 0 || !w.global->order(w)) return;
  const unsigned lane = first_of(w.active);
  const Address base = w.source<std::uint64_t>(i.s[0])[lane];
  const std::uint64_t bytes = w.source<std::uint64_t>(i.s[1])[lane];
  Worklists& all = all_of(w, i);
  if (const char* wrong = all.wrong_buffer(base, bytes)) return raise(w, lane, wrong);
  all.initialise({base, static_cast<unsigned>(std::min<std::uint64_t>(bytes / 4, ~0u)), {}});
  w.global->note_progress();
}

void execute_configure(isa::WarpContext& w, const isa::Instruction& i) {
  if (w.active == 0 || !w.global->order(w)) return;
  const unsigned lane = first_of(w.active);
  const std::uint32_t mode = w.source<std::uint32_t>(i.s[0])[lane];
  if (const char* wrong = wrong_mode(mode)) return raise(w, lane, wrong);
  all_of(w, i).choose_sides(mode == 1);
  w.global->note_progress();
}

void execute_push(isa::WarpContext& w, const isa::Instruction& i) {
  if (w.active == 0 || !w.global->order(w)) return;
  if (const char* wrong = wrong_number(w, i)) return raise(w, first_of(w.active), wrong);
  Worklists& all = all_of(w, i);
  const auto* ids = w.source<std::uint32_t>(i.s[0]);
  for_lanes(w.active, [&](unsigned lane) {
    if (w.fault.kind != isa::Fault::Kind::none) return;
    if (const char* wrong = all.refuses(ids[lane])) return raise(w, lane, wrong);
    all.functional().push(all.sides().push(), ids[lane]);
  });
  all.functional().use(*w.block);
  w.global->note_progress();
}

void execute_pull(isa::WarpContext& w, const isa::Instruction& i) {
  if (w.active == 0 || !w.global->order(w)) return;
  if (const char* wrong = wrong_number(w, i)) return raise(w, first_of(w.active), wrong);
  Worklists& all = all_of(w, i);
  all.functional().use(*w.block);
  const bool changed =
      all.functional().pull(w, w.active, all.sides(), w.destination<std::uint32_t>(i.d));
  if (changed) w.global->note_progress();
}

void execute_size(isa::WarpContext& w, const isa::Instruction& i) {
  if (w.active == 0 || !w.global->order(w)) return;
  if (const char* wrong = wrong_number(w, i)) return raise(w, first_of(w.active), wrong);
  const std::uint32_t size = all_of(w, i).size();
  for_lanes(w.active, [&](unsigned lane) { w.destination<std::uint32_t>(i.d)[lane] = size; });
}

bool is_pull(const isa::Instruction& i) { return i.execute == execute_pull; }

}  // namespace raddle::mechanisms::hwwl
