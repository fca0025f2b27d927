// Refuses the instruction that is being lowered: an InputError with its file and line.
#pragma once

#include <fmt/core.h>

#include <string>
#include <utility>

#include "base/error.h"
#include "isa/syntax.h"
#include "ptx/module.h"

namespace raddle::isa {

class Refusal {
 public:
  Refusal(const ptx::Module& module, const ptx::Function& function)
      : module_(module), function_(function) {}
  /// Sets the instruction that is being lowered; nullptr: code without an instruction.
  void move_to(const ptx::Instruction* instruction) { at_ = instruction; }
  const ptx::Instruction* instruction() const { return at_; }

  template <class... Args>
  [[noreturn]] void operator()(fmt::format_string<Args...> text, Args&&... args) const {
    say(fmt::format(text, std::forward<Args>(args)...));
  }
  /// For instructions that PTX has and raddle does not: launches of kernels that reach them are
  /// refused.
  template <class... Args>
  [[noreturn]] void unsupported(fmt::format_string<Args...> text, Args&&... args) const {
    throw Unsupported(fmt::format(text, std::forward<Args>(args)...));
  }
  [[noreturn]] void say(const std::string& text) const {
    throw InputError(module_.position(at_ != nullptr ? at_->at : function_.at), text);
  }

 private:
  const ptx::Module& module_;
  const ptx::Function& function_;
  const ptx::Instruction* at_ = nullptr;
};

}  // namespace raddle::isa
