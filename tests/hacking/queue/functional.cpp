// What the instructions do without timing.
#include <bit>

#include "isa/global_port.h"
#include "isa/services.h"
#include "queue/queues.h"

namespace raddle::mechanisms::queue {

void FunctionalQueue::push(std::uint32_t value) {
  values_.push_back(value);
  if (waiting_.empty()) return;
  const Waiting first = waiting_.front();
  waiting_.pop_front();
  path_.wake_lanes(*first.warp, LaneMask{1} << first.lane);
}

bool FunctionalQueue::pull(const isa::WarpContext& warp, unsigned lane, std::uint32_t& value) {
  if (values_.empty()) {
    waiting_.push_back({&warp, lane});
    return false;
  }
  value = values_.front();
  values_.pop_front();
  return true;
}

namespace {

FunctionalQueue& queue_of(isa::WarpContext& w, const isa::Instruction& i) {
  return *static_cast<FunctionalQueue*>(w.global->services().unit_state(i.unit));
}

template <class F>
void for_lanes(LaneMask lanes, F f) {
  for (; lanes != 0; lanes &= lanes - 1) f(static_cast<unsigned>(std::countr_zero(lanes)));
}

}  // namespace

void execute_push(isa::WarpContext& w, const isa::Instruction& i) {
  if (!w.global->order(w)) return;  // what one block pushes others pull: in the order of the turns
  const auto* values = w.source<std::uint32_t>(i.s[0]);
  for_lanes(w.active, [&](unsigned lane) { queue_of(w, i).push(values[lane]); });
  w.global->note_progress();
}

void execute_pull(isa::WarpContext& w, const isa::Instruction& i) {
  if (!w.global->order(w)) return;
  auto* values = w.destination<std::uint32_t>(i.d);
  LaneMask waiting = 0;
  for_lanes(w.active, [&](unsigned lane) {
    if (!queue_of(w, i).pull(w, lane, values[lane])) waiting |= LaneMask{1} << lane;
  });
  w.event = waiting;
  if (waiting != w.active) w.global->note_progress();
}

void execute_buffer(isa::WarpContext&, const isa::Instruction&) {}  // there is room for everything

}  // namespace raddle::mechanisms::queue
