// 9.7.13 Parallel synchronization and communication.
#include "isa/semantics/synchronization.h"

#include "isa/lower/rows.h"
#include "isa/semantics/mbarrier.h"
#include "isa/semantics/memory.h"
#include "isa/table.h"

namespace raddle::isa {
namespace {

/// min and max of half-precision values and pairs exist only on vectors (PTX ISA 9.7.13.5:
/// .vec_32_bit).
bool compares_halves(const Form& form) {
  const bool compares = form.operation == Operation::min || form.operation == Operation::max;
  return compares && form.noftz && form.vector == 1;
}

Execute select_atom(const Form& form) {
  return compares_halves(form) ? nullptr : select_atomic(form, true);
}
Execute select_red(const Form& form) {
  return compares_halves(form) ? nullptr : select_atomic(form, false);
}

#define RADDLE_ATOMIC_PREFIX                                       \
  "{.relaxed|.acquire|.release|.acq_rel}{.cta|.cluster|.gpu|.sys}" \
  "{.global|.shared|.shared::cta|.shared::cluster}"

#define RADDLE_MBARRIER_SPACE "{.shared|.shared::cta|.shared::cluster}"

const Row kRows[] = {
    // Barriers: `barrier` lets the lanes of a warp arrive at different instructions.
    {"bar", "[.sync|.cta.sync]", lower_barrier, Class::barrier, Kind::barrier, nullptr, "9.7.13.1"},
    {"bar", "[.arrive|.cta.arrive]", lower_barrier, Class::barrier, Kind::barrier, nullptr,
     "9.7.13.1"},
    {"bar", "{.cta}.red.popc(.u32)", lower_barrier, Class::barrier, Kind::barrier, nullptr,
     "9.7.13.1"},
    {"bar", "{.cta}.red(.and|.or).pred", lower_barrier, Class::barrier, Kind::barrier, nullptr,
     "9.7.13.1"},
    {"barrier", "{.cta}.sync{.aligned}", lower_barrier, Class::barrier, Kind::barrier, nullptr,
     "9.7.13.1"},
    {"barrier", "{.cta}.arrive{.aligned}", lower_barrier, Class::barrier, Kind::barrier, nullptr,
     "9.7.13.1"},
    {"barrier", "{.cta}.red.popc{.aligned}(.u32)", lower_barrier, Class::barrier, Kind::barrier,
     nullptr, "9.7.13.1"},
    {"barrier", "{.cta}.red(.and|.or){.aligned}.pred", lower_barrier, Class::barrier, Kind::barrier,
     nullptr, "9.7.13.1"},
    {"bar", ".warp.sync", lower_member_mask, Class::barrier, Kind::warp_sync, nullptr, "9.7.13.2"},
    // A cluster has one block: no warp waits for an arrival alone, and a wait is a block barrier
    // without a number.
    {"barrier",
     "[.cluster.arrive]{.release|.relaxed}{.aligned}",
     {"", lower_ignored},
     Class::barrier,
     Kind::compute,
     nullptr,
     "9.7.13.3"},
    {"barrier", "[.cluster.wait]{.acquire}{.aligned}", lower_cluster_wait, Class::barrier,
     Kind::barrier, nullptr, "9.7.13.3"},
    {"membar", "(.cta|.gl|.sys)", "", Class::fence, Kind::other, select_fence, "9.7.13.4"},
    {"fence", "{.sc|.acq_rel|.acquire|.release}(.cta|.cluster|.gpu|.sys)", "", Class::fence,
     Kind::other, select_fence, "9.7.13.4"},
    {"fence",
     "[.proxy](.alias|.async|.async.global|.async.shared::cta|.async.shared::cluster)",
     {"", lower_ignored},
     Class::fence,
     Kind::compute,
     nullptr,
     "9.7.13.4"},
    {"membar",
     "[.proxy].alias",
     {"", lower_ignored},
     Class::fence,
     Kind::compute,
     nullptr,
     "9.7.13.4"},
    {"fence",
     ".mbarrier_init.release.cluster",
     {"", lower_ignored},
     Class::fence,
     Kind::compute,
     nullptr,
     "9.7.13.4"},
    {"atom",
     RADDLE_ATOMIC_PREFIX "(.and|.or|.xor|.exch|.add|.inc|.dec|.min|.max){.noftz}{.L2::cache_hint}"
                          "(.b32|.b64|.u32|.u64|.s32|.s64|.f32|.f64|.f16|.f16x2|.bf16|.bf16x2)",
     lower_atom, Class::atomic, Kind::memory, select_atom, "9.7.13.5"},
    {"atom", RADDLE_ATOMIC_PREFIX ".cas(.b16|.b32|.b64|.b128)", lower_atom, Class::atomic,
     Kind::memory, select_atom, "9.7.13.5"},
    {"atom", RADDLE_ATOMIC_PREFIX ".exch{.L2::cache_hint}.b128", lower_atom, Class::atomic,
     Kind::memory, select_atom, "9.7.13.5"},
    {"red",
     "{.relaxed|.release}{.cta|.cluster|.gpu|.sys}{.global|.shared|.shared::cta|.shared::cluster}"
     "(.and|.or|.xor|.add|.inc|.dec|.min|.max){.noftz}{.L2::cache_hint}"
     "(.b32|.b64|.u32|.u64|.s32|.s64|.f32|.f64|.f16|.f16x2|.bf16|.bf16x2)",
     lower_red, Class::atomic, Kind::memory, select_red, "9.7.13.6"},
    {"atom",
     "{.relaxed|.acquire|.release|.acq_rel}{.cta|.cluster|.gpu|.sys}{.global}(.add|.min|.max){."
     "noftz}{.L2::cache_hint}(.v2|.v4|.v8)(.f32|.f16|.f16x2|"
     ".bf16|.bf16x2)",
     lower_vector_atom, Class::atomic, Kind::memory, select_atom, "9.7.13.5"},
    {"red",
     "{.relaxed|.release}{.cta|.cluster|.gpu|.sys}{.global}"
     "(.add|.min|.max){.noftz}{.L2::cache_hint}(.v2|.v4|.v8)(.f32|.f16|.f16x2|.bf16|.bf16x2)",
     lower_vector_red, Class::atomic, Kind::memory, select_red, "9.7.13.6"},
    // The order of words in code of compilers up to CUDA 13, which ptxas accepts.
    {"atom",
     "{.global|.shared|.shared::cta|.shared::cluster}"
     "(.and|.or|.xor|.exch|.add|.inc|.dec|.min|.max)(.relaxed|.acquire|.release|.acq_rel)"
     "{.cta|.cluster|.gpu|.sys}(.b32|.b64|.u32|.u64|.s32|.s64|.f32|.f64)",
     lower_atom, Class::atomic, Kind::memory, select_atom, "9.7.13.5"},
    {"atom",
     "{.global|.shared|.shared::cta|.shared::cluster}.cas(.relaxed|.acquire|.release|.acq_rel)"
     "{.cta|.cluster|.gpu|.sys}(.b16|.b32|.b64)",
     lower_atom, Class::atomic, Kind::memory, select_atom, "9.7.13.5"},
    {"red",
     "{.global|.shared|.shared::cta|.shared::cluster}"
     "(.and|.or|.xor|.add|.inc|.dec|.min|.max)(.relaxed|.release)"
     "{.cta|.cluster|.gpu|.sys}(.b32|.b64|.u32|.u64|.s32|.s64|.f32|.f64)",
     lower_red, Class::atomic, Kind::memory, select_red, "9.7.13.6"},
    // Barrier objects: lower/mbarrier.cpp.
    {"mbarrier", "[.init]{.shared|.shared::cta}(.b64)", lower_mbarrier, Class::atomic, Kind::memory,
     nullptr, "9.7.13.15.9", kMbarrierWords},
    {"mbarrier", "[.inval]{.shared|.shared::cta}(.b64)", lower_mbarrier, Class::atomic,
     Kind::memory, nullptr, "9.7.13.15.10", kMbarrierWords},
    {"mbarrier",
     "[.expect_tx|.complete_tx]{.relaxed}{.cta|.cluster}" RADDLE_MBARRIER_SPACE "(.b64)",
     lower_mbarrier, Class::atomic, Kind::memory, nullptr, "9.7.13.15.11", kMbarrierWords},
    {"mbarrier",
     "[.arrive|.arrive_drop|.arrive.expect_tx|.arrive_drop.expect_tx]{.release|.relaxed}{.cta|."
     "cluster}" RADDLE_MBARRIER_SPACE "(.b64)",
     lower_mbarrier, Class::atomic, Kind::memory, nullptr, "9.7.13.15.13", kMbarrierWords},
    {"mbarrier", "[.arrive|.arrive_drop].noComplete{.release}{.cta}{.shared|.shared::cta}(.b64)",
     lower_mbarrier, Class::atomic, Kind::memory, nullptr, "9.7.13.15.13", kMbarrierWords},
    {"mbarrier",
     "[.test_wait|.try_wait|.test_wait.parity|.try_wait.parity]{.acquire|.relaxed}{.cta|.cluster}{."
     "shared|.shared::cta}"
     "(.b64)",
     lower_mbarrier_wait, Class::load_store, Kind::memory, nullptr, "9.7.13.15.16", kMbarrierWords},
    {"mbarrier", "[.pending_count](.b64)", "d:u32 a:u64", Class::move, Kind::compute,
     select_mbarrier_pending_count, "9.7.13.15.17", kMbarrierWords},
    {"cp",
     "[.async.mbarrier.arrive].noinc{.shared|.shared::cta}(.b64)",
     {lower_copy_arrival, kTakesNarrow},
     Class::atomic,
     Kind::memory,
     nullptr,
     "9.7.13.15.15",
     kMbarrierWords},
    {"cp",
     "[.async.mbarrier.arrive]{.shared|.shared::cta}(.b64)",
     {"[a]", lower_ignored, kTakesNarrow},
     Class::control,
     Kind::compute,
     nullptr,
     "9.7.13.15.15"},
    {"vote", ".sync(.all|.any|.uni)(.pred)", "p !c e:u32", Class::vote, Kind::warp_sync,
     select_vote, "9.7.13.9"},
    {"vote", ".sync(.ballot)(.b32)", "d !c e:u32", Class::vote, Kind::warp_sync, select_vote,
     "9.7.13.9"},
    {"vote", "(.all|.any|.uni).sync(.pred)", "p !c e:u32", Class::vote, Kind::warp_sync,
     select_vote, "9.7.13.9"},
    {"vote", "(.ballot).sync(.b32)", "d !c e:u32", Class::vote, Kind::warp_sync, select_vote,
     "9.7.13.9"},
    {"vote", "(.all|.any|.uni)(.pred)", "p !c", Class::vote, Kind::compute, select_vote, "9.7.13.8",
     "", kReadsLanes},
    {"vote", "(.ballot)(.b32)", "d !c", Class::vote, Kind::compute, select_vote, "9.7.13.8", "",
     kReadsLanes},
    {"match", "(.any).sync(.b32|.b64)", "d:u32 a e:u32", Class::vote, Kind::warp_sync, select_match,
     "9.7.13.10"},
    {"match", "(.all).sync(.b32|.b64)", "d_|p:u32 a e:u32", Class::vote, Kind::warp_sync,
     select_match, "9.7.13.10"},
    {"activemask", "(.b32)", "d", Class::vote, Kind::compute, select_activemask, "9.7.13.11", "",
     kReadsLanes},
    {"redux", ".sync(.add|.min|.max)(.u32|.s32)", "d a e:u32", Class::vote, Kind::warp_sync,
     select_redux, "9.7.13.12"},
    {"redux", ".sync(.and|.or|.xor)(.b32)", "d a e:u32", Class::vote, Kind::warp_sync, select_redux,
     "9.7.13.12"},
    {"redux", ".sync(.min|.max){.abs}{.NaN}(.f32)", "d a e:u32", Class::vote, Kind::warp_sync,
     select_redux, "9.7.13.12"},
    {"griddepcontrol",
     "(.launch_dependents|.wait)",
     {"", lower_ignored},
     Class::control,
     Kind::compute,
     nullptr,
     "9.7.13.13"},
    {"elect", ".sync", "d_|p!:u32 e:u32", Class::vote, Kind::warp_sync, select_elect, "9.7.13.14"},
};

}  // namespace

std::span<const Row> synchronization_rows() { return kRows; }

}  // namespace raddle::isa
