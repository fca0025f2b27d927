#include "machine/profile.h"

#include <numeric>
#include <utility>

namespace raddle::machine {

CodeCounts& CodeCounts::operator+=(const CodeCounts& other) {
  warp_instructions += other.warp_instructions;
  thread_instructions += other.thread_instructions;
  requests += other.requests;
  transactions += other.transactions;
  shared_requests += other.shared_requests;
  shared_passes += other.shared_passes;
  for (std::size_t i = 0; i < kSlots; ++i) slots[i] += other.slots[i];
  return *this;
}

std::uint64_t CodeCounts::cycles() const {
  return std::accumulate(slots.begin(), slots.end(), std::uint64_t{0});
}

std::vector<CodeCounts> ProgramProfile::merged() const {
  std::vector<CodeCounts> sum(code.size());
  for (const auto& counts : by_sm) {
    if (counts == nullptr) continue;
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += (*counts)[i];
  }
  return sum;
}

CodeCounts* Profile::counts(unsigned sm, const isa::Program& program) {
  ProgramProfile& profile = of(program);
  if (profile.by_sm.size() <= sm) profile.by_sm.resize(sm + 1);
  auto& mine = profile.by_sm[sm];
  if (mine == nullptr) mine = std::make_unique<std::vector<CodeCounts>>(program.code.size());
  return mine->data();
}

ProgramProfile& Profile::of(const isa::Program& program) {
  for (const auto& one : programs_) {
    if (one->program_id == program.id) return *one;
  }
  programs_.push_back(std::make_unique<ProgramProfile>());
  ProgramProfile& added = *programs_.back();
  added.program_id = program.id;
  for (std::uint32_t i = 0; i < program.code.size(); ++i) {
    std::vector<isa::SourceLine> lines = program.inlined_at(i);
    lines.insert(lines.begin(), program.line_of(i));
    added.code.push_back({std::move(lines), program.info[i].text, program.code[i].function});
  }
  for (const isa::Function& function : program.functions) added.functions.push_back(function.name);
  return added;
}

}  // namespace raddle::machine
