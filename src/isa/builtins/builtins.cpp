#include "isa/builtins/builtins.h"

#include <algorithm>
#include <bit>

#include "isa/block_context.h"
#include "isa/builtins/library.h"
#include "isa/program.h"
#include "isa/semantics/lanes.h"
#include "isa/semantics/memory.h"

namespace raddle::isa {
namespace {

bool within(Address offset, std::uint64_t bytes, std::uint64_t size) {
  return offset <= size && bytes <= size - offset;
}

const BuiltinSite& site_of(const WarpContext& w, const Instruction& i) {
  return *w.block->grid->program->builtin_calls[i.target];
}
const BuiltinSite& site_of(const GlobalUpdate& update) {
  return site_of(*update.warp, *update.instruction);
}

void carry_out(const GlobalUpdate& update, Services& services) {
  const BuiltinCall call(update, services);
  site_of(update).builtin->carry_out(call);
  if (call.fault().kind != Fault::Kind::none) update.warp->global->fail(update, call.fault());
}

}  // namespace

Builtins::Builtins() {
  for (Builtin& builtin : library_builtins()) add(std::move(builtin));
}

std::shared_ptr<const Builtin> Builtins::find(std::string_view name) const {
  const auto found = all_.find(name);
  return found == all_.end() ? nullptr : found->second;
}

void Builtins::add(Builtin builtin) {
  std::string name = builtin.name;
  all_[std::move(name)] = std::make_shared<const Builtin>(std::move(builtin));
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
  if (site_of(w, i).builtin->asserts) {
    w.fault = {};
    w.fault.kind = Fault::Kind::assertion;
    w.fault.lane = static_cast<std::uint8_t>(std::countr_zero(w.active));
  }
}

const std::byte* BuiltinCall::argument_bytes(unsigned lane, unsigned n) const {
  return update_.at[lane] + site_of(update_).arguments[n];
}

std::byte* BuiltinCall::result_bytes(unsigned lane) const {
  const BuiltinSite& site = site_of(update_);
  return site.builtin->result == 0 ? nullptr : update_.at[lane] + site.result;
}

std::byte* BuiltinCall::values(unsigned lane, Address address, std::size_t bytes) const {
  const BlockContext& block = *warp.block;
  if (address - memory::kSharedWindow < memory::kWindowSpan) {
    const Address offset = address - memory::kSharedWindow - block.shared_begin;
    return within(offset, bytes, block.shared_bytes) ? block.shared + offset : nullptr;
  }
  if (address - memory::kLocalWindow < memory::kWindowSpan) {
    const Address offset = address - memory::kLocalWindow;
    const std::uint64_t thread = warp.warp_in_block * kWarpSize + lane;
    return within_local(warp, lane, offset, bytes)
               ? block.local + thread * block.local_bytes_per_thread + offset
               : nullptr;
  }
  if (address - memory::kParamWindow < memory::kWindowSpan) {
    const std::vector<std::byte>& parameters = block.grid->parameters;
    const Address offset = address - memory::kParamWindow;
    // access() makes sure that no call writes there.
    return within(offset, bytes, parameters.size())
               ? const_cast<std::byte*>(parameters.data()) + offset
               : nullptr;
  }
  return services.space().values(address, bytes);
}

std::byte* BuiltinCall::access(unsigned lane, Address address, std::size_t bytes,
                               MemoryAccess::Type type) const {
  using Kind = Fault::Kind;
  const memory::Allocation* holder = services.space().find(address);
  const bool parameter = address - memory::kParamWindow < memory::kWindowSpan;
  const bool constant = parameter || (holder != nullptr && holder->kind == memory::Kind::constant);
  std::byte* at = values(lane, address, bytes);
  Kind kind = Kind::none;
  if (at == nullptr) {
    kind = holder != nullptr && holder->freed ? Kind::use_after_free : Kind::out_of_bounds;
  } else if (constant && type != MemoryAccess::Type::load) {
    kind = Kind::read_only;
  }
  if (kind == Kind::none) return at;
  const auto told = static_cast<std::uint32_t>(std::min<std::size_t>(bytes, ~std::uint32_t{0}));
  fail({kind, static_cast<std::uint8_t>(lane), told, type, MemoryAccess::Space::none, address});
  return nullptr;
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
    const std::byte* at = access(lane, address, 1, MemoryAccess::Type::load);
    if (at == nullptr || *at == std::byte{0}) return result;
    result += static_cast<char>(*at);
  }
}

}  // namespace raddle::isa
