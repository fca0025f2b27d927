// Costs of each instruction of the programs: counters by position in the code. Each multiprocessor
// has its own, so that they need no lock and do not depend on the number of host threads.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "isa/program.h"
#include "machine/sm/slot.h"

namespace raddle::machine {

/// Counters of one instruction.
struct CodeCounts {
  std::uint64_t warp_instructions = 0;    // executions, each counted once per warp
  std::uint64_t thread_instructions = 0;  // lanes that took part
  std::uint64_t requests = 0;             // accesses to global or local memory by a warp
  std::uint64_t transactions = 0;         // 128-byte lines they touched
  std::uint64_t shared_requests = 0;      // accesses to shared memory by a warp
  std::uint64_t shared_passes = 0;        // passes they took; bank conflicts add passes
  /// Scheduler cycles: cycles that issued it, and cycles that issued nothing while the oldest warp
  /// with this stall reason waited at it. Timed machine only. The sum over all code is SlotStats,
  /// except `no_warp`, for which there is no waiting warp.
  std::array<std::uint64_t, kSlots> slots{};

  CodeCounts& operator+=(const CodeCounts& other);
  std::uint64_t cycles() const;
};

/// Origin of an instruction. It is copied, since a program may be unloaded before its profile is
/// written.
struct CodePlace {
  /// First the line in the source, or in the PTX if the compiler gave no source lines; then the
  /// calls that inlining has replaced, from the innermost outwards.
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
  /// The counters of `program` for `sm`, by code position; the address stays valid. Do not call it
  /// while multiprocessors run in parallel.
  CodeCounts* counts(unsigned sm, const isa::Program& program);

  const std::vector<std::unique_ptr<ProgramProfile>>& programs() const { return programs_; }

 private:
  ProgramProfile& of(const isa::Program& program);

  std::vector<std::unique_ptr<ProgramProfile>> programs_;
};

}  // namespace raddle::machine
