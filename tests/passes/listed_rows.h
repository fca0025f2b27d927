// The instructions of a kernel's body that remain after passes.
#pragma once

#include "isa/table.h"
#include "pass_help.h"

namespace raddle::tests {

/// The rows of the body's instructions after the passes and dead code elimination, with the
/// immediate of accesses.
inline std::vector<std::string> rows(isa::PassList passes, const std::string& body) {
  struct Record : isa::Pass {
    explicit Record(std::vector<std::string>& out) : out(out) {}
    const char* name() const override { return "record"; }
    const char* meaning() const override { return "lists what is left"; }
    void run(isa::FunctionBody& body, isa::PassNotes&) const override {
      for (const isa::BlockId block : body.blocks()) {
        for (const isa::InstructionId id : body.instructions(block)) {
          const isa::LirInstruction& lir = body[id];
          if (lir.row == nullptr || lir.from->at.line < 10 || lir.out.kind == isa::Kind::exit) {
            continue;
          }
          std::string text(lir.row->mnemonic);
          if (lir.guard != ptx::kNoId) text = (lir.guard_negated ? "!" : "@") + text;
          if (lir.out.kind == isa::Kind::memory) text += fmt::format("+{}", lir.out.immediate);
          out.push_back(text);
        }
      }
    }
    std::vector<std::string>& out;
  };
  std::vector<std::string> found;
  passes.push_back(isa::dead_code_elimination());
  passes.push_back(std::make_shared<Record>(found));
  after(passes, kernel("\n" + body));
  return found;
}

}  // namespace raddle::tests
