#include "isa/lower/frame_layout.h"

#include <algorithm>

namespace raddle::isa {
namespace {

std::uint32_t align(std::uint32_t value, std::uint32_t to) { return (value + to - 1) / to * to; }

}  // namespace

std::vector<std::uint32_t> lay_out(const std::vector<ptx::Variable>& variables,
                                   std::uint32_t& end) {
  std::vector<std::uint32_t> offsets;
  for (const ptx::Variable& variable : variables) {
    end = align(end, std::max(1u, variable.alignment));
    offsets.push_back(end);
    end += static_cast<std::uint32_t>(variable.size);
  }
  return offsets;
}

FrameLayout::FrameLayout(const ptx::Function& function, Function& out) {
  if (function.entry) {
    parameters_ = lay_out(function.parameters, out.parameter_bytes);
    for (std::size_t n = 0; n < function.parameters.size(); ++n) {
      const ptx::Variable& v = function.parameters[n];
      out.parameters.push_back(
          {v.name, parameters_[n], static_cast<std::uint32_t>(v.size), v.alignment});
    }
  } else {
    parameters_ = lay_out(function.parameters, end_);
    results_ = lay_out(function.returns, end_);
  }
  variables_.resize(function.variables.size());
  // Arrays come last, so that an access past the end of one is also past the end of the frame.
  for (const ptx::Space space : {ptx::Space::param, ptx::Space::local}) {
    for (std::size_t n = 0; n < function.variables.size(); ++n) {
      const ptx::Variable& v = function.variables[n];
      if (v.space == space) variables_[n] = reserve(v.size, std::max(1u, v.alignment));
    }
  }
}

std::uint32_t FrameLayout::reserve(std::uint64_t bytes, std::uint32_t alignment) {
  const std::uint32_t offset = align(end_, alignment);
  end_ = offset + static_cast<std::uint32_t>(bytes);
  return offset;
}

}  // namespace raddle::isa
