// Random control flow: PTX, and each thread's result. An interpreter of the program's tree, without
// warps, computes the result.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace raddle::machine::test {

/// Every thread has a value, at first a hash of its index, which all statements change or branch
/// on. Kinds: loops with break and continue, nested branches, tables of branches, jumps out of
/// nested statements, crossing jumps, exits, calls (direct, by address, recursive); and, where all
/// threads that are left come together, exchanges by shared memory and barriers, by shuffles, and
/// votes.
class RandomProgram {
 public:
  /// early_returns: some threads end by a jump to the kernel's end, so that lanes of a warp come to
  /// barriers without having met, and wait there for others that return behind them.
  enum class Ends { anywhere, early_returns };
  RandomProgram(std::uint32_t seed, std::uint32_t threads, Ends ends = Ends::anywhere);

  /// A kernel `kernel(in, out)` for one block, with its functions, without a header.
  std::string ptx() const;
  /// out[thread] of it.
  std::vector<std::uint32_t> results() const;

 private:
  struct Node {
    enum class Kind : std::uint8_t {
      mix,         // value = value * 1664525 + number
      choose,      // on bit `number` of the value: child 0, else child 1
      loop,        // child 0, 1 + (value & 3) times, counted before
      table,       // child (value >> number) & 3
      leave,       // on a bit: jump behind the enclosing statement `target`
      again,       // on a bit: next round of the enclosing loop `target`
      exit,        // on a bit: the thread stores its value and ends
      cross,       // on one bit over child 0; behind it on another over child 1; then child 2
      call,        // value = function `number`(value)
      call_one_of  // value = one of two functions, by a bit
    } kind = Kind::mix;
    std::uint32_t number = 0;
    int label = 0, target = 0;
    std::vector<std::vector<Node>> children;
  };
  using Body = std::vector<Node>;
  enum class Meeting : std::uint8_t { barrier, shuffle, vote, warp_barrier, count_ };
  struct Phase {
    Body body;
    Meeting meeting = Meeting::barrier;
    std::uint32_t number = 0;
  };
  struct Enclosing {
    int label;
    bool loop;
  };

  std::uint32_t pick(std::uint32_t n) { return random_() % n; }
  Body body(unsigned depth, bool in_function);
  Node node(unsigned depth, bool in_function);

  struct Writer;
  struct Thread {
    std::uint32_t value = 0;
    bool ended = false;
  };
  int run(const Body& body, std::uint32_t& value) const;
  int run(const Node& node, std::uint32_t& value) const;
  std::uint32_t call(std::uint32_t function, std::uint32_t value, unsigned depth) const;
  void meet(const Phase& phase, std::vector<Thread>& threads,
            std::vector<std::uint32_t>& shared) const;

  static constexpr unsigned kFunctions = 3;  // the last calls itself
  std::mt19937 random_;
  std::uint32_t threads_;
  Ends ends_;
  std::vector<Enclosing> enclosing_;
  int labels_ = 0;
  std::vector<Body> functions_;
  std::vector<Phase> phases_;
};

}  // namespace raddle::machine::test
