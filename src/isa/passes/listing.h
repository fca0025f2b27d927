// The blocks of a function as text, while passes change them.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "isa/passes/function_body.h"
#include "isa/source_text.h"

namespace raddle::isa {

class Listing {
 public:
  /// `code`: as it was lowered. All arguments must outlive this object.
  Listing(const ptx::Function& function, const std::vector<LirInstruction>& code,
          const SourceText& text);

  /// The blocks and their instructions, one line each: the program's own text where only the place
  /// has changed, else the changed instruction.
  std::string of(const FunctionBody& body) const;

 private:
  std::string line(const FunctionBody& body, const LirInstruction& lir) const;
  std::string made(const FunctionBody& body, const LirInstruction& lir,
                   const std::string& written) const;
  std::string operand(const FunctionBody& body, const Ref& ref) const;
  std::string register_name(std::uint32_t id) const;
  bool as_written(const LirInstruction& lir) const;

  const ptx::Function& function_;
  const SourceText& text_;
  std::unordered_multimap<const ptx::Instruction*, LirInstruction> before_;
};

}  // namespace raddle::isa
