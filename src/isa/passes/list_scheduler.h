// List scheduling of a stretch of instructions, as if the warp ran alone. Of the instructions whose
// operands have been issued, the one with the longest chain of dependent results goes next. Where
// registers are short, only instructions that have room count, or else the program's next one.
// Where room ran out, the scheduler makes a second order in which values that are not urgent wait,
// and takes the faster order: otherwise addresses for much later accesses hold the registers of
// loads. (S. Muchnick, Advanced Compiler Design and Implementation, 17.1; pressure after J.
// Goodman, W. Hsu: Code Scheduling and Register Allocation in Large Basic Blocks, 1988.)
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "isa/passes/stretches.h"

namespace raddle::isa {

class ListScheduler {
 public:
  /// Longest stretch that is ordered at once: the work grows with the square.
  static constexpr std::size_t kLongest = 256;

  ListScheduler(const FunctionBody& body, const PassTarget& target, const Stretch& stretch,
                const std::vector<std::vector<Dependence>>& dependences,
                const LiveSet& live_behind);

  /// An order, as places in the stretch.
  struct Order {
    std::vector<std::uint32_t> places;
    std::uint32_t cycles = 0;  // until the last is issued
  };
  /// An order with at most `limit` registers; nullopt: none was found.
  std::optional<Order> within(const RegisterCount& limit);
  /// The registers that the stretch needs in its present order.
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
  std::vector<std::uint32_t> height_;  // cycles from the issue to the end of all dependents
  std::vector<std::uint32_t> earliest_;
  std::vector<std::size_t> missing_;
  std::vector<std::uint32_t> ready_;
  std::vector<bool> loads_, issued_;
  std::vector<std::uint32_t> highest_;  // places by descending height
  std::size_t next_highest_ = 0;        // the first one that is not issued
  RegisterCount live_, limit_;
  bool patient_ = false, was_short_ = false;
};

}  // namespace raddle::isa
