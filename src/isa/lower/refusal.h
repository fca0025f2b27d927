// Refuses what is being lowered: an InputError with its file and line.
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
  /// What is being lowered from now on; nullptr: what no instruction asked for.
  void move_to(const ptx::Instruction* instruction) { at_ = instruction; }
  const ptx::Instruction* instruction() const { return at_; }

  template <class... Args>
  [[noreturn]] void operator()(fmt::format_string<Args...> text, Args&&... args) const {
    say(fmt::format(text, std::forward<Args>(args)...));
  }
  /// For what PTX has and raddle does not: the kernels that come to it are refused at their launch.
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
