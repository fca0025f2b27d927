#include "report/profiler_names.h"

#include <fmt/core.h>

namespace raddle::report {
namespace {

// Nsight Compute's documentation, "Metrics Structure" and "Metrics Decoder": l1tex is the L1 cache,
// lts a slice of L2, smsp a scheduler with its share of an SM, t a stage of tags. A wavefront is
// the work that a stage can do at once.
constexpr ProfilerName kNames[] = {
    {"`gpc__cycles_elapsed.max`", "cycles", "`cycles` of the launch",
     "at the clock of the SMs (`--clock-control base` on hardware)"},
    {"`gpu__time_duration.sum`", "ns", "`cycles` of the launch, at their clock",
     "a time line (CUPTI, Nsight Systems) shows the launch's `time_us`, which is shorter"},
    {"`sm__cycles_active.sum`", "cycles", "`sm.cycles`", ""},
    {"`smsp__inst_executed.sum`", "instructions", "`sm.warp_instructions`",
     "instructions of PTX after the passes, not of SASS"},
    {"`smsp__thread_inst_executed_pred_on.sum`", "instructions", "`sm.thread_instructions`", ""},
    {"`smsp__issue_active.sum`", "cycles", "`sm.slots.issued`", ""},
    {"`smsp__cycles_active.sum`", "cycles", "sum of all `sm.slots`",
     "of a scheduler, in cycles in which its SM holds a block"},
    {"`sm__warps_active.avg.per_cycle_active`", "warps", "`sm.resident_warps`", ""},
    {"`l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum`", "sectors",
     "`sm.l1.hits` + `sm.l1.merged`",
     "a sector that is on the way counts as a hit; local memory included (`_mem_local_` on "
     "hardware)"},
    {"`l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum`", "sectors",
     "`sm.l1.misses` - `sm.l1.merged`", "local memory included"},
    {"`l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum`", "sectors", "`sm.l1.hits` + `sm.l1.misses`",
     "where global loads are cached; else `sm.l1.uncached` too"},
    {"`l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum`", "sectors", "`sm.l1.stores`",
     "local memory included"},
    {"`l1tex__t_sector_hit_rate.pct`", "%", "100 x `sm.l1.hit_rate`",
     "of loads; on hardware stores are in it"},
    {"`l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum` + `_st.sum`", "requests",
     "`sm.coalescer.requests`", "atomics and local memory included"},
    {"`smsp__inst_executed_op_shared_ld.sum` + `_st.sum`", "instructions",
     "`sm.load_store.shared_requests`", ""},
    {"`l1tex__data_pipe_lsu_wavefronts_mem_shared.sum`", "wavefronts",
     "`sm.load_store.shared_passes`", ""},
    {"`l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum`", "wavefronts",
     "`sm.load_store.shared_passes` - `sm.load_store.shared_requests`",
     "where all accesses are of 4 bytes or less: wider ones take several passes without conflicts"},
    {"`lts__t_sectors_srcunit_tex_op_read.sum`", "sectors", "`l2.loads`",
     "without code and constants"},
    {"`lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum`", "sectors",
     "`l2.loads` - `l2.load_misses`", "a sector that is on the way counts as a hit"},
    {"`lts__t_sectors_srcunit_tex_op_read_lookup_miss.sum`", "sectors", "`l2.load_misses`", ""},
    {"`lts__t_sectors_srcunit_tex_op_write.sum`", "sectors", "`l2.stores`", ""},
    {"`lts__t_sector_hit_rate.pct`", "%", "100 x `l2.hit_rate`",
     "of loads and atomics; on hardware stores are in it, and hit"},
    {"`dram__sectors_read.sum`", "sectors", "`dram.reads`", ""},
    {"`dram__sectors_write.sum`", "sectors", "`l2.written_back` + `l2.cleaned`",
     "what was sent; `dram.writes` is what the channels had done when the launch ended"},
    {"`dram__bytes_read.sum`, `dram__bytes_write.sum`", "bytes", "32 x the two above", ""},
};

}  // namespace

std::span<const ProfilerName> profiler_names() { return kNames; }

std::string profiler_names_reference() {
  std::string page =
      "\n## Names in Nsight Compute\n\n"
      "What a profiler of hardware calls the same, for a launch: paths are those within its "
      "`statistics`, all units together. Raw counts stay as they are: `misses` of a cache include "
      "sectors that were on the way (`merged`), which profilers count as hits.\n\n"
      "| Nsight Compute | unit | raddle | remark |\n|---|---|---|---|\n";
  for (const ProfilerName& name : kNames) {
    page += fmt::format("| {} | {} | {} | {} |\n", name.metric, name.unit, name.statistics,
                        name.remark);
  }
  return page;
}

}  // namespace raddle::report
