// The mechanism: the common part of all cores' worklists.
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

/// Bytes of the header of the overflow buffer, in which the hardware informs the host. Its first
/// word is the number of work ids that can be pulled, as of the end of the last kernel that used
/// the worklist.
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

  /// Whether a program with worklist instructions has run. Before that, units do nothing.
  bool needed() const { return needed_; }

  // Units call these functions between cycles.

  /// The program sets the overflow buffer (`entries`: all of it, in words). A change of the buffer
  /// empties the worklist.
  void initialise(const Buffer& buffer);
  /// The program chooses one side or two. A change empties the worklist.
  void choose_sides(bool double_buffered);
  /// All cores see these bits of core `core` from `hwwl.broadcast` cycles after `now` on.
  void tell(unsigned core, CoreBits bits, Cycle now);
  /// A core has received a work id that `sender` sent.
  void acknowledge(unsigned sender, Cycle now);
  /// A warp whose lanes hold work ids leaves its multiprocessor, or arrives at another one.
  void leaves(const HoldersAway& away);
  void arrives(const HoldersAway& away, Cycle now);
  /// A block that has used the worklist leaves its multiprocessor.
  void moves(const isa::BlockContext& block) { moved_.insert(name_of(block)); }
  bool anybody_holds() const;
  void flush() {
    for (CoreUnit* unit : units_) unit->flush();
  }
  /// It changes between cycles only.
  const std::vector<HoldersAway>& away() const { return away_; }
  IdealList& ideal() { return ideal_; }
  /// Work ids that can be pulled, in all cores.
  std::uint32_t size() const;

  FunctionalList& functional() { return functional_; }
  const Sides& sides() const { return sides_; }

  // Error messages, which stay valid; nullptr: no error.
  const char* id_too_large(std::uint32_t id);
  /// For the machine without timing: the work id is too large, or there is no room for it.
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
  std::vector<WorklistUnit*> banked_;  // the units that have banks
  Sides sides_;
  Buffer buffer_;                       // of the whole GPU
  std::vector<machine::GridId> users_;  // grids of which blocks that used the list ended
  std::set<BlockName> moved_;  // blocks that used it on a multiprocessor that they have left
  std::vector<HoldersAway> away_;
  HwwlActivity& activity_;
  bool needed_ = false;
  const isa::Program* looked_at_ = nullptr;
  Cycle next_sample_ = 0;
  std::vector<Plan> plans_;
  std::vector<CoreWork> works_;
  std::vector<Transfer> transfers_;
  std::mutex texts_change_;  // multiprocessors may fail in parallel
  std::deque<std::string> texts_;
};

}  // namespace raddle::mechanisms::hwwl
