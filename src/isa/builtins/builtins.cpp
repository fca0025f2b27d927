#include "isa/builtins/builtins.h"

#include <bit>
#include <map>

#include "isa/block_context.h"
#include "isa/builtins/library.h"
#include "isa/semantics/lanes.h"

namespace raddle::isa {
namespace {

const BuiltinSite& site_of(const Instruction& i) {
  return *reinterpret_cast<const BuiltinSite*>(i.immediate);
}

std::map<std::string, Builtin, std::less<>>& registry() {
  static std::map<std::string, Builtin, std::less<>> all = [] {
    std::map<std::string, Builtin, std::less<>> made;
    for (Builtin& builtin : library_builtins()) made[builtin.name] = builtin;
    return made;
  }();
  return all;
}

void carry_out(const GlobalUpdate& update, Services& services) {
  site_of(*update.instruction).builtin->carry_out(BuiltinCall(update, services));
}

}  // namespace

const Builtin* find_builtin(std::string_view name) {
  const auto found = registry().find(name);
  return found == registry().end() ? nullptr : &found->second;
}

void add_builtin(Builtin builtin) {
  std::string name = builtin.name;
  registry()[std::move(name)] = std::move(builtin);
}

void execute_builtin(WarpContext& w, const Instruction& i) {
  if (!w.global->order(w)) return;
  const auto alone = w.global->change();
  const BlockContext& block = *w.block;
  GlobalUpdate& update = w.global->next_update();
  update.lanes = w.active;
  update.warp = &w;
  update.instruction = &i;
  update.carry_out = carry_out;
  const std::uint64_t stride = block.local_bytes_per_thread;
  std::byte* frame = block.local + w.warp_in_block * kWarpSize * stride + w.local_frame;
  for (unsigned l = 0; l < kWarpSize; ++l) update.at[l] = frame + l * stride;
  w.global->commit();
  if (site_of(i).builtin->asserts) {
    w.fault = {};
    w.fault.kind = Fault::Kind::assertion;
    w.fault.lane = static_cast<std::uint8_t>(std::countr_zero(w.active));
  }
}

const std::byte* BuiltinCall::argument_bytes(unsigned lane, unsigned n) const {
  return update_.at[lane] + site_of(*update_.instruction).arguments[n];
}

std::byte* BuiltinCall::result_bytes(unsigned lane) const {
  const BuiltinSite& site = site_of(*update_.instruction);
  return site.builtin->result == 0 ? nullptr : update_.at[lane] + site.result;
}

std::byte* BuiltinCall::values(unsigned lane, Address address, std::size_t bytes) const {
  const BlockContext& block = *warp.block;
  if (address - memory::kSharedWindow < memory::kWindowSpan) {
    const Address offset = address - memory::kSharedWindow;
    return offset + bytes <= block.shared_bytes ? block.shared + offset : nullptr;
  }
  if (address - memory::kLocalWindow < memory::kWindowSpan) {
    const Address offset = address - memory::kLocalWindow;
    const std::uint64_t thread = warp.warp_in_block * kWarpSize + lane;
    return offset + bytes <= block.local_bytes_per_thread
               ? block.local + thread * block.local_bytes_per_thread + offset
               : nullptr;
  }
  return services.space().values(address, bytes);
}

std::vector<std::byte> BuiltinCall::bytes(unsigned lane, Address address, std::size_t count) const {
  for (; count != 0; --count) {
    if (const std::byte* from = values(lane, address, count)) return {from, from + count};
  }
  return {};
}

std::string BuiltinCall::text(unsigned lane, Address address) const {
  std::string result;
  for (;; ++address) {
    const std::byte* at = values(lane, address, 1);
    if (at == nullptr || *at == std::byte{0}) return result;
    result += static_cast<char>(*at);
  }
}

}  // namespace raddle::isa
