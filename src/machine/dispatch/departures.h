// Blocks that leave their multiprocessors, from the request until the dispatcher has them, and on
// their way back. Also the random preemptions that a setting asks for.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "machine/config.h"
#include "machine/departure.h"
#include "machine/dispatch/dispatcher.h"
#include "machine/sm/sm.h"

namespace raddle::machine {

class Departures : public DepartureRequests {
 public:
  /// `now`: refers to the present cycle in every call.
  Departures(const ChipConfig& config, std::vector<std::unique_ptr<Sm>>& sms,
             Dispatcher& dispatcher, const Cycle& now);

  /// LaunchPath::find().
  std::optional<PlacedBlock> find(GridId grid, std::uint64_t block) const;
  Departure request(const PlacedBlock& block, DepartureRequest request) override;
  using DepartureRequests::request;
  /// A warp was woken, so its block may stay after all.
  void woken();

  /// Call it at the end of each cycle. Blocks that were asked to leave start to leave if they may,
  /// and leaving blocks continue as far as they can.
  void cycle();
  /// The next cycle of a random preemption.
  Cycle wake() const { return next_random_; }
  /// Whether a block was asked to leave since the last cycle().
  bool newly_asked() const { return newly_asked_; }
  void clear();
  /// Makes blocks of doomed grids (Grid::doomed) leave for good when their operations under way
  /// have ended.
  void doom() { doomed_ = newly_asked_ = true; }

 private:
  /// A block that was asked to leave as soon as it may, with its place at that time.
  struct Asked {
    unsigned sm, slot;
    Cycle since;
    DepartureRequest request;
    bool is(const PlacedBlock& block) const {
      return sm == block.sm && slot == block.slot && since == block.since;
    }
  };
  struct Leaving {
    ResidentBlock* block = nullptr;
    Sm* sm = nullptr;
    DepartureRequest request;
  };
  /// A block, by the id of its GridContext and its number there.
  using Name = std::pair<GridId, std::uint64_t>;
  /// A block that has been placed again, with the callback for its restore.
  struct Restoring {
    const ResidentBlock* block = nullptr;
    std::function<void(const PlacedBlock&)> restored;
  };

  static Name name_of(const ResidentBlock& block) {
    return {block.context.grid->id, block.linear_index()};
  }
  ResidentBlock* resident(const PlacedBlock& block) const;
  Departure ask(const PlacedBlock& block, DepartureRequest request);
  Departure begin_now(ResidentBlock& block, DepartureRequest request);
  void begin(ResidentBlock& block, DepartureRequest request);
  void begin_asked();
  void begin_doomed();
  bool proceed(Leaving& leaving);
  void take_away(Leaving& leaving);
  void returned(const ResidentBlock& block);
  void tell_restored();
  void preempt_any();
  void draw_next(Cycle now);
  std::uint64_t random();

  std::vector<std::unique_ptr<Sm>>& sms_;
  Dispatcher& dispatcher_;
  const Cycle& now_;          // the present cycle
  std::vector<Asked> asked_;  // in the order of the requests
  bool newly_asked_ = false;
  bool doomed_ = false;  // a block of a doomed grid may be on a multiprocessor
  std::vector<Leaving> leaving_;
  std::map<Name, std::function<void(const PlacedBlock&)>> away_;  // with a callback
  std::vector<Restoring> restoring_;
  std::uint64_t every_, state_;
  Cycle next_random_ = kNever;
};

}  // namespace raddle::machine
