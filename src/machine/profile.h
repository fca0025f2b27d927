// What each instruction of the programs cost: counters by position in the code, apart for each
// multiprocessor, so that they need no lock and do not depend on the number of host threads.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "isa/program.h"
#include "machine/sm/slot.h"

namespace raddle::machine {

/// Of one instruction.
struct CodeCounts {
  std::uint64_t warp_instructions = 0;    // executions, each counted once per warp
  std::uint64_t thread_instructions = 0;  // lanes that took part
  std::uint64_t requests = 0;             // accesses to global or local memory by a warp
  std::uint64_t transactions = 0;         // 128-byte lines they touched
  std::uint64_t shared_requests = 0;      // accesses to shared memory by a warp
  std::uint64_t shared_passes = 0;        // passes they took: bank conflicts make them more
  /// Scheduler cycles: those that issued it, and those that could issue nothing while the oldest
  /// warp which the reason holds for waited at it. Timed machine only. Over all code they add up to
  /// SlotStats but for `no_warp`, which nobody waits at.
  std::array<std::uint64_t, kSlots> slots{};

  CodeCounts& operator+=(const CodeCounts& other);
  std::uint64_t cycles() const;
};

/// Where an instruction came from; kept, since a program may be unloaded before its profile is
/// written.
struct CodePlace {
  /// In the source, or in the PTX when the compiler did not tell; then the calls that inlining has
  /// replaced, from the innermost outwards.
  std::vector<isa::SourceLine> lines;
  std::string text;            // the PTX instruction
  std::uint32_t function = 0;  // index into ProgramProfile::functions
};

/// One program's counters.
struct ProgramProfile {
  std::uint64_t program_id = 0;
  std::vector<CodePlace> code;
  std::vector<std::string> functions;                           // mangled
  std::vector<std::unique_ptr<std::vector<CodeCounts>>> by_sm;  // null: the SM never ran it

  std::vector<CodeCounts> merged() const;
};

class Profile {
 public:
  /// The counters of `program` for `sm`, by code position; stays where it is. Not while
  /// multiprocessors run side by side.
  CodeCounts* counts(unsigned sm, const isa::Program& program);

  const std::vector<std::unique_ptr<ProgramProfile>>& programs() const { return programs_; }

 private:
  ProgramProfile& of(const isa::Program& program);

  std::vector<std::unique_ptr<ProgramProfile>> programs_;
};

}  // namespace raddle::machine
