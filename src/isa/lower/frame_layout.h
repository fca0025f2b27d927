// Places of a function's parameters, results and variables: a kernel's parameters lie in the
// grid's, all others in the function's frame of local memory.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/program.h"
#include "ptx/module.h"

namespace raddle::isa {

/// Places variables one after the other as in the .param space; returns the offsets and moves
/// `end`.
std::vector<std::uint32_t> lay_out(const std::vector<ptx::Variable>& variables, std::uint32_t& end);

class FrameLayout {
 public:
  /// Writes the parameters of a kernel to `out`.
  FrameLayout(const ptx::Function& function, Function& out);

  std::uint32_t parameter(std::size_t n) const { return parameters_[n]; }
  std::uint32_t result(std::size_t n) const { return results_[n]; }
  std::uint32_t variable(std::size_t n) const { return variables_[n]; }  // .local, .param
  /// Reserves `bytes` more at the frame's end; returns their offset.
  std::uint32_t reserve(std::uint64_t bytes, std::uint32_t alignment);
  std::uint32_t bytes() const { return end_; }

 private:
  std::vector<std::uint32_t> parameters_, results_, variables_;
  std::uint32_t end_ = 0;
};

}  // namespace raddle::isa
