// Which instructions of a stretch of a basic block must stay behind which others, and for how long.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isa/passes/definitions.h"
#include "isa/passes/target.h"

namespace raddle::isa {

/// How freely an instruction may move within the order of the program.
enum class Placing : std::uint8_t {
  free,    // only registers and memory limit its place
  in_line  // nothing crosses it: calls, exits, jumps, the clock, changes of the thread's state
};
Placing placing_of(const LirInstruction& lir);

/// An access to memory, or an instruction that orders such accesses.
struct MemoryEvent {
  bool any = false;  // the instruction is such an event
  bool everything =
      false;  // barriers, fences, exchanges between lanes, volatile and ordered accesses: accesses
              // stay on their side
  bool writes = false;
  bool constant = false;    // parameters and constants of the kernel: never written
  bool unchanging = false;  // constant, or ld.global.nc: no store of this kernel matters
  Space space = Space::generic;
  AddressValue address;
  bool known = false;     // `address` is known
  bool narrow = false;    // the address has 32 bits
  bool in_frame = false;  // an offset in the function's frame
  std::uint32_t bytes = 0;
};
MemoryEvent memory_event(const LirInstruction& lir, AddressValues& values);
/// Whether two events of one thread must keep their order.
bool keeps_order(const MemoryEvent& a, const MemoryEvent& b);

struct Dependence {
  std::uint32_t on = 0;       // an earlier instruction of the stretch
  std::uint16_t latency = 0;  // cycles from the issue of that instruction
};

/// For one stretch after the other.
class Dependences {
 public:
  Dependences(const FunctionBody& body, const PassTarget& target, AddressValues& values);
  /// The dependences of the stretch's instructions: [n] those of the n-th. Advances `values` past
  /// them.
  const std::vector<std::vector<Dependence>>& of(std::span<const InstructionId> stretch);

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Register {
    std::uint32_t writer = kNone;
    std::vector<std::uint32_t> readers;  // readers since the last write
  };
  void add(std::uint32_t n, std::uint32_t on, unsigned latency);
  void read(std::uint32_t n, std::uint32_t reg, std::span<const InstructionId> stretch);
  void write(std::uint32_t n, std::uint32_t reg, bool conditional,
             std::span<const InstructionId> stretch);
  void order_memory(std::uint32_t n, const LirInstruction& lir);

  const FunctionBody& body_;
  const PassTarget& target_;
  AddressValues& values_;
  std::vector<Register> registers_;  // [register], then the carry
  std::vector<std::uint32_t> touched_;
  std::vector<std::pair<std::uint32_t, MemoryEvent>> events_;
  std::vector<std::vector<Dependence>> found_;
};

}  // namespace raddle::isa
