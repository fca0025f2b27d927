// A scheme of redistribution decides, at every interval, which banks give work to which banks. Each
// scheme has a file in schemes/ and a line in kinds.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace raddle::mechanisms::hwwl {

/// A core as a scheme sees it.
struct CoreWork {
  std::span<const unsigned> work;  // [bank]: work ids and reserved entries
  unsigned threshold = 0;          // a bank with more is greedy, a bank with less is needy
  bool backlog = false;  // more work waits in memory: the core is greedy, whatever its banks hold
};

/// The moves of a core in an interval. Each bank gives or gets at most one work id.
struct Plan {
  struct Donation {
    std::uint8_t from, to;  // banks
  };
  static constexpr unsigned kAny = ~0u;
  struct Send {
    unsigned from, to;  // bank; core, or kAny: the next core in turn that is not greedy
  };
  std::vector<Donation> donations;
  std::vector<Send> sends;

  void clear() {
    donations.clear();
    sends.clear();
  }
};

/// Decides for one core from the state of that core. Each core has an object of its own.
class LocalScheme {
 public:
  virtual ~LocalScheme() = default;
  /// `plan` must be empty.
  virtual void plan(const CoreWork& core, Plan& plan) = 0;
  /// The bit that is broadcast. A greedy core may send work, and other cores send no work to it.
  virtual bool greedy(const CoreWork& core) const;
};

/// Moves `ids` work ids at once from a bank to any other bank, without cost.
struct Transfer {
  unsigned from_core, from_bank, to_core, to_bank, ids;
};

/// Decides for all cores together.
class GlobalScheme {
 public:
  virtual ~GlobalScheme() = default;
  /// `plans` ([core]) and `transfers` must be empty.
  virtual void plan(std::span<const CoreWork> cores, std::span<Plan> plans,
                    std::vector<Transfer>& transfers) = 0;
};

/// An entry in the list of schemes. It has make_local or make_global, or neither.
struct SchemeKind {
  std::string name, meaning, source;
  std::unique_ptr<LocalScheme> (*make_local)() = nullptr;
  std::unique_ptr<GlobalScheme> (*make_global)() = nullptr;
  bool sorts = false;  // the hardware has sorting networks
};

/// All schemes, in order.
std::span<const SchemeKind> schemes();
/// Throws an Error with similar names if there is no such scheme. `setting`: the path of the
/// setting.
const SchemeKind& scheme(const std::string& setting, const std::string& name);

/// Whether a bank with this much work is greedy.
inline bool is_greedy(unsigned work, const CoreWork& core) { return work > core.threshold; }
/// Whether a bank with this much work may send some to another core, if its core is greedy.
inline bool may_send(unsigned work, const CoreWork& core) {
  return is_greedy(work, core) || (core.backlog && work != 0);
}
inline bool is_needy(unsigned work, const CoreWork& core) { return work < core.threshold; }

/// Sorts the banks by their work, the least first. Of banks with equal work, the lower number is
/// first.
void rank(std::span<const unsigned> work, std::vector<std::uint8_t>& banks);

}  // namespace raddle::mechanisms::hwwl
