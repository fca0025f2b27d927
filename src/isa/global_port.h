// The way from a multiprocessor to the values of global memory.
//
// Loads read at once. In immediate mode writes and atomics happen at once too (functional runs). In
// deferred mode they are recorded, and happen when apply() is called at the end of the cycle, one
// multiprocessor after the other: so multiprocessors can run in parallel within a cycle, and what
// they compute does not depend on how many threads run them.
//
// Functional runs have a port for each host thread, and blocks have turns (isa/block_turn.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <vector>

#include "base/types.h"
#include "isa/block_turn.h"
#include "isa/texture/bindings.h"
#include "isa/warp_context.h"
#include "isa/watch.h"
#include "memory/address_space.h"

namespace raddle::isa {

class Services;

/// A write or an atomic of a warp, with all that carrying it out takes.
struct GlobalUpdate {
  using CarryOut = void (*)(const GlobalUpdate&, Services&);
  CarryOut carry_out = nullptr;
  LaneMask lanes = 0;
  std::byte* destination = nullptr;  // an atomic's result: register row; nullptr: thrown away
  std::uint8_t atomic_bytes = 0;     // a lane, of an atomic that is carried out while watched
  WarpContext* warp = nullptr;       // builtins only
  const Instruction* instruction = nullptr;
  std::byte* at[kWarpSize];  // where the lanes' values are
  // Operands; a store of a vector has its bytes a lane in a[l], then b[l].
  std::uint64_t a[kWarpSize], b[kWarpSize];
  std::uint64_t a_high[kWarpSize], b_high[kWarpSize];  // of 128-bit atomics alone
};

/// A fault of a deferred update, whose warp has gone on.
struct LateFault {
  const WarpContext* warp = nullptr;
  const Instruction* instruction = nullptr;
  Fault fault;
};

class GlobalPort {
 public:
  enum class Mode : std::uint8_t { immediate, deferred };
  GlobalPort(memory::AddressSpace& space, Mode mode, Services& services)
      : space_(space), services_(services), mode_(mode), textures_(space) {}

  /// Where the values of `bytes` bytes at each of access.address[l] are, for the lanes in `lanes`:
  /// fills `at`. False (and w.fault set) when a lane's access is outside any allocation, to freed
  /// memory, misaligned for `alignment`, or not allowed there. `constant`: ld.const.
  bool resolve(WarpContext& w, const Instruction& i, LaneMask lanes, unsigned bytes,
               unsigned alignment, bool constant, std::byte** at);

  /// Space for the next update; fill it, then call commit(). At most one at a time.
  GlobalUpdate& next_update() {
    if (mode_ == Mode::immediate) return updates_.empty() ? updates_.emplace_back() : updates_[0];
    if (count_ == updates_.size()) updates_.emplace_back();
    return updates_[count_];
  }
  void commit() {
    note_change();
    if (mode_ == Mode::immediate) {
      updates_[0].carry_out(updates_[0], services_);
      turn_->progress = true;
    } else {
      ++count_;
    }
  }
  /// The same of an atomic of `bytes` bytes per lane: one that leaves memory as it was is how warps
  /// wait for others.
  void commit_atomic(unsigned bytes);

  /// Deferred mode: carries out what was recorded, in the order of recording.
  void apply() {
    for (std::size_t n = 0; n < count_; ++n) {
      if (watch_ != nullptr && updates_[n].atomic_bytes != 0) [[unlikely]] {
        carry_out_watched(updates_[n], updates_[n].atomic_bytes);
      } else {
        updates_[n].carry_out(updates_[n], services_);
      }
      updates_[n].atomic_bytes = 0;
    }
    count_ = 0;
    if (!clients_.empty()) [[unlikely]]
      apply_clients();
  }
  bool pending() const { return count_ != 0 || (!clients_.empty() && clients_pending()); }

