#include "isa/passes/pressure.h"

#include <algorithm>
#include <unordered_map>

namespace raddle::isa {

RegisterCount registers_of(const FunctionBody& body, std::uint32_t reg) {
  const unsigned bytes = body.register_bytes(reg);
  if (bytes == 0) return {0, 1};
  if (body.in_constant_bank(reg)) return {};
  return {bytes <= 4 ? 1 : static_cast<int>(bytes / 4), 0};
}

void LiveSet::set(std::uint32_t reg, bool live) {
  if (live_[reg] == live) return;
  live_[reg] = live;
  if (live) touched_.push_back(reg);
  const RegisterCount of = registers_of(body_, reg);
  count_ += live ? of : RegisterCount{-of.general, -of.predicates};
}

void LiveSet::begin(BlockId block) {
  for (const std::uint32_t reg : touched_) live_[reg] = false;
  touched_.clear();
  count_ = {};
  for (const std::uint32_t reg : body_.live_out(block)) set(reg, true);
}

void LiveSet::step_back(const LirInstruction& lir) {
  if (!lir.keeps_others()) lir.for_each_write([&](std::uint32_t reg) { set(reg, false); });
  lir.for_each_read([&](std::uint32_t reg) { set(reg, true); });
}

int allowed_registers(const FunctionBody& body, const PassTarget& target) {
  const ptx::Function& function = body.function();
  std::uint32_t threads = 1;
  bool said = false;
  for (unsigned d = 0; d < 3; ++d) {
    const std::uint32_t limit = std::max(function.maxntid[d], function.reqntid[d]);
    if (limit != 0) threads *= limit;
    said |= limit != 0;
  }
  return static_cast<int>(
      target.allowed(said ? threads : 0, function.minnctapersm, function.maxnreg));
}

RegisterCount most_needed(const FunctionBody& body) {
  RegisterCount most;
  LiveSet live(body);
  const auto note = [&](const RegisterCount& now) {
    most.general = std::max(most.general, now.general);
    most.predicates = std::max(most.predicates, now.predicates);
  };
  for (const BlockId block : body.blocks()) {
    live.begin(block);
    note(live.count());
    const auto& inside = body.instructions(block);
    for (auto at = inside.rbegin(); at != inside.rend(); ++at) {
      RegisterCount behind = live.count();
      body[*at].for_each_write([&](std::uint32_t reg) {
        if (!live[reg]) behind += registers_of(body, reg);
      });
      note(behind);
      live.step_back(body[*at]);
      note(live.count());
    }
  }
  return most;
}

StretchValues::StretchValues(const FunctionBody& body, std::span<const InstructionId> stretch,
                             const LiveSet& live_behind)
    : body_(body), uses_(stretch.size()), makes_(stretch.size()) {
  std::unordered_map<std::uint32_t, std::uint32_t> current;  // register -> value
  std::vector<std::uint32_t> at_start;
  const auto find = [&](std::uint32_t reg) {
    const auto [found, is_new] =
        current.try_emplace(reg, static_cast<std::uint32_t>(values_.size()));
    if (is_new) {
      at_start.push_back(found->second);
      values_.push_back({reg, 0});
    }
    return found->second;
  };
  const auto use = [&](std::uint32_t n, std::uint32_t value) {
    if (std::find(uses_[n].begin(), uses_[n].end(), value) != uses_[n].end()) return;
    uses_[n].push_back(value);
    ++values_[value].uses;
  };
  for (std::uint32_t n = 0; n < stretch.size(); ++n) {
    const LirInstruction& lir = body[stretch[n]];
    lir.for_each_read([&](std::uint32_t reg) { use(n, find(reg)); });
    lir.for_each_write([&](std::uint32_t reg) {
      if (lir.keeps_others()) return use(n, find(reg));
      const auto value = static_cast<std::uint32_t>(values_.size());
      current.insert_or_assign(reg, value);
      values_.push_back({reg, 0});
      makes_[n].push_back(value);
    });
  }
  start_ = live_behind.count();
  for (const auto& [reg, value] : current) {
    if (!live_behind[reg]) continue;
    ++values_[value].uses;
    const RegisterCount of = registers_of(body, reg);
    start_ += {-of.general, -of.predicates};
  }
  for (const std::uint32_t value : at_start) {
    if (values_[value].uses != 0) start_ += registers_of(body, values_[value].reg);
  }
  restart();
}

void StretchValues::restart() {
  left_.clear();
  for (const Value& value : values_) left_.push_back(value.uses);
}

RegisterCount StretchValues::written(std::uint32_t n) const {
  RegisterCount count;
  for (const std::uint32_t value : makes_[n]) count += registers_of(body_, values_[value].reg);
  // A value that is read for the last time may share its place with a written one.
  for (const std::uint32_t value : uses_[n]) {
    if (left_[value] != 1) continue;
    const RegisterCount ends = registers_of(body_, values_[value].reg);
    count += {-ends.general, -ends.predicates};
  }
  return count;
}

RegisterCount StretchValues::change(std::uint32_t n) const {
  RegisterCount count;
  for (const std::uint32_t value : makes_[n]) {
    if (values_[value].uses != 0) count += registers_of(body_, values_[value].reg);
  }
  for (const std::uint32_t value : uses_[n]) {
    if (left_[value] != 1) continue;
    const RegisterCount ends = registers_of(body_, values_[value].reg);
    count += {-ends.general, -ends.predicates};
  }
  return count;
}

void StretchValues::issue(std::uint32_t n) {
  for (const std::uint32_t value : uses_[n]) --left_[value];
}

}  // namespace raddle::isa
