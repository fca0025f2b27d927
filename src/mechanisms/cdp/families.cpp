#include "mechanisms/cdp/families.h"

#include <utility>

namespace raddle::mechanisms::cdp {

std::shared_ptr<Launcher>& Families::launcher(const isa::BlockContext& block) {
  std::shared_ptr<Launcher>& found = launchers_.of(block);
  if (found == nullptr) found = std::make_shared<Launcher>();
  return found;
}

Child Families::adopt(const isa::BlockContext& block) {
  Child child{block.grid->id, launcher(block)};
  ++families_[child.parent].children;
  ++child.launcher->running;
  return child;
}

void Families::child_ended(const Child& child) {
  Launcher& launcher = *child.launcher;
  if (launcher.running != 0 && --launcher.running == 0) {
    for (isa::WarpContext* warp : std::exchange(launcher.waiting, {})) {
      warp->waits_until =
          environment_.path.now() + 1 + environment_.time.of(environment_.config.other, 0);
      environment_.path.wake_warp(*warp);
    }
  }
  Family& family = families_.at(child.parent);
  --family.children;
  settle(child.parent, family);
}

machine::GridId Families::add_group(Child child, Address parameters) {
  const machine::GridId id = environment_.path.new_id();
  Family group;
  group.group = true;
  group.of.depth = depth(child.parent) + 1;
  group.of.buffer = parameters;
  group.of.then.child = std::move(child);
  environment_.stats.deepest.touch(group.of.depth);
  families_[id] = std::move(group);
  return id;
}

void Families::group_blocks_ended(machine::GridId id) {
  Family& group = families_.at(id);
  group.blocks_ended = true;
  settle(id, group);
}

const LaunchedGrid* Families::find(machine::GridId id) const {
  const auto found = families_.find(id);
  return found == families_.end() || found->second.from_host() ? nullptr : &found->second.of;
}

Error Families::synchronize(const isa::BlockContext& block, isa::WarpContext& warp, Cycle ready) {
  if (depth(block.grid->id) >= sync_depth_) return Error::sync_depth_exceeded;
  Launcher& of_block = *launcher(block);
  warp.waits_until = ready;
  if (of_block.running == 0) return Error::success;
  ++environment_.stats.synchronizations;
  of_block.waiting.push_back(&warp);
  warp.waits_until = kNever;
  return Error::success;
}

bool Families::holds(const machine::Grid& grid) {
  const auto found = families_.find(grid.id);
  if (found == families_.end()) return false;
  Family& family = found->second;
  family.blocks_ended = true;
  if (family.children == 0 && family.from_host() && !family.tail.empty()) {
    start_tail(grid.id, family);
  }
  return family.children != 0;
}

/// The host's stream waits for its grid, so the grid stays until all its tails have ended.
void Families::start_tail(machine::GridId id, Family& family) {
  const Tail next = std::move(family.tail.front());
  family.tail.pop_front();
  ++family.children;
  Continuation then;
  then.child = {id, std::make_shared<Launcher>()};
  next(std::move(then));
}

void Families::settle(machine::GridId id, Family& family) {
  if (!family.blocks_ended || family.children != 0) return;
  if (family.from_host() && !family.tail.empty()) return start_tail(id, family);
  if (family.group) return finish(id);
  environment_.path.end_held(id);
}

void Families::finish(machine::GridId id) {
  const auto found = families_.find(id);
  if (found == families_.end()) return;
  Family family = std::move(found->second);
  families_.erase(found);
  if (family.from_host()) return;
  limit_.release();
  pool_.free(family.of.buffer);
  std::deque<Tail>& after = family.of.then.after;
  after.insert(after.begin(), family.tail.begin(), family.tail.end());
  go_on(std::move(family.of.then));
}

void Families::go_on(Continuation then) {
  if (!then.after.empty()) {
    const Tail next = std::move(then.after.front());
    then.after.pop_front();
    return next(std::move(then));
  }
  if (then.stream != 0) streams_.ended(then.stream);
  child_ended(then.child);
}

}  // namespace raddle::mechanisms::cdp
