// Narrow tasks, run in each way in which a GPU can run them. See README.md.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "common/device_buffer.h"
#include "common/options.h"
#include "tasks/apps/beamformer.h"
#include "tasks/apps/convolution.h"
#include "tasks/apps/dct.h"
#include "tasks/apps/filterbank.h"
#include "tasks/apps/mandelbrot.h"
#include "tasks/apps/matmul.h"
#include "tasks/apps/packets.h"
#include "tasks/apps/sparse_lu.h"
#include "tasks/apps/stress.h"
#include "tasks/measure.h"
#include "tasks/shape.h"

using namespace raddle::workloads;
namespace narrow = raddle::workloads::narrow;
namespace tasks = raddle::tasks;

namespace {

const std::map<std::string, tasks::Way> kWays = {
    {"tasks", tasks::Way::tasks},        {"streams", tasks::Way::streams},
    {"batches", tasks::Way::batches},    {"fusion", tasks::Way::fusion},
    {"graphs", tasks::Way::graphs},      {"threads", tasks::Way::threads},
    {"known", tasks::Way::known},        {"gemtc", tasks::Way::gemtc},
    {"automatic", tasks::Way::automatic}};

using narrow::Run;

template <class App>
bool run_app(const narrow::Setting& setting, const Run& run) {
  App app(setting);
  tasks::Comparison<typename App::Work> comparison;
  for (unsigned task = 0; task < setting.count; ++task) app.add(comparison, task);
  return narrow::measure(comparison, run, [&] { app.forget(); }, [&] { return app.check(); });
}

bool run_sparse_lu(const narrow::Setting& setting, const Run& run) {
  narrow::SparseLu app(setting);
  narrow::SparseLu::Comparison comparison;
  app.add_all(comparison);
  return narrow::measure(comparison, run, [&] { app.forget(); }, [&] { return app.check(); });
}

bool run_stress(const narrow::Setting& setting, const Run& run) {
  if (run.ways.size() != 1 || run.ways[0].way != tasks::Way::tasks) {
    throw UsageError("--app stress: only with --variant tasks");
  }
  if (!run.json.empty() || !run.checked) {
    throw UsageError("--app stress: with neither --json nor --unchecked");
  }
  bool right = true;
  for (unsigned i = 0; i < run.repeat; ++i) {
    narrow::stress::Stress app({setting.count, run.spawners, run.ways[0].options.runtime});
    narrow::tell(app.run());
    right &= app.check();
  }
  return right;
}

/// A quarter of the tasks of each of four applications, in random order: if they took turns, each
/// application would have streams of its own, a quarter of them.
bool run_mix(narrow::Setting setting, const Run& run) {
  using namespace narrow;
  setting.count = setting.count < 4 ? 1 : setting.count / 4;
  Packets packets(setting);
  Mandelbrot mandelbrot(setting);
  FilterBank filterbank(setting);
  Matmul matmul(setting);
  tasks::Comparison<Packets::Work, Mandelbrot::Work, FilterBank::Work, Matmul::Work> comparison;
  std::vector<unsigned> order(std::size_t{4} * setting.count);  // 4 * task + application
  std::iota(order.begin(), order.end(), 0u);
  std::mt19937 random(1);
  for (std::size_t left = order.size(); left > 1; --left) {
    std::swap(order[left - 1], order[random() % left]);
  }
  for (unsigned next : order) {
    const unsigned task = next / 4;
    if (next % 4 == 0) packets.add(comparison, task);
    if (next % 4 == 1) mandelbrot.add(comparison, task);
    if (next % 4 == 2) filterbank.add(comparison, task);
    if (next % 4 == 3) matmul.add(comparison, task);
  }
  const auto forget = [&] {
    packets.forget(), mandelbrot.forget(), filterbank.forget(), matmul.forget();
  };
  return narrow::measure(comparison, run, forget, [&] {
    const bool right[] = {packets.check(), mandelbrot.check(), filterbank.check(), matmul.check()};
    return right[0] && right[1] && right[2] && right[3];
  });
}

using RunApp = bool (*)(narrow::Setting, const Run&);
template <class App>
bool run_plain(narrow::Setting setting, const Run& run) {
  return run_app<App>(setting, run);
}

const std::map<std::string, RunApp> kApps = {
    {"mandelbrot", run_plain<narrow::Mandelbrot>},
    {"matmul", run_plain<narrow::Matmul>},
    {"filterbank", run_plain<narrow::FilterBank>},
    {"beamformer", run_plain<narrow::BeamFormer>},
    {"packets", run_plain<narrow::Packets>},
    {"dct", run_plain<narrow::Dct>},
    {"convolution", run_plain<narrow::Convolution>},
    {"mix", run_mix},
    {"sparse_lu",
     [](narrow::Setting setting, const Run& run) { return run_sparse_lu(setting, run); }},
    {"stress", [](narrow::Setting setting, const Run& run) { return run_stress(setting, run); }}};

std::vector<std::string> app_names() {
  std::vector<std::string> names;
  for (const auto& [name, run] : kApps) names.push_back(name);
  return names;
}

}  // namespace

