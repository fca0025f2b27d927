// 9.7.9 Data movement and conversion, without cvt.
#include "isa/lower/access_words.h"
#include "isa/lower/rows.h"
#include "isa/semantics/memory.h"
#include "isa/semantics/movement.h"
#include "isa/table.h"

namespace raddle::isa {
namespace {

// For ld and st, the choice of semantics also depends on operands: lower/memory.cpp.
#define RADDLE_MEMORY_TYPES \
  "{.v2|.v4|.v8}(.b8|.b16|.b32|.b64|.b128|.u8|.u16|.u32|.u64|.s8|.s16|.s32|.s64|.f32|.f64)"
#define RADDLE_EVICTION                                                                        \
  "{.L1::evict_normal|.L1::evict_unchanged|.L1::evict_first|.L1::evict_last|.L1::no_allocate}" \
  "{.L2::evict_normal|.L2::evict_first|.L2::evict_last}{.L2::cache_hint}"

constexpr OperandForm kMove = {"d a", lower_mov, kTakesSymbols | kTakesSpecials | kTakesPacked};

const Row kRows[] = {
    {"mov", "(.pred|.b16|.b32|.b64|.b128|.u16|.u32|.u64|.s16|.s32|.s64|.f32|.f64)", kMove,
     Class::move, Kind::compute, select_mov, "9.7.9.3"},
    {"mov", "(.v2)(.b16|.b32|.b64|.u16|.u32|.u64|.s16|.s32|.s64|.f32|.f64)", kMove, Class::move,
     Kind::compute, select_mov, "9.7.9.3"},
    {"mov", "(.v4)(.b16|.b32|.u16|.u32|.s16|.s32|.f32)", kMove, Class::move, Kind::compute,
     select_mov, "9.7.9.3"},
    {"shfl", ".sync(.up|.down|.bfly|.idx)(.b32)", "d|p a:b32 b:b32 c:b32 e:b32", Class::shuffle,
     Kind::warp_sync, select_shfl, "9.7.9.6"},
    {"shfl", "(.up|.down|.bfly|.idx)(.b32)", "d|p a:b32 b:b32 c:b32", Class::shuffle, Kind::compute,
     select_shfl, "9.7.9.5", "", kReadsLanes},
    {"ld",
     "{.weak|.volatile|.relaxed|.acquire|.mmio.relaxed}{.cta|.cluster|.gpu|.sys}"
     "{.const|.global|.local|.param|.param::entry|.param::func|.shared|.shared::cta|.shared::"
     "cluster}"
     "{.ca|.cg|.cs|.lu|.cv}{.nc}" RADDLE_EVICTION
     "{.L2::64B|.L2::128B|.L2::256B}" RADDLE_MEMORY_TYPES,
     lower_load, Class::load_store, Kind::memory, nullptr, "9.7.9.8", kAccessWords},
    {"ldu", "{.global}" RADDLE_MEMORY_TYPES, lower_uniform_load, Class::load_store, Kind::memory,
     nullptr, "9.7.9.10"},
    {"st",
     "{.weak|.volatile|.relaxed|.release|.mmio.relaxed}{.cta|.cluster|.gpu|.sys}"
     "{.global|.local|.param|.param::func|.shared|.shared::cta|.shared::cluster}"
     "{.wb|.cg|.cs|.wt}" RADDLE_EVICTION RADDLE_MEMORY_TYPES,
     lower_store, Class::load_store, Kind::memory, nullptr, "9.7.9.11", kAccessWords},
    {"prefetch",
     "{.global|.local}(.L1|.L2)",
     {"[a]", lower_prefetch},
     Class::control,
     Kind::compute,
     nullptr,
     "9.7.9.15"},
    {"prefetch",
     "{.global}(.L2::evict_last|.L2::evict_normal)",
     {"[a]", lower_prefetch},
     Class::control,
     Kind::compute,
     nullptr,
     "9.7.9.15"},
    {"prefetchu",
     ".L1",
     {"[a]", lower_prefetch},
     Class::control,
     Kind::compute,
     nullptr,
     "9.7.9.15"},
    {"applypriority", "{.global}.L2::evict_normal", lower_line_hint, Class::load_store,
     Kind::memory, [](const Form&) { return Execute{execute_applypriority}; }, "9.7.9.16"},
    {"discard", "{.global}.L2", lower_line_hint, Class::load_store, Kind::memory,
     [](const Form&) { return Execute{execute_discard}; }, "9.7.9.17"},
    {"createpolicy",
     "[.fractional](.L2::evict_last|.L2::evict_normal|.L2::evict_first|.L2::evict_unchanged)"
     "{.L2::evict_first|.L2::evict_unchanged}(.b64)",
     lower_fraction_policy, Class::move, Kind::compute, select_zero_policy, "9.7.9.18"},
    {"createpolicy",
     "[.range]{.global}(.L2::evict_last|.L2::evict_normal|.L2::evict_first|.L2::evict_unchanged)"
     "{.L2::evict_first|.L2::evict_unchanged}(.b64)",
     {"d:u64 [a] b:u32 c:u32", lower_policy, kTakesNarrow},
     Class::move,
     Kind::compute,
     select_zero_policy,
     "9.7.9.18"},
    {"createpolicy",
     "[.cvt].L2(.b64)",
     {"d:u64 a:u64", lower_policy},
     Class::move,
     Kind::compute,
     select_zero_policy,
     "9.7.9.18"},
    {"isspacep",
     "(.const|.global|.local|.shared|.shared::cta|.shared::cluster|.param|.param::entry)",
     {"p a:u64", nullptr, kTakesNarrow},
     Class::int_compare,
     Kind::compute,
     select_isspacep,
     "9.7.9.19"},
    {"cvta",
     "{.to}(.const|.global|.local|.shared|.shared::cta|.shared::cluster|.param|.param::entry)(."
     "u64)",
     {"d a", lower_cvta, kTakesSymbols},
     Class::int_add,
     Kind::compute,
     select_cvta,
     "9.7.9.20"},
    {"mapa",
     "{.shared::cluster}(.u32|.u64|.s32|.s64)",
     {"d a b:u32", lower_cluster_address, kTakesSymbols},
     Class::move,
     Kind::compute,
     select_mapa,
     "9.7.9.24"},
    {"getctarank",
     "{.shared::cluster}(.u32|.u64|.s32|.s64)",
     {"d:u32 a", lower_rank, kTakesSymbols},
     Class::move,
     Kind::compute,
     nullptr,
     "9.7.9.25"},
    {"cp",
     "[.async](.ca|.cg)(.shared|.shared::cta).global{.L2::cache_hint}{.L2::64B|.L2::128B|.L2::"
     "256B}",
     {lower_cp_async, kTakesNarrow},
     Class::load_store,
     Kind::memory,
     nullptr,
     "9.7.9.25.3.1"},
    {"cp",
     "[.async](.commit_group|.wait_all)",
     {"", lower_ignored},
     Class::control,
     Kind::compute,
     nullptr,
     "9.7.9.25.3.2"},
    {"cp",
     "[.async].wait_group",
     {"#a", lower_ignored},
     Class::control,
     Kind::compute,
     nullptr,
     "9.7.9.25.3.3"},
};

}  // namespace

std::span<const Row> data_movement_rows() { return kRows; }

}  // namespace raddle::isa
