// 9.7.14 Warp-level matrix multiply-accumulate: lower/matrix.cpp.
#include "isa/semantics/matrix.h"
#include "isa/lower/rows.h"
#include "isa/table.h"

namespace raddle::isa {
namespace {

#define RADDLE_SHARED "{.shared|.shared::cta}"
#define RADDLE_GLOBAL_OR_SHARED "{.global|.shared|.shared::cta}"
#define RADDLE_TILES "(.m16n16k16|.m32n8k16|.m8n32k16)"
#define RADDLE_BYTES "(.s8|.u8)"
#define RADDLE_NIBBLES "(.s4|.u4)"
#define RADDLE_FP8 "(.e4m3|.e5m2)"

constexpr Class kTensor = Class::tensor;
constexpr Kind kSync = Kind::warp_sync;

#define RADDLE_MMA(syntax) \
  {"mma", ".sync.aligned" syntax, lower_mma, kTensor, kSync, nullptr, "9.7.14.4.14"}
#define RADDLE_MMA_SP(syntax)                                       \
  {"mma",        "(.sp|.sp::ordered_metadata).sync.aligned" syntax, \
   lower_mma,    kTensor,                                           \
   kSync,        nullptr,                                           \
   "9.7.14.5.13"}
#define RADDLE_WMMA(syntax) {"wmma", syntax, lower_wmma, kTensor, kSync, nullptr, "9.7.14.3.5"}
#define RADDLE_WMMA_LOAD(syntax) \
  {"wmma", syntax, lower_wmma_load, Class::load_store, Kind::memory, nullptr, "9.7.14.3.3"}
#define RADDLE_WMMA_STORE(syntax) \
  {"wmma", syntax, lower_wmma_store, Class::load_store, Kind::memory, nullptr, "9.7.14.3.4"}

const Row kRows[] = {
    RADDLE_WMMA_LOAD(".load(.a|.b).sync{.aligned}(.row|.col)" RADDLE_TILES RADDLE_GLOBAL_OR_SHARED
                     "(.f16|.bf16|.s8|.u8)"),
    RADDLE_WMMA_LOAD(".load(.a|.b).sync{.aligned}(.row|.col).m16n16k8" RADDLE_GLOBAL_OR_SHARED
                     ".tf32"),
    RADDLE_WMMA_LOAD(".load(.a|.b).sync{.aligned}(.row|.col).m8n8k4" RADDLE_GLOBAL_OR_SHARED
                     ".f64"),
    RADDLE_WMMA_LOAD(".load.a.sync{.aligned}.row.m8n8k32" RADDLE_GLOBAL_OR_SHARED RADDLE_NIBBLES),
    RADDLE_WMMA_LOAD(".load.b.sync{.aligned}.col.m8n8k32" RADDLE_GLOBAL_OR_SHARED RADDLE_NIBBLES),
    RADDLE_WMMA_LOAD(".load.a.sync{.aligned}.row.m8n8k128" RADDLE_GLOBAL_OR_SHARED ".b1"),
    RADDLE_WMMA_LOAD(".load.b.sync{.aligned}.col.m8n8k128" RADDLE_GLOBAL_OR_SHARED ".b1"),
    RADDLE_WMMA_LOAD(".load.c.sync{.aligned}(.row|.col)" RADDLE_TILES RADDLE_GLOBAL_OR_SHARED
                     "(.f16|.f32|.s32)"),
    RADDLE_WMMA_LOAD(".load.c.sync{.aligned}(.row|.col).m16n16k8" RADDLE_GLOBAL_OR_SHARED ".f32"),
    RADDLE_WMMA_LOAD(".load.c.sync{.aligned}(.row|.col).m8n8k4" RADDLE_GLOBAL_OR_SHARED ".f64"),
    RADDLE_WMMA_LOAD(".load.c.sync{.aligned}(.row|.col)(.m8n8k32|.m8n8k128)" RADDLE_GLOBAL_OR_SHARED
                     ".s32"),
    RADDLE_WMMA_STORE(".store.d.sync{.aligned}(.row|.col)" RADDLE_TILES RADDLE_GLOBAL_OR_SHARED
                      "(.f16|.f32|.s32)"),
    RADDLE_WMMA_STORE(".store.d.sync{.aligned}(.row|.col).m16n16k8" RADDLE_GLOBAL_OR_SHARED ".f32"),
    RADDLE_WMMA_STORE(".store.d.sync{.aligned}(.row|.col).m8n8k4" RADDLE_GLOBAL_OR_SHARED ".f64"),
    RADDLE_WMMA_STORE(
        ".store.d.sync{.aligned}(.row|.col)(.m8n8k32|.m8n8k128)" RADDLE_GLOBAL_OR_SHARED ".s32"),

    RADDLE_WMMA(".mma.sync{.aligned}(.row|.col)(.row|.col)" RADDLE_TILES
                "(.f16|.f32)(.f16|.f32){.satfinite}"),
    RADDLE_WMMA(".mma.sync{.aligned}(.row|.col)(.row|.col)" RADDLE_TILES ".f32.bf16.bf16.f32"),
    RADDLE_WMMA(".mma.sync{.aligned}(.row|.col)(.row|.col).m16n16k8.f32.tf32.tf32.f32"),
    RADDLE_WMMA(
        ".mma.sync{.aligned}(.row|.col)(.row|.col).m8n8k4{.rn|.rz|.rm|.rp}.f64.f64.f64.f64"),
    RADDLE_WMMA(".mma.sync{.aligned}(.row|.col)(.row|.col)" RADDLE_TILES
                ".s32.s8.s8.s32{.satfinite}"),
    RADDLE_WMMA(".mma.sync{.aligned}(.row|.col)(.row|.col)" RADDLE_TILES
                ".s32.u8.u8.s32{.satfinite}"),
    RADDLE_WMMA(".mma.sync{.aligned}.row.col.m8n8k32.s32.s4.s4.s32{.satfinite}"),
    RADDLE_WMMA(".mma.sync{.aligned}.row.col.m8n8k32.s32.u4.u4.s32{.satfinite}"),
    RADDLE_WMMA(".mma(.xor|.and).popc.sync{.aligned}.row.col.m8n8k128.s32.b1.b1.s32"),

    RADDLE_MMA(".m8n8k4(.row|.col)(.row|.col).f32.f16.f16(.f16|.f32)"),
    RADDLE_MMA(".m8n8k4(.row|.col)(.row|.col).f16.f16.f16.f16"),
    RADDLE_MMA("(.m16n8k8|.m16n8k16).row.col.f16.f16.f16.f16"),
    RADDLE_MMA("(.m16n8k8|.m16n8k16).row.col.f32.f16.f16.f32"),
    RADDLE_MMA("(.m16n8k8|.m16n8k16).row.col.f32.bf16.bf16.f32"),
    RADDLE_MMA("(.m16n8k4|.m16n8k8).row.col.f32.tf32.tf32.f32"),
    RADDLE_MMA("(.m16n8k16|.m16n8k32).row.col.f32" RADDLE_FP8 RADDLE_FP8 ".f32"),
    RADDLE_MMA("(.m16n8k16|.m16n8k32).row.col.f16" RADDLE_FP8 RADDLE_FP8 ".f16"),
    RADDLE_MMA("(.m8n8k4|.m16n8k4|.m16n8k8|.m16n8k16).row.col{.rn|.rz|.rm|.rp}.f64.f64.f64.f64"),
    RADDLE_MMA("(.m8n8k16|.m16n8k16|.m16n8k32).row.col{.satfinite}.s32" RADDLE_BYTES RADDLE_BYTES
               ".s32"),
    RADDLE_MMA(
        "(.m8n8k32|.m16n8k32|.m16n8k64).row.col{.satfinite}.s32" RADDLE_NIBBLES RADDLE_NIBBLES
        ".s32"),
    RADDLE_MMA("(.m8n8k128|.m16n8k128|.m16n8k256).row.col.s32.b1.b1.s32(.xor|.and).popc"),

    RADDLE_MMA_SP("(.m16n8k16|.m16n8k32).row.col.f16.f16.f16.f16"),
    RADDLE_MMA_SP("(.m16n8k16|.m16n8k32).row.col.f32.f16.f16.f32"),
    RADDLE_MMA_SP("(.m16n8k16|.m16n8k32).row.col.f32.bf16.bf16.f32"),
    RADDLE_MMA_SP("(.m16n8k8|.m16n8k16).row.col.f32.tf32.tf32.f32"),
    RADDLE_MMA_SP(".m16n8k64.row.col.f32" RADDLE_FP8 RADDLE_FP8 ".f32"),
    RADDLE_MMA_SP(".m16n8k64.row.col.f16" RADDLE_FP8 RADDLE_FP8 ".f16"),
    RADDLE_MMA_SP("(.m16n8k32|.m16n8k64).row.col{.satfinite}.s32" RADDLE_BYTES RADDLE_BYTES ".s32"),
    RADDLE_MMA_SP("(.m16n8k64|.m16n8k128).row.col{.satfinite}.s32" RADDLE_NIBBLES RADDLE_NIBBLES
                  ".s32"),

    {"ldmatrix",
     ".sync.aligned.m8n8(.x1|.x2|.x4){.trans}" RADDLE_SHARED ".b16",
     {lower_ldmatrix, kTakesNarrow},
     Class::shared_memory,
     Kind::memory,
     nullptr,
     "9.7.14.4.15"},
    {"stmatrix",
     ".sync.aligned.m8n8(.x1|.x2|.x4){.trans}" RADDLE_SHARED ".b16",
     {lower_stmatrix, kTakesNarrow},
     Class::shared_memory,
     Kind::memory,
     nullptr,
     "9.7.14.4.16"},
    {"movmatrix", ".sync.aligned.m8n8.trans.b16", lower_movmatrix, Class::shuffle, kSync, nullptr,
     "9.7.14.4.17"},
};

#undef RADDLE_SHARED
#undef RADDLE_GLOBAL_OR_SHARED
#undef RADDLE_TILES
#undef RADDLE_BYTES
#undef RADDLE_NIBBLES
#undef RADDLE_FP8
#undef RADDLE_MMA
#undef RADDLE_MMA_SP
#undef RADDLE_WMMA
#undef RADDLE_WMMA_LOAD
#undef RADDLE_WMMA_STORE

}  // namespace

std::span<const Row> matrix_rows() { return kRows; }

}  // namespace raddle::isa
