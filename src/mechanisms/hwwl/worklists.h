// The mechanism: what the cores' parts of the worklist have in common.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "machine/mechanism.h"
#include "machine/unit/message_network.h"
#include "mechanisms/hwwl/config.h"
#include "mechanisms/hwwl/functional.h"
#include "mechanisms/hwwl/ideal_list.h"
#include "mechanisms/hwwl/scheme.h"
#include "mechanisms/hwwl/worklist_unit.h"

namespace raddle::mechanisms::hwwl {

/// The overflow buffer begins with so many bytes for what the hardware tells the host: the first
/// word is how many work ids can be pulled, as of the end of the last kernel that used the worklist.
inline constexpr std::uint64_t kHeaderBytes = 256;

class Worklists : public machine::Mechanism {
 public:
  Worklists(const HwwlConfig& config, machine::LaunchPath& path);

  void grid_started(const machine::Grid&) override;
  void block_ended(machine::Grid& grid, const isa::BlockContext& block) override;
  void grid_ended(const machine::Grid& grid) override;
  std::unique_ptr<machine::SmUnit> sm_unit(machine::SmPort& port) override;
  machine::MessageNetwork* network() override { return &network_; }
  void* unit_state() override { return this; }
  Cycle wake() const override;
  void cycle() override;

  /// Whether a program with instructions for units has run: until then nothing goes on in units.
  bool needed() const { return needed_; }

  // From units, between cycles.

  /// The program has given an overflow buffer (`entries`: all of it, in words). Another one than
  /// before: the worklist is empty.
  void initialise(const Buffer& buffer);
  /// The program has chosen one side or two. Not as before: the worklist is empty.
  void choose_sides(bool double_buffered);
  /// All cores see these bits of a core a while after cycle `now`.
  void tell(unsigned core, CoreBits bits, Cycle now);
  /// A core has got a work id that `sender` sent.
  void acknowledge(unsigned sender, Cycle now);
  /// A warp whose lanes hold work ids leaves its multiprocessor, or goes on in another one.
  void leaves(const HoldersAway& away);
  void arrives(const HoldersAway& away, Cycle now);
  /// A block that has used the worklist leaves its multiprocessor.
  void moves(const isa::BlockContext& block) { moved_.insert(name_of(block)); }
  bool anybody_holds() const;
  void flush() {
    for (CoreUnit* unit : units_) unit->flush();
  }
  /// Changes between cycles only.
  const std::vector<HoldersAway>& away() const { return away_; }
  IdealList& ideal() { return ideal_; }
  /// Work ids that can be pulled, in all cores.
  std::uint32_t size() const;

  FunctionalList& functional() { return functional_; }
  const Sides& sides() const { return sides_; }

  // What is wrong, in words that last; nullptr: nothing.
  const char* id_too_large(std::uint32_t id);
  /// Without timing: too large, or there is no room for one more.
  const char* refuses(std::uint32_t id);
  const char* wrong_buffer(Address base, std::uint64_t bytes);
  const char* overflows(unsigned sm, unsigned bank, unsigned buffer);

 private:
  bool may_use(const machine::Grid& grid);
  void reset();
  Buffer part() const;
  void boundary();
  void tell_host();
  void sample();
  void redistribute();
  const char* keep(std::string text);

  const HwwlConfig& config_;
  machine::LaunchPath& path_;
  unsigned sms_;
  const SchemeKind& kind_;
  std::unique_ptr<GlobalScheme> scheme_;
  machine::MessageNetwork network_;
  FunctionalList functional_;
  IdealList ideal_;
  std::vector<CoreUnit*> units_;
  std::vector<WorklistUnit*> banked_;  // the same, if they have banks
  Sides sides_;
  Buffer buffer_;                       // of the whole GPU
  std::vector<machine::GridId> users_;  // grids that have used the worklist, with blocks that ended
  std::set<BlockName>
      moved_;  // blocks that have used it on a multiprocessor where they are no more
  std::vector<HoldersAway> away_;
  HwwlActivity& activity_;
  bool needed_ = false;
  const isa::Program* looked_at_ = nullptr;
  Cycle next_sample_ = 0;
  std::vector<Plan> plans_;
  std::vector<CoreWork> works_;
  std::vector<Transfer> transfers_;
  std::mutex texts_change_;  // multiprocessors may fail side by side
  std::deque<std::string> texts_;
};

}  // namespace raddle::mechanisms::hwwl
