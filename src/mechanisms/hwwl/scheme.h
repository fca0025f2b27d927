// A scheme of redistribution decides, at every interval, which banks give work to which. One file
// each in schemes/, and a line in kinds.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace raddle::mechanisms::hwwl {

/// A core as a scheme sees it.
struct CoreWork {
  std::span<const unsigned> work;  // [bank]: work ids, and entries reserved for some
  unsigned threshold = 0;          // more: greedy; fewer: needy
  bool backlog = false;            // more waits in memory: it is greedy, whatever its banks have
};

/// What a core does in an interval: each bank gives or gets at most one work id.
struct Plan {
  struct Donation {
    std::uint8_t from, to;  // banks
  };
  static constexpr unsigned kAny = ~0u;
  struct Send {
    unsigned from, to;  // bank; core, or kAny: the next in turn that is not greedy
  };
  std::vector<Donation> donations;
  std::vector<Send> sends;

  void clear() {
    donations.clear();
    sends.clear();
  }
};

/// Decides for one core by what that core knows; an object for each core.
class LocalScheme {
 public:
  virtual ~LocalScheme() = default;
  /// `plan` is empty.
  virtual void plan(const CoreWork& core, Plan& plan) = 0;
  /// The bit that is broadcast: it may send, and other cores send it nothing.
  virtual bool greedy(const CoreWork& core) const;
};

/// So many work ids go from a bank to any other at once, whatever that would take.
struct Transfer {
  unsigned from_core, from_bank, to_core, to_bank, ids;
};

/// Decides for all cores together.
class GlobalScheme {
 public:
  virtual ~GlobalScheme() = default;
  /// `plans` ([core]) and `transfers` are empty.
  virtual void plan(std::span<const CoreWork> cores, std::span<Plan> plans,
                    std::vector<Transfer>& transfers) = 0;
};

/// A scheme as the list of them has it: it has one of both, or none.
struct SchemeKind {
  std::string name, meaning, source;
  std::unique_ptr<LocalScheme> (*make_local)() = nullptr;
  std::unique_ptr<GlobalScheme> (*make_global)() = nullptr;
  bool sorts = false;  // the cores have sorting networks
};

/// All schemes, in order.
std::span<const SchemeKind> schemes();
/// Throws Error naming near ones; `setting`: its path.
const SchemeKind& scheme(const std::string& setting, const std::string& name);

/// Whether a bank with so much work is greedy, or needy.
inline bool is_greedy(unsigned work, const CoreWork& core) { return work > core.threshold; }
/// Whether a bank with so much may send some to another core, if its core is greedy.
inline bool may_send(unsigned work, const CoreWork& core) {
  return is_greedy(work, core) || (core.backlog && work != 0);
}
inline bool is_needy(unsigned work, const CoreWork& core) { return work < core.threshold; }

/// The banks by their work, those with least first; of equals, the lower number first.
void rank(std::span<const unsigned> work, std::vector<std::uint8_t>& banks);

}  // namespace raddle::mechanisms::hwwl
