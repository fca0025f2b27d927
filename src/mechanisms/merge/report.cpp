#include "mechanisms/merge/report.h"

#include <fmt/core.h>

namespace raddle::mechanisms::merge {
namespace {

using Side = isa::JointPlace::Side;

std::string opcode(const isa::LirInstruction& lir) {
  std::string text(lir.from->opcode);
  for (const std::string_view modifier : lir.from->modifiers) text += fmt::format(".{}", modifier);
  return text;
}

/// "   12  add.s32"
std::string text_of(const isa::LirInstruction& lir) {
  if (lir.from == nullptr) return "(added)";
  const auto& at = lir.from->at;
  return fmt::format("{:>5}  {}", at.source_line != 0 ? at.source_line : at.line, opcode(lir));
}

std::string where(const isa::LirInstruction& branch) {
  if (branch.from == nullptr) return "branch";
  const auto& at = branch.from->at;
  return at.source_line != 0 ? fmt::format("line {}", at.source_line)
                             : fmt::format("PTX line {}", at.line);
}

std::string json_of(const isa::LirInstruction& lir) {
  if (lir.from == nullptr) return "{}";
  return fmt::format(R"({{"opcode":"{}","line":{},"ptx_line":{}}})", opcode(lir),
                     lir.from->at.source_line, lir.from->at.line);
}

void append(std::string& list, const std::string& element) {
  if (!list.empty()) list += ',';
  list += element;
}

/// The members that every branch's JSON object has.
std::string json_head(const isa::FunctionBody& body, const Candidate& one) {
  const isa::LirInstruction& branch = body[one.of.branch];
  return fmt::format(
      R"("line":{},"ptx_line":{},"jumps":{},"falls":{},"pairs":{},"pieces":{},"why_not":"{}")",
      branch.from == nullptr ? 0 : branch.from->at.source_line,
      branch.from == nullptr ? 0 : branch.from->at.line, one.of.jumps.code.size(),
      one.of.falls.code.size(), one.pairs.size(), one.pieces(), one.of.why_not);
}

}  // namespace

void Report::count(const Candidate& one) { in_sides_.insert(one.of.all.begin(), one.of.all.end()); }

void Report::stays(const Candidate& one) {
  count(one);
  notes_.push_back(fmt::format("{}: not joined: {}", where(body_[one.of.branch]), one.of.why_not));
  append(branches_, fmt::format("{{{}}}", json_head(body_, one)));
}

void Report::begin(const Candidate& one) {
  count(one);
  lines_.clear();
  steps_.clear();
  merged_ += 2 * one.pairs.size();
}

void Report::add(isa::InstructionId id, Side side) {
  const std::string text = text_of(body_[id]);
  const bool jumps = side == Side::jumps;
  lines_.push_back(jumps ? fmt::format("    {:<36}  |", text)
                         : fmt::format("    {:<36}  |  {}", "", text));
  append(steps_, fmt::format(R"({{"{}":{}}})", jumps ? "jumps" : "falls", json_of(body_[id])));
}

void Report::add_pair(isa::InstructionId jumps, isa::InstructionId falls) {
  lines_.push_back(fmt::format("    {:<36}  =  {}", text_of(body_[jumps]), text_of(body_[falls])));
  append(steps_,
         fmt::format(R"({{"jumps":{},"falls":{}}})", json_of(body_[jumps]), json_of(body_[falls])));
}

void Report::end(const Candidate& one, unsigned entries) {
  std::string pieces;
  if (one.pieces() != 0) {
    pieces = fmt::format(", {} pieces with branches of their own", one.pieces());
  }
  notes_.push_back(fmt::format("{}: {} and {} instructions, {} pairs, {} entries of the stack{}",
                               where(body_[one.of.branch]), one.of.jumps.code.size(),
                               one.of.falls.code.size(), one.pairs.size(), entries, pieces));
  notes_.insert(notes_.end(), lines_.begin(), lines_.end());
  append(branches_, fmt::format(R"({{{},"stack_entries":{},"sequence":[{}]}})",
                                json_head(body_, one), entries, steps_));
}

void Report::finish() {
  notes_.json = fmt::format(R"({{"instructions":{},"merged":{},"branches":[{}]}})",
                            in_sides_.size(), merged_, branches_);
  if (in_sides_.empty()) return;
  notes_.push_back(fmt::format(
      "{} of {} instructions of both sides are merged: {:.0f} %", merged_, in_sides_.size(),
      100.0 * static_cast<double>(merged_) / static_cast<double>(in_sides_.size())));
}

}  // namespace raddle::mechanisms::merge
