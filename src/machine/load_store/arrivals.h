// Records, for accesses under way, which lanes have their data already. Each answered transaction
// brings the data of its lanes.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "machine/coalescer/transaction.h"
#include "machine/warp_slots.h"

namespace raddle::machine {

/// The listener to arriving data: dynamic warp subdivision.
class ArrivalListener {
 public:
  virtual ~ArrivalListener() = default;
  /// Some lanes of an access by this warp have their data, but not all.
  virtual void lanes_came(unsigned warp) = 0;
};

class Arrivals {
 public:
  /// An access under way. Some of its lanes may have moved to another path since.
  struct Access {
    PathId path = 0;
    std::uint32_t code = 0;
    LaneMask awaited = 0;  // lanes without data
    unsigned transactions = 0;
    std::array<LaneMask, kMostTransactions> lanes{};  // of each transaction; 0: answered
  };

  explicit Arrivals(ArrivalListener& listener) : listener_(listener) {}

  /// `token`: identifies the access until its last answer.
  void begin(std::uint32_t token, PathId path, std::uint32_t code, const Transaction* transactions,
             unsigned count) {
    if (accesses_.size() <= token) accesses_.resize(token + 1);
    Access& access = accesses_[token];
    access.path = path;
    access.code = code;
    access.transactions = count;
    for (unsigned n = 0; n < count; ++n) access.lanes[n] = transactions[n].lanes;
    access.awaited = awaited(access);
    of_warp_[warp_of(path)].push_back(token);
  }
  void answered(std::uint32_t token, unsigned transaction) {
    if (token >= accesses_.size() || accesses_[token].awaited == 0) return;  // not a tracked access
    Access& access = accesses_[token];
    access.lanes[transaction] = 0;
    const LaneMask before = access.awaited;
    access.awaited = awaited(access);
    if (access.awaited == 0) {
      std::erase(of_warp_[warp_of(access.path)], token);
    } else if (access.awaited != before) {
      listener_.lanes_came(warp_of(access.path));
    }
  }
  /// Calls f(access) for each access of the warp that lacks data.
  template <class F>
  void for_each(unsigned warp, F f) const {
    for (const std::uint32_t token : of_warp_[warp]) f(accesses_[token]);
  }

 private:
  static LaneMask awaited(const Access& access) {
    LaneMask lanes = 0;
    for (unsigned n = 0; n < access.transactions; ++n) lanes |= access.lanes[n];
    return lanes;
  }

  ArrivalListener& listener_;
  std::vector<Access> accesses_;                               // [token]
  std::array<std::vector<std::uint32_t>, kMaxWarps> of_warp_;  // tokens
};

}  // namespace raddle::machine