  // Programs that share a GPU, each with memory of its own (machine/clients.h): a port has those of the
  // other clients of its multiprocessor with it, and what is asked of it is asked of them too.
  /// The way to the memory of client `client` is from now on the way to `space`.
  void set_client(unsigned client, memory::AddressSpace& space, Services& services);
  GlobalPort& of(unsigned client) { return client == 0 ? *this : *clients_[client - 1]; }

  /// While warps are watched: not owned; nullptr: they are not.
  void watch(Watch* watch) {
    watch_ = watch;
    for (const auto& client : clients_) {
      if (client != nullptr) client->watch_ = watch;
    }
  }
  Watch* watched() const { return watch_; }
  void note_change() {
    if (watch_ != nullptr) [[unlikely]]
      watch_->changed = true;
  }
  /// Carries an atomic of `bytes` bytes a lane out, and notes whether it changes anything.
  void carry_out_watched(const GlobalUpdate& update, unsigned bytes);

  /// Functional runs: the turn of the block that uses this port from now on; not owned.
  void follow(BlockTurn& turn) { turn_ = &turn; }
  /// Whether an instruction that orders blocks may be executed now; else it has to leave everything
  /// as it is and return, and w.fault stops the warp at it (BlockTurn::refused).
  bool order(WarpContext& w) { return mode_ == Mode::deferred || turn_->enter(w); }
  /// What the warp has just done may let others go on, though it changed no memory.
  void note_progress() {
    if (mode_ == Mode::immediate) turn_->progress = true;
  }
  /// The warp has let others go on at a barrier: their turn comes.
  void yield() {
    if (mode_ == Mode::immediate) turn_->end = 0;
  }
  /// The warp sleeps.
  void sleep() {
    if (mode_ == Mode::immediate) turn_->sleep();
  }
  /// Held while the memory's allocations, or what else look_up() asks, may change.
  std::unique_lock<std::shared_mutex> change() {
    return mode_ == Mode::immediate ? std::unique_lock(space_.changes())
                                    : std::unique_lock<std::shared_mutex>();
  }

  /// An update that is being carried out is at fault: its warp is told at once, or, when it has
  /// gone on since, whoever looks at late_faults().
  void fail(const GlobalUpdate& update, const Fault& fault) {
    if (mode_ == Mode::immediate) {
      update.warp->fault = fault;
    } else {
      late_faults_.push_back({update.warp, update.instruction, fault});
    }
  }
  std::vector<LateFault>& late_faults() { return late_faults_; }

  memory::AddressSpace& space() { return space_; }
  TextureBindings& textures() { return textures_; }
  const TextureBindings& textures() const { return textures_; }
  /// Whether a timing model wants to know what memory instructions touch.
  bool timed() const { return mode_ == Mode::deferred; }
  Services& services() { return services_; }

 private:
  /// The allocation that an instruction met last.
  struct Remembered {
    Address base = 1, end = 0;
    std::byte* values = nullptr;
    std::uint64_t epoch = 0;
    memory::Kind kind = memory::Kind::device;
  };
  static constexpr std::size_t kRemembered = 256;

  bool clients_pending() const;
  void apply_clients();
  void note_read(memory::Kind kind) const;
  bool look_up(WarpContext& w, Address address, unsigned bytes, unsigned lane, Remembered& entry);
  bool refuse(WarpContext& w, Fault::Kind kind, unsigned lane, unsigned bytes);

  memory::AddressSpace& space_;
  Services& services_;
  Mode mode_;
  BlockTurn own_turn_;  // of whoever has none
  BlockTurn* turn_ = &own_turn_;
  Watch* watch_ = nullptr;
  std::vector<GlobalUpdate> updates_;
  std::size_t count_ = 0;
  std::vector<std::unique_ptr<GlobalPort>> clients_;  // [number - 1]; beside what each cycle asks
  std::vector<LateFault> late_faults_;
  TextureBindings textures_;
  std::array<Remembered, kRemembered> remembered_;
};

}  // namespace raddle::isa
