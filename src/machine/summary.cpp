#include "machine/summary.h"

#include "machine/config.h"
#include "machine/sm/config.h"

namespace raddle::machine {
namespace {

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

class List {
 public:
  explicit List(const StatGroup& root) : root_(root) {}

  std::uint64_t sum(std::string_view unit, std::string_view name) const {
    return total(root_, unit, name);
  }
  void count(const char* name, const char* unit, const char* meaning, std::uint64_t value) {
    values_.push_back({name, unit, meaning, static_cast<double>(value), true});
  }
  void fraction(const char* name, const char* unit, const char* meaning, double value) {
    values_.push_back({name, unit, meaning, value, false});
  }
  std::vector<SummaryValue> take() { return std::move(values_); }

 private:
  const StatGroup& root_;
  std::vector<SummaryValue> values_;
};

void times(List& list, const Gpu& gpu, double program_us) {
  if (is_functional(gpu.config())) return;  // its clock counts instructions
  list.fraction(
      "time_us", "us",
      "Simulated time in which a grid was queued or running: cycles divided by gpu.core_mhz.",
      gpu.nanoseconds(list.sum("gpu", "cycles")) / 1e3);
  list.fraction("program_time_us", "us",
                "Simulated time of the whole program, on the host's clock: the time of its CUDA "
                "calls, copies and kernels; its computation on the host takes none.",
                program_us);
}

void work(List& list, const GpuConfig& config) {
  const std::uint64_t cycles = list.sum("gpu", "cycles");
  const std::uint64_t warp = list.sum("gpu", "warp_instructions");
  const std::uint64_t thread = list.sum("gpu", "thread_instructions");
  list.count("cycles", "SM cycles", "Cycles in which a grid was queued or running.", cycles);
  list.count("warp_instructions", "warp instructions",
             "Instructions executed, each counted once per warp.", warp);
  list.count("thread_instructions", "thread instructions",
             "Lanes that executed them: predicated-off and absent lanes are not counted.", thread);
  list.fraction("ipc", "warp instructions per cycle",
                "Warp instructions divided by cycles, for the whole GPU.", ratio(warp, cycles));
  list.fraction("warp_activity", "fraction",
                "Average number of active lanes per warp instruction, divided by 32.",
                ratio(thread, kWarpSize * warp));
  list.fraction(
      "sm_occupancy", "fraction",
      "Resident warps divided by the maximum per SM, averaged over the cycles in which an SM holds "
      "a block.",
      ratio(list.sum("sm", "resident_warp_cycles"), list.sum("sm", "cycles") * config.sm.warps));
}

void caches(List& list) {
  list.fraction(
      "dram_efficiency", "fraction",
      "Cycles in which a DRAM channel moved data, divided by those in which it had requests.",
      ratio(list.sum("dram", "busy_cycles"), list.sum("dram", "pending_cycles")));
  list.count("l1_hits", "sectors", "Sectors of loads found in an L1 cache.",
             list.sum("l1", "hits"));
  list.count("l1_misses", "sectors", "Sectors of loads not found in an L1 cache.",
             list.sum("l1", "misses"));
  constexpr const char* kMerged =
      "Of the misses, sectors that were already on their way: profilers count them as hits, and so "
      "does the printed hit rate.";
  list.count("l1_merged", "sectors", kMerged, list.sum("l1", "merged"));
  list.count("l2_hits", "sectors", "Sectors found in the L2 cache.", list.sum("l2", "hits"));
  list.count("l2_misses", "sectors", "Sectors not found in the L2 cache.",
             list.sum("l2", "misses"));
  list.count("l2_merged", "sectors", kMerged, list.sum("l2", "merged"));
  list.count("constant_hits", "words", "Words found in a constant cache.",
             list.sum("constant", "hits"));
  list.count("constant_misses", "words", "Words not found in a constant cache.",
             list.sum("constant", "misses"));
}

void coalescing(List& list) {
  list.fraction("transactions_per_request", "transactions",
                "Average number of memory transactions per access to global or local memory; 1 is "
                "a warp whose lanes share one line.",
                ratio(list.sum("coalescer", "transactions"), list.sum("coalescer", "requests")));
  list.fraction(
      "shared_passes_per_request", "passes",
      "Average number of passes per access to shared memory; 1 is free of bank conflicts.",
      ratio(list.sum("load_store", "shared_passes"), list.sum("load_store", "shared_requests")));
}

}  // namespace

std::vector<SummaryValue> summarize(const Gpu& gpu, double program_us) {
  List list(gpu.statistics());
  times(list, gpu, program_us);
  work(list, gpu.config());
  caches(list);
  coalescing(list);
  return list.take();
}

}  // namespace raddle::machine
