// The path from a multiprocessor to the values of global memory.
//
// Loads read at once. In immediate mode (functional runs) writes and atomics happen at once too. In
// deferred mode the port records them, and apply() carries them out at the end of the cycle, one
// multiprocessor after the other. So multiprocessors can run in parallel within a cycle, and their
// results do not depend on the number of host threads.
//
// Functional runs have one port for each host thread, and blocks run in turns (isa/block_turn.h).
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

/// A write or an atomic of a warp, with everything that is needed to carry it out.
struct GlobalUpdate {
  using CarryOut = void (*)(const GlobalUpdate&, Services&);
  CarryOut carry_out = nullptr;
  LaneMask lanes = 0;
  std::byte* destination = nullptr;  // register row for the result of an atomic; nullptr: no result
  std::uint8_t atomic_bytes = 0;     // bytes a lane of an atomic that runs while warps are watched
  WarpContext* warp = nullptr;       // builtins only
  const Instruction* instruction = nullptr;
  std::byte* at[kWarpSize];  // addresses in the host's memory of the lanes' values
  // Operands. A vector store has its bytes of lane l in a[l], then in b[l].
  std::uint64_t a[kWarpSize], b[kWarpSize];
  std::uint64_t a_high[kWarpSize], b_high[kWarpSize];  // only for 128-bit atomics
};

/// A fault of a deferred update whose warp has already continued.
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

  /// Finds the values of `bytes` bytes at access.address[l] for each lane in `lanes`, and fills
  /// `at` with their places. Returns false and sets w.fault when the access of a lane is outside
  /// any allocation, to freed memory, misaligned for `alignment`, or not allowed there. `constant`:
  /// ld.const.
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
  /// As commit(), for an atomic of `bytes` bytes a lane. An atomic that leaves memory unchanged is
  /// how warps wait for others.
  void commit_atomic(unsigned bytes);

  /// Deferred mode: carries out the recorded updates, in the order of recording.
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

  // Programs that share a GPU, each with its own memory (machine/clients.h). A port holds the ports
  // of the other clients of its multiprocessor and passes each request on to them.
  /// From now on, accesses of client `client` go to `space`.
  void set_client(unsigned client, memory::AddressSpace& space, Services& services);
  GlobalPort& of(unsigned client) { return client == 0 ? *this : *clients_[client - 1]; }

  /// Not owned; nullptr: warps are not watched.
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
  /// Carries out an atomic of `bytes` bytes a lane, and notes whether it changes anything.
  void carry_out_watched(const GlobalUpdate& update, unsigned bytes);

  /// Functional runs: from now on the block with this turn uses this port; not owned.
  void follow(BlockTurn& turn) { turn_ = &turn; }
  /// Whether an instruction that orders blocks may execute now. If not, the instruction must leave
  /// everything unchanged and return, and w.fault stops the warp at it (BlockTurn::refused).
  bool order(WarpContext& w) { return mode_ == Mode::deferred || turn_->enter(w); }
  /// The last action of the warp may let others continue, though it changed no memory.
  void note_progress() {
    if (mode_ == Mode::immediate) turn_->progress = true;
  }
  /// The warp has let others continue at a barrier: now they get the turn.
  void yield() {
    if (mode_ == Mode::immediate) turn_->end = 0;
  }
  /// The warp sleeps.
  void sleep() {
    if (mode_ == Mode::immediate) turn_->sleep();
  }
  /// Lock to hold while the memory's allocations, or other things that look_up() reads, may change.
  std::unique_lock<std::shared_mutex> change() {
    return mode_ == Mode::immediate ? std::unique_lock(space_.changes())
                                    : std::unique_lock<std::shared_mutex>();
  }

  /// An update that is being carried out is at fault. Its warp gets the fault at once; if the warp
  /// has already continued, late_faults() lists the fault.
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
  /// Whether a timing model wants the addresses that memory instructions touch.
  bool timed() const { return mode_ == Mode::deferred; }
  Services& services() { return services_; }

 private:
  /// The allocation that an instruction accessed last.
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
  BlockTurn own_turn_;  // the default for ports without another
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