int main(int argc, char** argv) {
  // As many as HyperQ has, and the most; CUDA's default is 8.
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
  std::string app = "mandelbrot", way = "tasks", transport = "copies", waiting = "automatic",
              copies = "both", json;
  std::int64_t count = 512, threads = 128, blocks = 1, scale = 1, batch = 1792, streams = 32,
               fused = 0, masters = 0, spawners = 4, pool = 0, repeat = 1;
  bool irregular = false, no_shared = false, latency = false, lock_step = false, occupancy = false,
       successors = false, bounded = false, merge_copies = false, unchecked = false,
       regions = false;
  Options options("tasks", "narrow tasks, run in each way in which a GPU can run them");
  options.add_choice(
      "--variant", &way,
      {"tasks", "streams", "batches", "fusion", "graphs", "known", "gemtc", "automatic", "threads",
       "all"},
      "way; all: one after the other, without gemtc, which polls and is slow to simulate");
  options.add("--repeat", &repeat, 1, 1000, "runs of each way, of whose times the median is told");
  options.add_flag("--regions", &regions,
                   "also without the copies: the time that the authors' public code takes");
  options.add_flag("--unchecked", &unchecked, "results are not compared with the CPU's");
  options.add("--json", &json, "also write the times of all runs to this file");
  options.add("--pool", &pool, 0, 1024,
              "variant threads: CPU threads that are started; 0: an estimate");
  options.add_choice("--app", &app, app_names(), "application");
  options.add("--count", &count, 1, 1 << 20, "tasks");
  options.add("--threads", &threads, 32, 992, "threads of a block");
  options.add("--blocks", &blocks, 1, 65535, "blocks of a task of matmul or convolution");
  options.add("--scale", &scale, 1, 16, "edge of each task's input, times");
  options.add_flag("--irregular", &irregular, "sizes and threads differ from task to task");
  options.add_flag("--no-shared", &no_shared, "without shared memory");
  options.add("--streams", &streams, 1, 4096, "of variant streams; 32: connections of HyperQ");
  options.add("--batch", &batch, 0, 1 << 20, "tasks of a batch, graph or fused kernel; 0: all");
  options.add("--fused-threads", &fused, 0, 1024,
              "threads of fused blocks; 0: as the largest task");
  options.add_flag("--latency", &latency, "measure the time from spawn to result, too");
  options.add_flag("--lock-step", &lock_step, "tasks in batches, one after the other");
  options.add_flag("--merge-copies", &merge_copies,
                   "tasks, batches, fusion: one copy of what lies side by side");
  options.add_flag("--bounded", &bounded,
                   "kernels of streams and graphs have no more registers than tasks");
  options.add_flag("--successors", &successors,
                   "variant tasks of sparse_lu: a task spawns those that have waited for it alone");
  options.add_choice("--transport", &transport, {"copies", "mapped"}, "how tasks reach the GPU");
  options.add_choice(
      "--copies", &copies, {"both", "results", "none", "warps", "gathered"},
      "the copies whose time counts; both, by the tasks' own warps; both, inputs gathered");
  options.add_flag("--occupancy", &occupancy, "measure how many warps are busy with tasks, too");
  options.add("--masters", &masters, 0, 1024, "blocks of the runtime; 0: as many as fit");
  options.add("--spawners", &spawners, 1, 64, "host threads that spawn; of --app stress");
  options.add_choice("--waiting", &waiting, {"automatic", "park", "sleep", "poll"},
                     "how idle warps wait");
  return run_workload(options, argc, argv, [&] {
    narrow::Setting setting;
    setting.count = static_cast<unsigned>(count);
    setting.threads = static_cast<unsigned>(threads);
    setting.blocks = static_cast<unsigned>(blocks);
    if (blocks != 1 && app != "matmul" && app != "convolution") {
      throw UsageError("--blocks: only with --app matmul or --app convolution");
    }
    setting.scale = static_cast<unsigned>(scale);
    setting.irregular = irregular;
    setting.shared = !no_shared;
    tasks::ComparisonOptions how;
    how.streams = static_cast<unsigned>(streams);
    how.batch = static_cast<unsigned>(batch);
    how.fused_threads = static_cast<unsigned>(fused);
    how.latency = latency;
    how.lock_step = lock_step;
    const bool of_runtime =
        lock_step || occupancy || masters != 0 || transport != "copies" || waiting != "automatic";
    if (of_runtime && way != "tasks" && way != "all") {
      throw UsageError(
          "--lock-step, --occupancy, --masters, --transport, --waiting: only with --variant tasks");
    }
    if (merge_copies && way != "tasks" && way != "batches" && way != "fusion") {
      throw UsageError("--merge-copies: only with --variant tasks, batches or fusion");
    }
    how.merge_copies = merge_copies;
    if (successors && (app != "sparse_lu" || way != "tasks")) {
      throw UsageError("--successors: only with --app sparse_lu --variant tasks");
    }
    how.successors = successors;
    how.bounded = bounded;
    how.by_warps = copies == "warps";
    how.runtime.gather = copies == "gathered";
    if ((how.by_warps && (way != "tasks" || successors)) ||
        (how.runtime.gather && (way != "tasks" || transport != "mapped"))) {
      throw UsageError(
          "--copies warps: only with --variant tasks, without --successors; gathered: only with "
          "--variant tasks --transport mapped");
    }
    how.copies_in = copies != "results" && copies != "none";
    how.copies_out = copies != "none";
    how.runtime.occupancy = occupancy;
    if (app != "stress") how.runtime.subtasks = 0;
    if (masters != 0) how.runtime.most_masters = static_cast<unsigned>(masters);
    how.runtime.transport =
        transport == "mapped" ? tasks::Transport::mapped : tasks::Transport::copies;
    const std::map<std::string, tasks::Waiting> waits = {{"automatic", tasks::Waiting::automatic},
                                                         {"park", tasks::Waiting::park},
                                                         {"sleep", tasks::Waiting::sleep},
                                                         {"poll", tasks::Waiting::poll}};
    how.runtime.waiting = waits.at(waiting);
    how.pool = static_cast<unsigned>(pool);
    Run run;
    run.ways = way == "all" ? narrow::every_way(how, app == "sparse_lu")
                            : std::vector<narrow::NamedWay>{{way, kWays.at(way), how}};
    run.repeat = static_cast<unsigned>(repeat);
    run.checked = !unchecked;
    run.regions = regions;
    run.app = app;
    run.json = json;
    run.spawners = static_cast<unsigned>(spawners);
    std::printf("tasks: %u of %s as %s\n", setting.count, app.c_str(), way.c_str());
    return kApps.at(app)(setting, run);
  });
}
