// Special registers (PTX ISA chapter 10).
#include <array>
#include <string_view>

#include "isa/block_context.h"
#include "isa/global_port.h"
#include "isa/semantics/lanes.h"
#include "isa/semantics/movement.h"

namespace raddle::isa {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// d = f(w) in every lane.
template <class T, auto f>
void uniform(WarpContext& w, const Instruction& i) {
  const T value = static_cast<T>(f(w));
  Stored<T> results[kWarpSize];
  for (auto& result : results) result = value;
  store_lanes<T>(w, i.d, results);
}

/// The same for a clock.
template <class T, auto f>
void clock(WarpContext& w, const Instruction& i) {
  w.global->note_change();
  if (w.global->order(w)) uniform<T, f>(w, i);
}

/// d = f(w, lane).
template <auto f>
void by_lane(WarpContext& w, const Instruction& i) {
  u32 results[kWarpSize];
  for (u32 l = 0; l < kWarpSize; ++l) results[l] = f(w, l);
  store_lanes<u32>(w, i.d, results);
}

u32 thread_index(const WarpContext& w, u32 lane) { return w.warp_in_block * kWarpSize + lane; }
const Dim3& block_size(const WarpContext& w) { return w.block->grid->block; }
const Dim3& grid_size(const WarpContext& w) { return w.block->grid->grid; }

u64 nanoseconds(const WarpContext& w) {
  return static_cast<u64>(static_cast<double>(w.now) * w.ns_per_cycle);
}

u32 tid_x(const WarpContext& w, u32 l) { return thread_index(w, l) % block_size(w).x; }
u32 tid_y(const WarpContext& w, u32 l) {
  return thread_index(w, l) / block_size(w).x % block_size(w).y;
}
u32 tid_z(const WarpContext& w, u32 l) {
  return thread_index(w, l) / block_size(w).x / block_size(w).y;
}

/// %tid.x of a one-dimensional block needs no division.
void tid_x_fast(WarpContext& w, const Instruction& i) {
  const Dim3& size = block_size(w);
  if (size.y == 1 && size.z == 1) {
    u32 results[kWarpSize];
    for (u32 l = 0; l < kWarpSize; ++l) results[l] = w.warp_in_block * kWarpSize + l;
    return store_lanes<u32>(w, i.d, results);
  }
  by_lane<tid_x>(w, i);
}

struct Named {
  std::string_view name;
  unsigned bits;
  Execute execute;
};

template <auto f>
constexpr Execute kU32 = uniform<u32, f>;
template <auto f>
constexpr Execute kU64 = uniform<u64, f>;

const std::array kRegisters = {
    Named{"%tid.x", 32, tid_x_fast},
    Named{"%tid.y", 32, by_lane<tid_y>},
    Named{"%tid.z", 32, by_lane<tid_z>},
    Named{"%ntid.x", 32, kU32<[](const WarpContext& w) { return block_size(w).x; }>},
    Named{"%ntid.y", 32, kU32<[](const WarpContext& w) { return block_size(w).y; }>},
    Named{"%ntid.z", 32, kU32<[](const WarpContext& w) { return block_size(w).z; }>},
    Named{"%ctaid.x", 32, kU32<[](const WarpContext& w) { return w.block->index.x; }>},
    Named{"%ctaid.y", 32, kU32<[](const WarpContext& w) { return w.block->index.y; }>},
    Named{"%ctaid.z", 32, kU32<[](const WarpContext& w) { return w.block->index.z; }>},
    Named{"%nctaid.x", 32, kU32<[](const WarpContext& w) { return grid_size(w).x; }>},
    Named{"%nctaid.y", 32, kU32<[](const WarpContext& w) { return grid_size(w).y; }>},
    Named{"%nctaid.z", 32, kU32<[](const WarpContext& w) { return grid_size(w).z; }>},
    Named{"%laneid", 32, by_lane<[](const WarpContext&, u32 l) { return l; }>},
    Named{"%warpid", 32, kU32<[](const WarpContext& w) { return w.slot; }>},
    Named{"%nwarpid", 32, kU32<[](const WarpContext& w) { return w.block->grid->warps_per_sm; }>},
    Named{"%smid", 32, kU32<[](const WarpContext& w) { return w.block->sm; }>},
    Named{"%nsmid", 32, kU32<[](const WarpContext& w) { return w.block->grid->sms; }>},
    Named{"%gridid", 64, kU64<[](const WarpContext& w) { return w.block->grid->id; }>},
    Named{"%lanemask_eq", 32, by_lane<[](const WarpContext&, u32 l) { return 1u << l; }>},
    Named{"%lanemask_lt", 32, by_lane<[](const WarpContext&, u32 l) { return (1u << l) - 1; }>},
    Named{"%lanemask_le", 32,
          by_lane<[](const WarpContext&, u32 l) { return ((1u << l) - 1) | (1u << l); }>},
    Named{"%lanemask_gt", 32,
          by_lane<[](const WarpContext&, u32 l) { return ~(((1u << l) - 1) | (1u << l)); }>},
    Named{"%lanemask_ge", 32, by_lane<[](const WarpContext&, u32 l) { return ~((1u << l) - 1); }>},
    Named{"%clock", 32, clock<u32, [](const WarpContext& w) { return w.now; }>},
    Named{"%clock_hi", 32, clock<u32, [](const WarpContext& w) { return (w.now >> 32); }>},
    Named{"%clock64", 64, clock<u64, [](const WarpContext& w) { return w.now; }>},
    Named{"%globaltimer", 64, clock<u64, [](const WarpContext& w) { return nanoseconds(w); }>},
    Named{"%globaltimer_lo", 32, clock<u32, [](const WarpContext& w) { return nanoseconds(w); }>},
    Named{"%globaltimer_hi", 32,
          clock<u32, [](const WarpContext& w) { return (nanoseconds(w) >> 32); }>},
    // Here cooperative groups find the workspace of grid.sync(): %envreg1 is its upper half.
    Named{"%envreg1", 32,
          kU32<[](const WarpContext& w) { return (w.block->grid->sync_workspace >> 32); }>},
    Named{"%envreg2", 32, kU32<[](const WarpContext& w) { return w.block->grid->sync_workspace; }>},
    Named{"%dynamic_smem_size", 32,
          kU32<[](const WarpContext& w) { return w.block->grid->dynamic_shared_bytes; }>},
    Named{"%total_smem_size", 32, kU32<[](const WarpContext& w) { return w.block->shared_bytes; }>},
    Named{"%aggr_smem_size", 32, kU32<[](const WarpContext& w) { return w.block->shared_bytes; }>},
    Named{"WARP_SZ", 32, kU32<[](const WarpContext&) { return kWarpSize; }>},
    // Every block is a cluster of its own.
    Named{"%clusterid.x", 32, kU32<[](const WarpContext& w) { return w.block->index.x; }>},
    Named{"%clusterid.y", 32, kU32<[](const WarpContext& w) { return w.block->index.y; }>},
    Named{"%clusterid.z", 32, kU32<[](const WarpContext& w) { return w.block->index.z; }>},
    Named{"%nclusterid.x", 32, kU32<[](const WarpContext& w) { return grid_size(w).x; }>},
    Named{"%nclusterid.y", 32, kU32<[](const WarpContext& w) { return grid_size(w).y; }>},
    Named{"%nclusterid.z", 32, kU32<[](const WarpContext& w) { return grid_size(w).z; }>},
};

constexpr u32 zero(const WarpContext&) { return 0; }
constexpr u32 one(const WarpContext&) { return 1; }
constexpr u32 half_of_reserved(const WarpContext&) { return kReservedSharedBytes / 2; }
constexpr u32 all_of_reserved(const WarpContext&) { return kReservedSharedBytes; }

bool begins_with_any(std::string_view name, std::initializer_list<std::string_view> starts) {
  for (std::string_view start : starts) {
    if (name.starts_with(start)) return true;
  }
  return false;
}

}  // namespace

