// Options and reports of the programs that run task trees.
#pragma once

#include <raddle/report.h>

#include <raddle/locality/types.h>
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "common/options.h"

namespace raddle::workloads::locality {

namespace library = raddle::locality;

struct Setting {
  std::string variant = "aware", input = "uniform", threshold = "depth";
  std::int64_t size = 0, seed = 1, limit = 0, strip = 1, block = 128, host_threads = 1,
               host_repeat = 0, calls = INT64_MAX;
  bool check_all = false;

  /// `variants` are those of the program. The present values of the setting are the defaults.
  void add_to(Options& options, const std::vector<std::string>& variants) {
    options.add_choice(
        "--variant", &variant, variants,
        "agnostic, aware, inferred: tasks in the order in which they were met, by domain, by "
        "sampled footprints; others: data parallelism alone");
    options.add("--input", &input, "uniform, clustered, equal, line, or a file of points");
    options.add("--size", &size, 0, std::int64_t{1} << 24, "points; of a file 0: all");
    options.add("--seed", &seed, 0, INT64_MAX, "of what is drawn at random");
    options.add_choice("--threshold", &threshold,
                       {"automatic", "depth", "footprint", "tasks", "levels"},
                       "where the host ends");
    options.add("--limit", &limit, 0, std::int64_t{1} << 40,
                "levels, bytes, or tasks of an iteration, of the threshold");
    options.add("--calls", &calls, 0, INT64_MAX,
                "of an iteration that the host executes at most, with --threshold tasks or levels");
    options.add("--strip", &strip, 1, 1024, "tasks of a thread");
    options.add("--block", &block, 32, 1024, "threads of a block");
    options.add("--host-threads", &host_threads, 1, 256, "that expand");
    options.add("--host-repeat", &host_repeat, 0, 1000,
                "the host's part is measured so often, and the least time counts; 0: not at all, "
                "so that what is told is the same in every run");
    options.add_flag("--check-all", &check_all,
                     "every result is compared with a direct one, also if that takes long");
  }

  /// How many of `count` results are compared with direct ones: all, or so many that at most
  /// `pairs` pairs are examined. A direct result examines all `points`.
  std::size_t checked(std::size_t count, std::size_t points, std::size_t pairs) const {
    const std::size_t affordable =
        std::max<std::size_t>(1, pairs / std::max<std::size_t>(1, points));
    return check_all ? count : std::min(count, affordable);
  }
  /// The part of a message that says how the checked results were chosen.
  static const char* how_to_check_all(std::size_t checked, std::size_t count) {
    return checked == count ? "" : ", evenly chosen, all with --check-all";
  }

  bool has_tasks() const {
    return variant == "agnostic" || variant == "aware" || variant == "inferred" ||
           variant == "scattered" || variant == "by_target";
  }
  library::Options forest() const {
    library::Options options;
    const auto value = static_cast<std::uint64_t>(limit);
    if (threshold == "depth")
      options.threshold = library::Threshold::depth(static_cast<unsigned>(limit));
    if (threshold == "footprint") options.threshold = library::Threshold::footprint(value);
    if (threshold == "tasks") {
      options.threshold = library::Threshold::tasks(value, static_cast<std::uint64_t>(calls));
    }
    if (threshold == "levels") {
      options.threshold = library::Threshold::levels(value, static_cast<std::uint64_t>(calls));
    }
    options.grouping = variant == "agnostic"   ? library::Grouping::none
                       : variant == "inferred" ? library::Grouping::footprint
                                               : library::Grouping::domain;
    options.strip = static_cast<unsigned>(strip);
    options.block = static_cast<unsigned>(block);
    options.host_threads = static_cast<unsigned>(host_threads);
    return options;
  }
};

/// The time of the host's part. With one thread it is processor time, which other programs on this
/// machine do not lengthen; otherwise it is elapsed time. The least of several runs; 0 if it is not
/// measured.
class HostTime {
 public:
  explicit HostTime(const Setting& setting)
      : clock_(setting.host_threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC),
        repeat_(setting.host_repeat) {}

  template <class Prepare, class Work>
  double us(const Prepare& prepare, const Work& work) const {
    double least = 0;
    if (repeat_ == 0) {
      prepare();
      work();
    }
    for (std::int64_t i = 0; i < repeat_; ++i) {
      prepare();
      const double begin = now();
      work();
      const double taken = now() - begin;
      if (i == 0 || taken < least) least = taken;
    }
    return least;
  }

 private:
  double now() const {
    timespec time = {};
    clock_gettime(clock_, &time);
    return 1e6 * static_cast<double>(time.tv_sec) + 1e-3 * static_cast<double>(time.tv_nsec);
  }

  const clockid_t clock_;
  const std::int64_t repeat_;
};

/// Prints the times of a run, and reports them as gpu_us, kernel_us, tasks, domains and calls. If
/// the host's time was measured, or the host has no part, also reports host_us and elapsed_us.
inline void tell(const Setting& setting, const library::Times& times,
                 const library::Counts& counts) {
  std::printf("%.0f us of the GPU (kernels %.0f)\n", times.gpu_us, times.kernel_us);
  if (setting.host_repeat != 0 || !setting.has_tasks()) {
    const double host = times.expand_us + times.reduce_us;
    std::printf("%.0f us of the host (expansion %.0f, reduction %.0f): %.0f us in all\n", host,
                times.expand_us, times.reduce_us, times.total_us());
    raddle::report("elapsed_us", times.total_us());
    raddle::report("host_us", host);
  }
  if (counts.tasks != 0) {
    std::printf("%llu tasks in %llu domains; %llu calls on the host\n",
                static_cast<unsigned long long>(counts.tasks),
                static_cast<unsigned long long>(counts.domains),
                static_cast<unsigned long long>(counts.calls));
  }
  raddle::report("gpu_us", times.gpu_us);
  raddle::report("kernel_us", times.kernel_us);
  raddle::report("tasks", static_cast<double>(counts.tasks));
  raddle::report("domains", static_cast<double>(counts.domains));
  raddle::report("calls", static_cast<double>(counts.calls));
}

}  // namespace raddle::workloads::locality
