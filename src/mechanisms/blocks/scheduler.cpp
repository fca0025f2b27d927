#include "mechanisms/blocks/scheduler.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "machine/chip.h"
#include "machine/config.h"
#include "machine/sm/config.h"

namespace raddle::mechanisms::blocks {

using machine::Candidate;
using machine::Offer;
using machine::PlacedBlock;

namespace {

/// [Metric]: the steps that the blocks of a multiprocessor may use together.
std::array<unsigned, kMetrics> capacity(const BlocksConfig& config) {
  return {static_cast<unsigned>(config.memory_capacity / config.memory_step),
          static_cast<unsigned>(config.fpu_capacity / config.fpu_step)};
}

BlockName name_of(const isa::BlockContext& block, const Dim3& index) {
  const Dim3& size = block.grid->grid;
  return {block.grid->id,
          index.x + std::uint64_t{size.x} * (index.y + std::uint64_t{size.y} * index.z)};
}

BlockName name_of(const PlacedBlock& block) { return {block.context->grid->id, block.number()}; }

std::uint64_t number_of(const Candidate& one) {
  const Dim3& size = one.returning != nullptr ? one.returning->grid->grid
                     : one.group != nullptr   ? one.group->grid
                                              : one.grid->context.grid;
  return one.index.x + std::uint64_t{size.x} * (one.index.y + std::uint64_t{size.y} * one.index.z);
}

}  // namespace

Subject subject_of(const machine::Grid& grid, std::uint64_t number) {
  return {grid.client, grid.record.stream, number, grid.kernel->name};
}

BlockScheduler::BlockScheduler(const Parts& parts, Watch watch, machine::Placement& inner)
    : PlacementAround(inner),
      config_(parts.config),
      steps_(parts.steps),
      scheme_(parts.scheme),
      path_(parts.path),
      stats_(parts.stats),
      watch_(std::move(watch)),
      patience_(static_cast<Cycle>(config_.patience * machine::core_mhz(path_.config()))),
      ns_per_cycle_(1000.0 / machine::core_mhz(path_.config())),
      balance_(machine::sms(path_.config()), path_.config().sm.blocks, steps_, capacity(config_)),
      victims_(config_.victims),
      draining_(machine::sms(path_.config())) {}

/// Sorts the candidates: first victims, in the order of the queue; then other blocks that return;
/// then new blocks, of each grid in turn.
void BlockScheduler::put_in_order(const Offer& offer) {
  using Key = std::tuple<int, std::uint64_t, machine::GridId>;
  const auto key = [&](std::size_t n) -> Key {
    const Candidate& one = offer.candidates[n];
    if (one.returning == nullptr) return {2, one.grid->id > last_grid_ ? 0 : 1, one.grid->id};
    const std::size_t depth = victims_.depth(name_of(*one.returning, one.index));
    return depth == VictimQueue::kNone ? Key{1, n, 0} : Key{0, depth, 0};
  };
  order_.resize(offer.candidates.size());
  for (std::size_t n = 0; n < order_.size(); ++n) order_[n] = n;
  std::sort(order_.begin(), order_.end(),
            [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
}

bool BlockScheduler::waited_too_long(const Candidate& candidate, Cycle now) const {
  if (candidate.returning == nullptr) {
    return held_since_ != kNever && now - held_since_ >= patience_;
  }
  const std::size_t depth = victims_.depth(name_of(*candidate.returning, candidate.index));
  if (depth == VictimQueue::kNone) return false;
  const Cycle left = victims_.at(depth).left;
  return left != kNever && now - left >= patience_;
}

/// The multiprocessor for the candidate; none if it cannot be placed.
std::optional<unsigned> BlockScheduler::find(const Offer& offer, const Candidate& candidate,
                                             Cycle now) {
  if (!machine::first_with_room(offer.sms, candidate.grid->needs, 0)) return {};
  views_.assign(offer.sms.begin(), offer.sms.end());
  impatient_ = waited_too_long(candidate, now);
  const bool is_new = candidate.returning == nullptr;
  const bool is_victim = !is_new && victims_.depth(name_of(*candidate.returning,
                                                           candidate.index)) != VictimQueue::kNone;
  // A block that left for another reason than this scheduler's is placed wherever there is room.
  const bool promised = candidate.grid->context.cooperative || impatient_ || !(is_new || is_victim);
  const bool anywhere = promised || (is_new && !scheme_.predicts());
  const Usage usage = scheme_.estimate(subject_of(*candidate.grid, number_of(candidate)));
  for (unsigned sm = 0; sm < views_.size(); ++sm) {
    if (views_[sm].resident_blocks() == 0) {
      draining_[sm] = false;
      continue;
    }
    const bool fits = anywhere || balance_.has_room(sm, usage);
    if ((draining_[sm] && !promised) || !fits) {
      views_[sm] = views_[sm].closed();
    }
  }
  const auto choice = PlacementAround::choose({{&candidate, 1}, views_}, now);
  return choice ? std::optional(choice->sm) : std::nullopt;
}

std::optional<machine::Placement::Choice> BlockScheduler::choose(const Offer& offer, Cycle now) {
  put_in_order(offer);
  bool held_back = false, holds_new = false;
  for (const std::size_t n : order_) {
    const Candidate& candidate = offer.candidates[n];
    if (const auto sm = find(offer, candidate, now)) {
      if (candidate.returning == nullptr) {
        last_grid_ = candidate.grid->id;
        held_since_ = kNever;
        find_patience();
      }
      stats_.impatient += impatient_;
      return Choice{n, *sm};
    }
    const bool has_room = machine::first_with_room(offer.sms, candidate.grid->needs, 0).has_value();
    held_back |= has_room;
    holds_new |= has_room && candidate.returning == nullptr;
  }
  stats_.held_back += held_back;
  held_since_ = holds_new ? std::min(held_since_, now) : kNever;
  find_patience();
  return {};
}

void BlockScheduler::block_started(const PlacedBlock& block) {
  PlacementAround::block_started(block);
  const Subject subject = subject_of(*block.grid, block.number());
  const Usage usage = scheme_.estimate(subject);
  balance_.put(block.sm, block.slot, {true, subject, usage, usage, block.since});
  const std::size_t depth = victims_.depth(name_of(block));
  if (depth != VictimQueue::kNone) {
    const VictimQueue::Victim victim = victims_.take(depth);
    stats_.victims_peak.set(victims_.size());
    stats_.away_ns.add(static_cast<double>(path_.now() - victim.left) * ns_per_cycle_);
    find_patience();
  }
  watch_.started(block);
}

void BlockScheduler::block_ended(const PlacedBlock& block, bool left) {
  PlacementAround::block_ended(block, left);
  balance_.take(block.sm, block.slot);
  const std::size_t depth = victims_.depth(name_of(block));
  if (depth != VictimQueue::kNone) {
    if (left) {  // asked to leave by this scheduler, or by another mechanism before
      victims_.at(depth).left = path_.now();
    } else {  // it ended before it could leave
      victims_.take(depth);
    }
    find_patience();
  }
  watch_.ended(block, left);
}

void BlockScheduler::update(const Update& update) {
  scheme_.learn(update.subject, update.rates, update.ended);
  const Usage found = steps_.usage(update.rates);
  const Balance::Resident resident = balance_.at(update.sm, update.slot);
  const bool there = resident.there && resident.since == update.since;
  if (scheme_.shares()) return estimate_anew(update.subject);
  if (!there) return path_.reconsider_placement();
  const Usage usage = scheme_.estimate(update.subject);
  const Usage& expected = resident.placed_with;
  const auto distance = [](unsigned a, unsigned b) { return a > b ? a - b : b - a; };
  stats_.error_memory.add(distance(found[Metric::memory], expected[Metric::memory]));
  stats_.error_fpu.add(distance(found[Metric::fpu], expected[Metric::fpu]));
  balance_.set(update.sm, update.slot, usage);
  if (balance_.oversubscribed_by(update.sm, resident.usage, usage)) {
    relieve(update.sm, update.slot);
  } else if (resident.usage.exceeds(usage)) {
    path_.reconsider_placement();
  }
}

/// Computes new estimates for the blocks of a kernel, after a scheme has learned about the kernel.
void BlockScheduler::estimate_anew(const Subject& learned) {
  for (unsigned sm = 0; sm < machine::sms(path_.config()); ++sm) {
    unsigned last = ~0u;
    Usage before, after;
    for (unsigned slot = 0; slot < balance_.of(sm).size(); ++slot) {
      const Balance::Resident& one = balance_.at(sm, slot);
      if (!one.there || one.subject.kernel != learned.kernel ||
          one.subject.client != learned.client)
        continue;
      last = slot;
      before = one.usage;
      after = scheme_.estimate(one.subject);
      balance_.set(sm, slot, after);
    }
    if (last != ~0u && balance_.oversubscribed_by(sm, before, after)) relieve(sm, last);
  }
  path_.reconsider_placement();
}

/// Handles an oversubscribed multiprocessor. The block in this slot caused it.
void BlockScheduler::relieve(unsigned sm, unsigned slot) {
  ++stats_.oversubscribed;
  const machine::SmView& view = path_.sms()[sm];
  if (!scheme_.preempts() || view.resident_blocks() < 2) return;
  const PlacedBlock block = view.at(slot);
  if (block.leaving || block.restoring || block.grid->context.cooperative) return;
  if (config_.leaving == "drain") {
    if (!draining_[sm]) ++stats_.drained;
    draining_[sm] = true;
  } else if (victims_.full()) {
    ++stats_.queue_full;
  } else if (victims_.depth(name_of(block)) == VictimQueue::kNone) {
    ask_to_leave(block);
  }
}

void BlockScheduler::ask_to_leave(const PlacedBlock& block) {
  const machine::Departure answer = path_.request(
      block,
      {.state = config_.cached_contexts ? machine::StatePath::cached : machine::StatePath::memory,
       .drop = config_.leaving == "flush",
       .left = [this](const PlacedBlock& one) { has_left(one); },
       .restored = [this](const PlacedBlock& one) { goes_on(one); }});
  if (answer != machine::Departure::asked && answer != machine::Departure::leaves) return;
  victims_.push(name_of(block), path_.now());
  stats_.victims_peak.set(victims_.size());
}

void BlockScheduler::has_left(const PlacedBlock& block) {
  ++stats_.left;
  stats_.dropped += block.dropped;
  const std::size_t depth = victims_.depth(name_of(block));
  if (depth == VictimQueue::kNone) return;
  const VictimQueue::Victim& victim = victims_.at(depth);
  stats_.leaving_ns.add(static_cast<double>(victim.left - victim.asked) * ns_per_cycle_);
}

void BlockScheduler::goes_on(const PlacedBlock& block) {
  ++stats_.restored;
  stats_.restoring_ns.add(static_cast<double>(path_.now() + 1 - block.since) * ns_per_cycle_);
  watch_.restored(block);
}

/// Finds the next cycle in which the patience of a waiting block ends. Blocks that have already
/// waited that long need no cycle: they are placed as soon as there is room.
void BlockScheduler::find_patience() {
  const Cycle now = path_.now();
  patience_ends_ = kNever;
  const auto add = [&](Cycle since) {
    if (since != kNever && since + patience_ > now) {
      patience_ends_ = std::min(patience_ends_, since + patience_);
    }
  };
  victims_.for_each([&](const VictimQueue::Victim& victim) { add(victim.left); });
  add(held_since_);
}

void BlockScheduler::look_at_patience() {
  if (patience_ends_ > path_.now()) return;
  path_.reconsider_placement();
  find_patience();
}

}  // namespace raddle::mechanisms::blocks