Execute select_special_register(std::string_view name, unsigned* bits) {
  for (const Named& entry : kRegisters) {
    if (entry.name == name) return *bits = entry.bits, entry.execute;
  }
  if (name.ends_with(".w") && begins_with_any(name, {"%tid", "%ctaid", "%clusterid"})) {
    return *bits = 32, kU32<zero>;
  }
  if (name.ends_with(".w") && begins_with_any(name, {"%ntid", "%nctaid", "%nclusterid"})) {
    return *bits = 32, kU32<one>;
  }
  // A cluster of one block: its coordinates and rank are 0, its size 1.
  if (begins_with_any(name, {"%cluster_nctaid.", "%cluster_nctarank"})) {
    return *bits = 32, kU32<one>;
  }
  if (begins_with_any(name, {"%cluster_ctaid.", "%cluster_ctarank"})) return *bits = 32, kU32<zero>;
  if (name.starts_with("%pm") && name.ends_with("_64")) return *bits = 64, kU64<zero>;
  // At the second offset cooperative groups keep the barriers of tiles with several warps.
  if (name == "%reserved_smem_offset_1") return *bits = 32, kU32<half_of_reserved>;
  if (begins_with_any(name, {"%reserved_smem_offset_end", "%reserved_smem_offset_cap"})) {
    return *bits = 32, kU32<all_of_reserved>;
  }
  if (begins_with_any(name, {"%envreg", "%pm", "%reserved_smem_offset"})) {
    return *bits = 32, kU32<zero>;
  }
  if (name == "%current_graph_exec") return *bits = 64, kU64<zero>;
  return nullptr;
}

}  // namespace raddle::isa
