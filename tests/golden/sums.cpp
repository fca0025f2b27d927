// Computes the sums over all operands (binade_cases.cpp): a check of approximations on every
// number. It takes a minute for a form.
#include "sums.h"

#include <fmt/core.h>

#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "isa/semantics/float.h"
#include "tests/semantics/warp.h"

namespace raddle::golden {
namespace {

/// The semantics of a form, "rcp.approx.ftz.f32".
isa::Execute semantics(const std::string& name) {
  isa::Form form;
  form.approx = true;
  form.ftz = name.find(".ftz") != std::string::npos;
  form.type = name.ends_with("f64") ? isa::Type::f64 : isa::Type::f32;
  const std::string op = name.substr(0, name.find('.'));
  constexpr std::pair<const char*, isa::Execute (*)(const isa::Form&)> kSelect[] = {
      {"rcp", isa::select_rcp}, {"rsqrt", isa::select_rsqrt}, {"sqrt", isa::select_sqrt},
      {"lg2", isa::select_lg2}, {"ex2", isa::select_ex2},     {"sin", isa::select_sin},
      {"cos", isa::select_cos}, {"tanh", isa::select_tanh}};
  for (const auto& [known, select] : kSelect) {
    if (op == known) return select(form);
  }
  throw std::runtime_error("no sums of " + name);
}

/// That of the 2^16 operands from `first` on.
std::uint64_t sum_from(isa::TestWarp& warp, isa::Execute execute, bool wide, std::uint32_t first) {
  isa::Instruction instruction;
  instruction.d = isa::TestWarp::row(4);
  instruction.s[0] = isa::TestWarp::row(0);
  std::uint64_t sum = 0;
  for (std::uint32_t n = 0; n < 1u << 16; n += kWarpSize) {
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      const std::uint32_t x = first + n + lane;
      if (wide) warp.u64(0)[lane] = std::uint64_t{x} << 32;
      if (!wide) warp.u32(0)[lane] = x;
    }
    warp.run(execute, instruction);
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      const std::uint64_t y = wide ? warp.u64(4)[lane] >> 32 : warp.u32(4)[lane];
      sum += y * (2 * (first + n + lane) + 1);
    }
  }
  return sum;
}

}  // namespace

bool sums_agree(const Archive& archive, const Results& hardware) {
  bool all = true;
  for (const auto& [number, outcome] : hardware.outcomes) {
    const Case& c = archive.cases.at(number);
    if (!c.name.starts_with("sums/")) continue;
    const std::string& form = c.fields.at(0).name;
    const isa::Execute execute = semantics(form);
    isa::TestWarp warp;
    std::uint32_t wrong = 0, example = 0;
    for (std::uint32_t part = 0; part < 1u << 16; ++part) {
      std::uint64_t real = 0;
      std::memcpy(&real, &outcome.bytes.at(8 * std::size_t{part}), sizeof real);
      if (real == sum_from(warp, execute, form.ends_with("f64"), part << 16)) continue;
      if (wrong++ == 0) example = part << 16;
    }
    fmt::print("{:<22} {} of 65536 sums differ", form, wrong);
    fmt::print("{}\n", wrong == 0 ? "" : fmt::format(", first that from {:#010x} on", example));
    std::fflush(stdout);
    all = all && wrong == 0;
  }
  return all;
}

}  // namespace raddle::golden
