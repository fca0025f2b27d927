// List scheduling of a stretch of instructions: of those whose operands have been issued, the one
// that the longest chain of results waits for goes next, as if the warp ran alone; where registers
// are short, of those for which there is room, or else the program's next. Where room ran out, a
// second order is made in which values that are not urgent wait, and the faster is taken: otherwise
// addresses of what comes much later hold the registers of loads. (S. Muchnick, Advanced
// Compiler Design and Implementation, 17.1; pressure after J. Goodman, W. Hsu: Code Scheduling and
// Register Allocation in Large Basic Blocks, 1988.)
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "isa/passes/stretches.h"

namespace raddle::isa {

class ListScheduler {
 public:
  /// What is ordered at once: the work grows with the square.
  static constexpr std::size_t kLongest = 256;

  ListScheduler(const FunctionBody& body, const PassTarget& target, const Stretch& stretch,
                const std::vector<std::vector<Dependence>>& dependences,
                const LiveSet& live_behind);

  /// An order, as places in the stretch.
  struct Order {
    std::vector<std::uint32_t> places;
    std::uint32_t cycles = 0;  // until the last is issued
  };
  /// That needs at most `limit` registers; nullopt: none was found.
  std::optional<Order> within(const RegisterCount& limit);
  /// The stretch as it is.
  RegisterCount needed();

 private:
  Order greedy(const RegisterCount& limit, bool patient);
  bool can_wait(std::uint32_t n) const;
  bool fits(std::uint32_t n) const;
  std::uint32_t next(std::uint32_t now);
  std::size_t least() const;
  void issue(std::uint32_t n, std::uint32_t now);

  const std::vector<std::vector<Dependence>>& dependences_;
  StretchValues values_;
  std::vector<std::vector<std::uint32_t>> users_;
  std::vector<std::uint32_t> height_;  // cycles from its issue to the end of all that needs it
  std::vector<std::uint32_t> earliest_;
  std::vector<std::size_t> missing_;
  std::vector<std::uint32_t> ready_;
  std::vector<bool> loads_, issued_;
  std::vector<std::uint32_t> highest_;  // places by falling height
  std::size_t next_highest_ = 0;        // the first of them that is not issued
  RegisterCount live_, limit_;
  bool patient_ = false, was_short_ = false;
};

}  // namespace raddle::isa
