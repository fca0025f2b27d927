// raddle refuses the directives that ptxas 13.0 refuses, and accepts those that it accepts.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <ostream>

#include "base/error.h"
#include "isa/loader.h"
#include "memory/address_space.h"

namespace raddle::tests {
namespace {

struct Module {
  bool taken;
  const char *version, *target, *before, *directives, *body;
};

std::ostream& operator<<(std::ostream& out, const Module& one) {
  return out << one.version << ' ' << one.target << ' ' << one.before << ' ' << one.directives
             << " { " << one.body << " }";
}

constexpr const char* kManaged = ".global .attribute(.managed) .s32 g;";
constexpr const char* kAlias = ".func a() { ret; } .func b(); .alias b, a;";
constexpr const char* kNoReturn = ".func f() .noreturn { trap; }";

constexpr const char* kWord = ".func f(.param .b32 x) { ret; }";
constexpr const char* kStruct = ".func f(.param .align 8 .b8 x[16]) { ret; }";
constexpr const char* kResult = ".func (.param .b32 r) f() { ret; }";
#define PROTOTYPE "p: .callprototype _ (.param .b32 _);"
#define MBARRIER ".shared .b64 m; .reg .b64 s; "

constexpr Module kModules[] = {
    {false, "8.0", "sm_90", "", ".reqnctapercluster 2, 1, 1 .maxclusterrank 4", ""},
    {true, "8.0", "sm_90", "", ".reqnctapercluster 2, 1, 1", ""},
    {true, "8.0", "sm_90", "", ".maxclusterrank 4", ""},
    {false, "8.0", "sm_80", "", ".reqnctapercluster 2, 1, 1", ""},
    {false, "8.0", "sm_80", "", ".maxclusterrank 4", ""},
    {false, "8.0", "sm_80", "", ".explicitcluster", ""},
    {false, "7.7", "sm_80", "", ".explicitcluster", ""},
    {true, "9.0", "sm_90", "", ".blocksareclusters .reqntid 32 .reqnctapercluster 1", ""},
    {false, "8.8", "sm_90", "", ".blocksareclusters .reqntid 32 .reqnctapercluster 1", ""},
    {false, "9.0", "sm_80", "", ".blocksareclusters .reqntid 32 .reqnctapercluster 1", ""},
    {false, "9.0", "sm_90", "", ".blocksareclusters .reqntid 32", ""},
    {false, "9.0", "sm_90", "", ".blocksareclusters .reqnctapercluster 1", ""},
    {false, "8.0", "sm_90, map_f64_to_f32", "", "", ""},
    {true, "4.0", "sm_50, texmode_unified", "", "", ""},
    {false, "4.0", "sm_50, foo", "", "", ""},
    {false, "9.0", "sm_80", "", ".noreturn", ""},
    {false, "9.0", "sm_80", "", ".minnctapersm 0", ""},
    {true, "9.0", "sm_80", "", ".minnctapersm 2", ""},
    {false, "9.0", "sm_80", "", ".maxnreg 0", ""},
    {false, "9.0", "sm_80", "", ".maxnctapersm 2", ""},
    {true, "6.4", "sm_30", kNoReturn, "", ""},
    {false, "6.3", "sm_70", kNoReturn, "", ""},
    {false, "6.4", "sm_20", kNoReturn, "", ""},
    {true, "6.3", "sm_30", kAlias, "", ""},
    {false, "6.2", "sm_30", kAlias, "", ""},
    {false, "6.4", "sm_20", kAlias, "", ""},
    {true, "4.0", "sm_30", kManaged, "", ""},
    {false, "3.2", "sm_30", kManaged, "", ""},
    {false, "4.0", "sm_20", kManaged, "", ""},
    {true, "9.0", "sm_90", ".pragma \"nounroll\";", "", ""},
    {false, "9.0", "sm_90", ".pragma \"foo\";", "", ""},
    {true, "9.0", "sm_90", "", ".pragma \"foo\";", ""},
    {true, "9.0", "sm_90", "", "", ".pragma \"foo\";"},
    {false, "9.0", "sm_90", "", ".pragma \"used_bytes_mask 0xfff\";", ""},
    {true, "9.0", "sm_90", "", "", ".pragma \"used_bytes_mask 0xfff\";"},
    {true, "9.0", "sm_90", ".const .b8 a[1]; .const .align 16 .b8 c[65520];", "", ""},
    {false, "9.0", "sm_90", ".const .b8 a[1]; .const .align 16 .b8 c[65521];", "", ""},
    {true, "9.0", "sm_90", ".const .align 16 .b8 c[65521]; .const .b8 a[1];", "", ""},
    {false, "9.0", "sm_90", "", "", ";"},
    // First targets of what is not carried out.
    {true, "9.0", "sm_90a", "", "", "wgmma.fence.sync.aligned;"},
    {false, "9.0", "sm_100a", "", "", "wgmma.fence.sync.aligned;"},
    {true, "9.0", "sm_100a", "", "", "tcgen05.wait::ld.sync.aligned;"},
    {false, "9.0", "sm_120a", "", "", "tcgen05.wait::ld.sync.aligned;"},
    {true, "9.0", "sm_90", "", "", "cp.async.bulk.commit_group;"},
    {false, "9.0", "sm_75", "", "", "cp.async.bulk.commit_group;"},
    {false, "9.0", "sm_80", "", "", "fence.proxy.tensormap::generic.release.gpu;"},
    {true, "8.3", "sm_90", "", "", "fence.proxy.tensormap::generic.release.gpu;"},
    {true, "9.0", "sm_80", "", "",
     ".reg .b64 t; .reg .f32 f<4>; .reg .b32 r; tex.2dms.v4.f32.s32 {f0, f1, f2, f3}, "
     "[t, {r, r, r, r}];"},

    // Versions.
    {true, "9.0", "sm_80", "", "", ""},
    {false, "9.1", "sm_80", "", "", ""},
    {false, "10.0", "sm_80", "", "", ""},
    {false, "8.9", "sm_80", "", "", ""},
    // Types of variables.
    {true, "9.0", "sm_80", ".global .f16x2 g; .global .f16 h;", "", ""},
    {false, "9.0", "sm_80", ".global .bf16 g;", "", ""},
    {false, "9.0", "sm_80", "", "", ".reg .bf16x2 x;"},
    {false, "9.0", "sm_80", "", "", ".reg .tf32 x;"},
    {false, "9.0", "sm_80", "", "", ".reg .e4m3x2 x;"},
    {false, "9.0", "sm_80", "", "", ".reg .s16x2 x;"},
    {true, "8.3", "sm_80", ".global .b128 g;", "", ".reg .b128 x;"},
    {false, "8.2", "sm_80", ".global .b128 g;", "", ""},
    {false, "8.2", "sm_80", "", "", ".reg .b128 x;"},
    {false, "8.3", "sm_60", "", "", ".reg .b128 x;"},
    {true, "8.0", "sm_53", "", "", ".reg .f16x2 x;"},
    {false, "8.0", "sm_52", "", "", ".reg .f16x2 x;"},
    {false, "9.0", "sm_80", ".func f(.param .f16x2 x) { ret; }", "", ""},
    {false, "9.0", "sm_80", ".func f(.param .v2 .b32 x) { ret; }", "", ""},
    {true, "9.0", "sm_80", ".func f(.reg .v2 .b32 x) { ret; }", "", ""},
    {true, "9.0", "sm_80", ".entry e(.param .texref t) { ret; }", "", ""},
    {false, "9.0", "sm_80", ".func f(.param .texref t) { ret; }", "", ""},
    {true, "9.0", "sm_80", ".global .b32 g = 1.0; .global .b64 h = 1.0;", "", ""},
    {false, "9.0", "sm_80", ".global .u32 g = 1.0;", "", ""},
    // Where variables are.
    {false, "9.0", "sm_80", ".local .b32 x;", "", ""},
    {true, "9.0", "sm_80", ".common .global .b32 x;", "", ""},
    {false, "9.0", "sm_80", ".common .shared .b32 x;", "", ""},
    {false, "9.0", "sm_80", ".extern .global .b32 x; .global .b32 x;", "", ""},
    {true, "9.0", "sm_80", ".extern .global .b32 x; .visible .global .b32 x;", "", ""},
    {false, "9.0", "sm_80", ".func f(.param .align 256 .b8 x[4]) { ret; }", "", ""},
    {true, "9.0", "sm_80", ".func f(.param .b8 x[]) { ret; }", "", ""},
    {false, "9.0", "sm_80", ".entry e(.param .b8 x[]) { ret; }", "", ""},
    // Shared memory: a function's own variables count, those of others only where they are used.
    {true, "9.0", "sm_80", ".shared .b8 s[49153];", "", ""},
    {true, "9.0", "sm_80", "", "", ".shared .b8 s[49152];"},
    {false, "9.0", "sm_80", "", "", ".shared .b8 s[49153];"},
    {true, "9.0", "sm_80", ".func f() { .shared .b8 s[49153]; ret; }", "", ""},
    {false, "9.0", "sm_80", ".func f() { .shared .b8 s[49153]; ret; }", "", "call f;"},
    {true, "9.0", "sm_80", ".shared .b8 s[40000];", "", ".shared .b8 t[40000];"},
    // Arrays of textures.
    {true, "9.0", "sm_80", ".global .texref t[4]; .global .surfref s[2][2];", "", ""},
    {true, "9.0", "sm_80", ".global .texref t[2] = {{width = 4}, {height = 2}};", "", ""},
    {false, "9.0", "sm_80", ".global .texref t[];", "", ""},
    // Functions and their declarations.
    {false, "9.0", "sm_80", ".func f() .maxnreg 32 { ret; }", "", ""},
    {false, "9.0", "sm_80", ".func f() .minnctapersm 2 { ret; }", "", ""},
    {false, "9.0", "sm_80", "", ".abi_preserve 8", ""},
    {true, "9.0", "sm_80", ".func f() .abi_preserve 8 { ret; }", "", ""},
    {false, "8.8", "sm_80", ".func f() .abi_preserve 8 { ret; }", "", ""},
    {false, "9.0", "sm_80", ".func (.param .b32 a, .param .b32 b) f() { ret; }", "", ""},
    {true, "9.0", "sm_80", ".func (.reg .b32 a, .reg .b32 b) f() { ret; }", "", ""},
    {true, "9.0", "sm_80", ".visible .func f(); .func f() { ret; }", "", ""},
    {false, "9.0", "sm_80", ".extern .func f(); .visible .func f() { ret; }", "", ""},
    {false, "9.0", "sm_80", ".func f(); .visible .func f() { ret; }", "", ""},
    {false, "9.0", "sm_80", ".func f(); .func f() { ret; } .func f();", "", ""},
    {false, "9.0", "sm_80", ".func f(.param .b32 x); .func f(.param .u32 x) { ret; }", "", ""},
    {false, "9.0", "sm_80", ".func f() .noreturn; .func f() { trap; }", "", ""},
    // Calls: what they pass against what the function has.
    {true, "9.0", "sm_80", kWord, "", ".param .u32 a; call f, (a);"},
    {true, "9.0", "sm_80", kWord, "", ".param .f32 a; call f, (a);"},
    {false, "9.0", "sm_80", kWord, "", ".param .b64 a; call f, (a);"},
    {false, "9.0", "sm_80", kWord, "", ".param .align 4 .b8 a[4]; call f, (a);"},
    {false, "9.0", "sm_80", kWord, "", ".local .b32 a; call f, (a);"},
    {true, "9.0", "sm_80", kWord, "", "call f, (5.0);"},
    {false, "9.0", "sm_80", kWord, "", ".reg .b64 r; call f, (r);"},
    {false, "9.0", "sm_80", ".func f(.param .f32 x) { ret; }", "", ".param .u32 a; call f, (a);"},
    {false, "9.0", "sm_80", ".func f(.param .f32 x) { ret; }", "", "call f, (5);"},
    {false, "9.0", "sm_80", ".func f(.param .b8 x) { ret; }", "", ".reg .b16 r; call f, (r);"},
    {true, "9.0", "sm_80", kStruct, "", ".param .align 8 .b8 a[16]; call f, (a);"},
    {true, "9.0", "sm_80", kStruct, "", ".param .align 8 .b32 a[4]; call f, (a);"},
    {false, "9.0", "sm_80", kStruct, "", ".param .align 8 .b8 a[12]; call f, (a);"},
    {false, "9.0", "sm_80", kStruct, "", ".param .align 16 .b8 a[16]; call f, (a);"},
    {false, "9.0", "sm_80", kStruct, "", ".param .align 4 .b8 a[16]; call f, (a);"},
    {true, "9.0", "sm_80", kResult, "", ".param .b32 a; call (a), f;"},
    {false, "9.0", "sm_80", kResult, "", ".param .b64 a; call (a), f;"},
    {false, "9.0", "sm_80", kResult, "", ".param .align 8 .b32 a; call (a), f;"},
    {true, "9.0", "sm_80", "", "", ".reg .b64 r; .param .b32 a; " PROTOTYPE " call r, (a), p;"},
    {false, "9.0", "sm_80", "", "", ".reg .b64 r; .param .b64 a; " PROTOTYPE " call r, (a), p;"},
    {false, "9.0", "sm_80", kWord, "", ".param .b32 a; " PROTOTYPE " call f, (a), p;"},
    {false, "9.0", "sm_80", ".func f() { ret; } .func g(.param .b32 x) { ret; }", "",
     ".reg .b64 r; t: .calltargets f, g; call r, t;"},
    // Vectors, conversions and addresses.
    {true, "9.0", "sm_90", "", "", ".reg .b32 a, b; mov.v2.b32 {a, b}, {b, a};"},
    {false, "9.0", "sm_90", "", "", ".reg .b32 a, b; mov.b64 {a, b}, {b, a};"},
    {true, "9.0", "sm_90", "", "", ".reg .b16 a; .reg .f32 f; cvt.rn.relu.bf16.f32 a, f;"},
    {false, "9.0", "sm_90", "", "", ".reg .b16 a; .reg .f32 f; cvt.rn.sat.bf16.f32 a, f;"},
    {false, "9.0", "sm_90", "", "", ".reg .b16 a; .reg .f32 f; cvt.sat.f32.bf16 f, a;"},
    {true, "9.0", "sm_90", "", "", ".reg .b16 a; .reg .b32 r; cvt.rni.sat.s32.bf16 r, a;"},
    {true, "9.0", "sm_90", "", "", ".shared .b32 s; .reg .b64 a; cvta.shared.u64 a, s;"},
    {false, "9.0", "sm_90", "", "", ".shared .b32 s; .reg .b64 a; cvta.global.u64 a, s;"},
    {false, "9.0", "sm_90", "", "", ".shared .b32 s; .reg .b64 a; cvta.to.shared.u64 a, s;"},
    {false, "9.0", "sm_90", "", "", ".param .b32 s; .reg .b64 a; cvta.param.u64 a, s;"},
    {false, "9.0", "sm_90", ".global .b32 g;", "",
     ".reg .b64 a; mapa.shared::cluster.u64 a, g, 0;"},
    // mbarrier, form by form.
    {true, "8.0", "sm_80", "", "", MBARRIER "mbarrier.arrive.release.cta.shared::cta.b64 s, [m];"},
    {true, "8.0", "sm_80", "", "", MBARRIER "mbarrier.arrive_drop.release.cta.shared.b64 s, [m];"},
    {false, "7.8", "sm_80", "", "", MBARRIER "mbarrier.arrive.release.cta.shared::cta.b64 s, [m];"},
    {false, "8.0", "sm_80", "", "",
     MBARRIER "mbarrier.arrive.release.cta.shared::cta.b64 s, [m], 1;"},
    {false, "8.0", "sm_80", "", "",
     MBARRIER "mbarrier.arrive.release.cluster.shared::cta.b64 s, [m];"},
    {false, "7.0", "sm_80", "", "", MBARRIER "mbarrier.arrive.shared.b64 _, [m];"},
    {true, "7.1", "sm_80", "", "", MBARRIER "mbarrier.arrive.shared.b64 _, [m];"},
    {false, "8.5", "sm_90", "", "", MBARRIER "mbarrier.arrive.relaxed.cta.shared.b64 s, [m];"},
    {true, "8.6", "sm_90", "", "", MBARRIER "mbarrier.arrive.relaxed.cta.shared.b64 s, [m];"},
    // Modes of the target, and what stands once.
    {false, "9.0", "sm_90, debug", "", "", ""},
    {true, "9.0", "sm_90, debug", ".section .debug_str { .b8 1 }", "", ""},
    {true, "9.0", "sm_90, debug", ".section .debug_info { }", "", ""},
    {false, "9.0", "sm_90, texmode_unified, texmode_independent", "", "", ""},
    {false, "9.0", "sm_90", ".target sm_90", "", ""},
    {false, "9.0", "sm_90", ".address_size 64", "", ""},
    {false, "9.0", "sm_90", ".func f() { ret; } .target sm_90", "", ""},
    {false, "9.0", "sm_90", ".func f() { ret; } .address_size 64", "", ""},
    // Sections.
    {true, "9.0", "sm_90", ".section .debug_info {  }", "", ""},
    {true, "9.0", "sm_90", ".section .debug_info { .b8 255 }", "", ""},
    {false, "9.0", "sm_90", ".section .debug_info { .b8 256 }", "", ""},
    {true, "9.0", "sm_90", ".section .debug_info { .b8 -128 }", "", ""},
    {false, "9.0", "sm_90", ".section .debug_info { .b8 -129 }", "", ""},
    {true, "9.0", "sm_90", ".section .debug_info { .b16 65535, 2 }", "", ""},
    {false, "9.0", "sm_90", ".section .debug_info { .b16 65536 }", "", ""},
    {true, "9.0", "sm_90", ".section .debug_info { .b32 4294967296 }", "", ""},
    {false, "9.0", "sm_90", ".section .debug_info { .b8 1, }", "", ""},
    {false, "9.0", "sm_90", ".section .debug_info { .b8 }", "", ""},
    {false, "9.0", "sm_90", ".section .debug_info { .b8 1; }", "", ""},
    {false, "9.0", "sm_90", ".section .debug_info { .b8 1.0 }", "", ""},
    {false, "9.0", "sm_90", ".section .debug_info { .b8 1+1 }", "", ""},
    {false, "9.0", "sm_90", ".section .debug_info { .b8 (1) }", "", ""},
    {false, "9.0", "sm_90", ".section .debug_info { .b8 \"a\" }", "", ""},
    {false, "9.0", "sm_90", ".section .debug_info { .u8 1 }", "", ""},
    {false, "9.0", "sm_90", ".section .debug_info { .b128 1 }", "", ""},
    {false, "9.0", "sm_90", ".section .debug_info { .f32 1.0 }", "", ""},
    {false, "9.0", "sm_90", ".section .debug_info { junk }", "", ""},
    {false, "9.0", "sm_90", ".section .debug_info { add.s32 a, b; }", "", ""},
    {false, "9.0", "sm_90", ".section .debug_info { { .b8 1 } }", "", ""},
    {true, "9.0", "sm_90", ".section .debug_info { l: .b32 l }", "", ""},
    {true, "9.0", "sm_90", ".section .debug_info { .b64 l+4 }", "", ""},
    {false, "9.0", "sm_90", ".section .debug_info { .b64 l-4 }", "", ""},
    {true, "9.0", "sm_90", ".section .debug_info { .b32 l-m }", "", ""},
    {false, "9.0", "sm_90", ".section .debug_info { .b16 l }", "", ""},
    {false, "9.0", "sm_90", ".section .debug_info { .b8 l }", "", ""},
    {false, "9.0", "sm_90", ".section .debug_info { .b32 1, l }", "", ""},
    {true, "9.0", "sm_90", ".section .debug_info { .b32 .debug_str+4 }", "", ""},
    {false, "9.0", "sm_90", ".section .debug_info { .b16 .debug_str }", "", ""},
    {false, "9.0", "sm_90", ".section .debug_info { .b64 .debug_str-4 }", "", ""},
    {true, "9.0", "sm_90", ".section .debug_info { .b32 1 .b32 2 }", "", ""},
    {false, "9.0", "sm_90", ".section .debug_info { .align 4 }", "", ""},
    {false, "9.0", "sm_90", ".section .debug_info { .loc 1 1 1 }", "", ""},
    {false, "9.0", "sm_90", ".section .debug_info", "", ""},
    // Declarations without a body.
    {false, "9.0", "sm_90", ".entry e;", "", ""},
    {false, "9.0", "sm_90", ".entry e();", "", ""},
    {false, "9.0", "sm_90", ".visible .entry e(.param .b32 x);", "", ""},
    {false, "9.0", "sm_90", ".weak .entry e;", "", ""},
    {true, "9.0", "sm_90", ".extern .entry e;", "", ""},
    {true, "9.0", "sm_90", ".entry e(); .entry e() { ret; }", "", ""},
    {false, "9.0", "sm_90", ".entry e .maxntid 32;", "", ""},
    {false, "9.0", "sm_90", ".func f();", "", ""},
    {false, "9.0", "sm_90", ".weak .func f();", "", ""},
    {true, "9.0", "sm_90", ".extern .func f();", "", ""},
    {true, "9.0", "sm_90", ".func f(); .func f() { ret; }", "", ""},
    // Vectors: of 128 bits at most, but for global memory from sm_100 on.
    {true, "9.0", "sm_90", "", "",
     ".reg .b32 r<9>; .reg .b64 d<9>; .reg .f32 f<9>; suld.b.2d.v2.b64.trap {d0, d1}, [d8, {r0, "
     "r1}];"},
    {false, "9.0", "sm_90", "", "",
     ".reg .b32 r<9>; .reg .b64 d<9>; .reg .f32 f<9>; suld.b.2d.v4.b64.trap {d0, d1, d2, d3}, [d8, "
     "{r0, r1}];"},
    {false, "9.0", "sm_100a", "", "",
     ".reg .b32 r<9>; .reg .b64 d<9>; .reg .f32 f<9>; suld.b.1d.v4.b64.trap {d0, d1, d2, d3}, [d8, "
     "{r0}];"},
    {false, "9.0", "sm_100a", "", "",
     ".reg .b32 r<9>; .reg .b64 d<9>; .reg .f32 f<9>; sust.b.a2d.v4.b64.trap [d8, {r0, r1, r2, "
     "r3}], {d0, d1, d2, d3};"},
    {true, "9.0", "sm_100a", "", "",
     ".reg .b32 r<9>; .reg .b64 d<9>; .reg .f32 f<9>; sust.b.1d.v2.b64.trap [d8, {r0}], {d0, d1};"},
    {true, "9.0", "sm_100a", "", "",
     ".reg .b32 r<9>; .reg .b64 d<9>; .reg .f32 f<9>; ld.global.v8.b32 {r0, r1, r2, r3, r4, r5, "
     "r6, r7}, [d8];"},
    {false, "9.0", "sm_90", "", "",
     ".reg .b32 r<9>; .reg .b64 d<9>; .reg .f32 f<9>; ld.global.v8.b32 {r0, r1, r2, r3, r4, r5, "
     "r6, r7}, [d8];"},
    {false, "9.0", "sm_100a", "", "",
     ".reg .b32 r<9>; .reg .b64 d<9>; .reg .f32 f<9>; ld.shared.v8.b32 {r0, r1, r2, r3, r4, r5, "
     "r6, r7}, [d8];"},
    {true, "9.0", "sm_100a", "", "",
     ".reg .b32 r<9>; .reg .b64 d<9>; .reg .f32 f<9>; ld.global.v4.b64 {d0, d1, d2, d3}, [d8];"},
    {false, "9.0", "sm_90", "", "",
     ".reg .b32 r<9>; .reg .b64 d<9>; .reg .f32 f<9>; st.global.v4.b64 [d8], {d0, d1, d2, d3};"},
    {true, "9.0", "sm_100a", "", "",
     ".reg .b32 r<9>; .reg .b64 d<9>; .reg .f32 f<9>; st.v8.b32 [d8], {r0, r1, r2, r3, r4, r5, r6, "
     "r7};"},
    // Lookups: gradients and offsets of the texture's dimensions; a scalar behind them is a depth.
    {true, "9.0", "sm_90", "", "",
     ".reg .b32 r<9>; .reg .b64 d<9>; .reg .f32 f<9>; tex.1d.v4.f32.f32 {f0, f1, f2, f3}, [d8, "
     "{f0}], f4;"},
    {true, "9.0", "sm_90", "", "",
     ".reg .b32 r<9>; .reg .b64 d<9>; .reg .f32 f<9>; tex.level.1d.v4.f32.f32 {f0, f1, f2, f3}, "
     "[d8, {f0}], f5, f4;"},
    {true, "9.0", "sm_90", "", "",
     ".reg .b32 r<9>; .reg .b64 d<9>; .reg .f32 f<9>; tex.a1d.v4.f32.f32 {f0, f1, f2, f3}, [d8, "
     "{r0, f1}], f4;"},
    {true, "9.0", "sm_90", "", "",
     ".reg .b32 r<9>; .reg .b64 d<9>; .reg .f32 f<9>; tex.2d.v4.f32.f32 {f0, f1, f2, f3}, [d8, "
     "{f0, f1}], f4;"},
    {false, "9.0", "sm_90", "", "",
     ".reg .b32 r<9>; .reg .b64 d<9>; .reg .f32 f<9>; tex.3d.v4.f32.f32 {f0, f1, f2, f3}, [d8, "
     "{f0, f1, f2, f3}], f4;"},
    {true, "9.0", "sm_90", "", "",
     ".reg .b32 r<9>; .reg .b64 d<9>; .reg .f32 f<9>; tex.1d.v4.f32.f32 {f0, f1, f2, f3}, [d8, "
     "{f0}], {r0};"},
    {true, "9.0", "sm_90", "", "",
     ".reg .b32 r<9>; .reg .b64 d<9>; .reg .f32 f<9>; tex.2d.v4.f32.f32 {f0, f1, f2, f3}, [d8, "
     "{f0, f1}], {r0, r1}, f4;"},
    {false, "9.0", "sm_90", "", "",
     ".reg .b32 r<9>; .reg .b64 d<9>; .reg .f32 f<9>; tex.2d.v4.f32.f32 {f0, f1, f2, f3}, [d8, "
     "{f0, f1}], {r0};"},
    {false, "9.0", "sm_90", "", "",
     ".reg .b32 r<9>; .reg .b64 d<9>; .reg .f32 f<9>; tex.2d.v4.f32.f32 {f0, f1, f2, f3}, [d8, "
     "{f0, f1}], {r0, r1, r2};"},
    {true, "9.0", "sm_90", "", "",
     ".reg .b32 r<9>; .reg .b64 d<9>; .reg .f32 f<9>; tex.2d.v4.f32.f32 {f0, f1, f2, f3}, [d8, "
     "{f0, f1}], {r0, r1, r2, r3};"},
    {false, "9.0", "sm_90", "", "",
     ".reg .b32 r<9>; .reg .b64 d<9>; .reg .f32 f<9>; tex.cube.v4.f32.f32 {f0, f1, f2, f3}, [d8, "
     "{f0, f1, f2, f3}], {r0, r1, r2, r3};"},
    {true, "9.0", "sm_90", "", "",
     ".reg .b32 r<9>; .reg .b64 d<9>; .reg .f32 f<9>; tex.cube.v4.f32.f32 {f0, f1, f2, f3}, [d8, "
     "{f0, f1, f2, f3}], f4;"},
    {true, "9.0", "sm_90", "", "",
     ".reg .b32 r<9>; .reg .b64 d<9>; .reg .f32 f<9>; tex.grad.1d.v4.f32.f32 {f0, f1, f2, f3}, "
     "[d8, {f0}], {f1}, {f1};"},
    {false, "9.0", "sm_90", "", "",
     ".reg .b32 r<9>; .reg .b64 d<9>; .reg .f32 f<9>; tex.grad.1d.v4.f32.f32 {f0, f1, f2, f3}, "
     "[d8, {f0}], {f1, f2}, {f1, f2};"},
    {true, "9.0", "sm_90", "", "",
     ".reg .b32 r<9>; .reg .b64 d<9>; .reg .f32 f<9>; tex.grad.2d.v4.f32.f32 {f0, f1, f2, f3}, "
     "[d8, {f0, f1}], {f1, f2}, {f1, f2};"},
    {false, "9.0", "sm_90", "", "",
     ".reg .b32 r<9>; .reg .b64 d<9>; .reg .f32 f<9>; tex.grad.2d.v4.f32.f32 {f0, f1, f2, f3}, "
     "[d8, {f0, f1}], {f0, f1, f2, f3}, {f0, f1, f2, f3};"},
    {false, "9.0", "sm_90", "", "",
     ".reg .b32 r<9>; .reg .b64 d<9>; .reg .f32 f<9>; tex.grad.3d.v4.f32.f32 {f0, f1, f2, f3}, "
     "[d8, {f0, f1, f2, f3}], {f0, f1, f2}, {f0, f1, f2};"},
    {true, "9.0", "sm_90", "", "",
     ".reg .b32 r<9>; .reg .b64 d<9>; .reg .f32 f<9>; tex.grad.3d.v4.f32.f32 {f0, f1, f2, f3}, "
     "[d8, {f0, f1, f2, f3}], {f0, f1, f2, f3}, {f0, f1, f2, f3};"},
    {true, "9.0", "sm_90", ".global .texref t;", "",
     ".reg .b32 r<9>; .reg .b64 d<9>; .reg .f32 f<9>; txq.filter_mode.b32 r0, [t];"},
    {false, "9.0", "sm_90, texmode_independent", ".global .texref t;", "",
     ".reg .b32 r<9>; .reg .b64 d<9>; .reg .f32 f<9>; txq.filter_mode.b32 r0, [t];"},
    {true, "9.0", "sm_90", "", "",
     ".reg .b32 r<9>; .reg .b64 d<9>; .reg .f32 f<9>; sust.p.a1d.b32.trap [d8, {r0, r1}], r0;"},
    {true, "9.0", "sm_90", "", "",
     ".reg .b32 r<9>; .reg .b64 d<9>; .reg .f32 f<9>; sust.p.a2d.b32.trap [d8, {r0, r1, r2, r3}], "
     "r0;"},
    // Calls through registers.
    {true, "9.0", "sm_90", "", "", ".reg .b32 r; p: .callprototype _ (); call r, (), p;"},
    {true, "9.0", "sm_90", "", "", ".reg .u32 r; p: .callprototype _ (); call r, (), p;"},
    {true, "9.0", "sm_90", "", "", ".reg .s32 r; p: .callprototype _ (); call r, (), p;"},
    {true, "9.0", "sm_90", "", "", ".reg .b64 r; p: .callprototype _ (); call r, (), p;"},
    {true, "9.0", "sm_90", "", "", ".reg .s64 r; p: .callprototype _ (); call r, (), p;"},
    {false, "9.0", "sm_90", "", "", ".reg .b16 r; p: .callprototype _ (); call r, (), p;"},
    {false, "9.0", "sm_90", "", "", ".reg .f32 r; p: .callprototype _ (); call r, (), p;"},
    {false, "9.0", "sm_90", "", "", ".reg .f64 r; p: .callprototype _ (); call r, (), p;"},
};

class Directives : public testing::TestWithParam<Module> {};

TEST_P(Directives, AreTakenAsByPtxas) {
  const Module& one = GetParam();
  const std::string text =
      fmt::format(".version {}\n.target {}\n.address_size 64\n{}\n.entry k() {}\n{{ {} ret; }}\n",
                  one.version, one.target, one.before, one.directives, one.body);
  std::string refusal;
  try {
    const ptx::Module module = ptx::parse("directives.ptx", text);
    memory::AddressSpace space(std::uint64_t{1} << 20);
    isa::Loader().load(std::span(&module, 1), space);
  } catch (const Error& error) {
    refusal = error.what();
  }
  EXPECT_EQ(refusal.empty(), one.taken) << refusal;
}

INSTANTIATE_TEST_SUITE_P(Ptxas, Directives, testing::ValuesIn(kModules));

}  // namespace
}  // namespace raddle::tests
