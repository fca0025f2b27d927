// Two applications side by side on one GPU, each in a stream of its own. See README.md.
#include <cuda_runtime.h>

#include <raddle/report.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/data_path.h"
#include "common/options.h"
#include "common/text_scanner.h"
#include "pairs/forest.cuh"
#include "pairs/inputs.h"
#include "pairs/mesh.cuh"
#include "pairs/partners/cutcp.cuh"
#include "pairs/partners/histo.cuh"
#include "pairs/partners/sad.cuh"
#include "pairs/partners/sgemm.cuh"
#include "pairs/partners/spmv.cuh"
#include "pairs/partners/stencil.cuh"
#include "pairs/traversal.cuh"
#include "pta/application.cuh"
#include "sgd/application.cuh"

using namespace raddle::workloads;
using namespace raddle::workloads::pairs;

namespace {

/// Marks the end of the rehearsal, for policies that know kernels from an earlier run
/// (blocks.rehearsal_ends).
__global__ void measured() {}

struct Sizes {
  std::string input = "rmat";
  std::int64_t vertices = 2500, edges = 12500, share = 8, seed = 1;
};

unsigned at_least(std::int64_t number, std::int64_t least) {
  return static_cast<unsigned>(number > least ? number : least);
}

/// Makes an application by its name. Grids are those of thread-block-management, Table I, divided
/// by `share`: the paper's GPU is `share` times as large as the simulated one.
std::unique_ptr<Application> make(const std::string& name, const Sizes& sizes) {
  const auto part = [&](unsigned of) { return at_least(of / sizes.share, 1); };
  const auto graph = [&](bool weighted) {
    return pair_graph(sizes.input, static_cast<Vertex>(sizes.vertices),
                      static_cast<std::uint64_t>(sizes.edges), weighted,
                      static_cast<std::uint64_t>(sizes.seed));
  };
  if (name == "bfs" || name == "sssp") {
    CsrGraph arcs = graph(name == "sssp");
    const Vertex source = highest_degree_vertex(arcs);
    return std::make_unique<Traversal>(std::move(arcs), source, part(name == "bfs" ? 240 : 160));
  }
  if (name == "mst") return std::make_unique<SpanningForest>(graph(true));
  if (name == "dmr") {
    return std::make_unique<MeshRefinement>(
        static_cast<std::size_t>(at_least(sizes.vertices / 32, 64)),
        static_cast<std::uint64_t>(sizes.seed));
  }
  if (name == "pta") {
    return std::make_unique<pta::PointsTo>(
        pta::random_program(at_least(sizes.vertices / 4, 64),
                            static_cast<std::uint64_t>(sizes.seed)),
        part(80), 992u);
  }
  if (name == "sgd") {
    const std::string file = find_input("ratings/ml-latest-small.csv");
    const RatingTable table = make_table(read_ratings(file, read_file(file)), 40);
    return std::make_unique<sgd::Completion>(table, part(900), 1u);
  }
  const auto root = [&](double full) {  // for a size whose work grows with its square
    return static_cast<unsigned>(full / std::sqrt(static_cast<double>(sizes.share)));
  };
  if (name == "sgemm") return std::make_unique<Sgemm>(root(1024) / 16 * 16);
  if (name == "spmv") return std::make_unique<Spmv>(part(131072), 8u, 4u);
  if (name == "stencil") return std::make_unique<Stencil>(root(192), 4u);
  if (name == "sad") return std::make_unique<Sad>(root(96));
  if (name == "histo") return std::make_unique<Histo>(part(2097152), part(640));
  return std::make_unique<Cutcp>(root(512) / 32 * 32, 400u);
}

/// An application in its stream, with the times of its completed runs.
class Lane {
 public:
  Lane(std::string name, const Sizes& sizes)
      : name_(std::move(name)), application_(make(name_, sizes)) {
    CHECK_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    CHECK_CUDA(cudaEventCreate(&began_));
    CHECK_CUDA(cudaEventCreate(&ended_));
  }
  ~Lane() {
    cudaEventDestroy(began_);
    cudaEventDestroy(ended_);
    cudaStreamDestroy(stream_);
  }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  void begin() {
    CHECK_CUDA(cudaEventRecord(began_, stream_));
    application_->begin(stream_);
    CHECK_CUDA(cudaEventRecord(ended_, stream_));
    runs_ = true;
  }
  /// If the current round has ended, launches the next one, or completes the run.
  void poll() {
    if (!runs_) return;
    const cudaError_t status = cudaEventQuery(ended_);
    if (status == cudaErrorNotReady) return;
    CHECK_CUDA(status);
    if (application_->go_on(stream_)) {
      CHECK_CUDA(cudaEventRecord(ended_, stream_));
      return;
    }
    runs_ = false;
    ++completed_;
    float milliseconds = 0;
    CHECK_CUDA(cudaEventElapsedTime(&milliseconds, began_, ended_));
    time_ += 1000.0 * static_cast<double>(milliseconds);
  }
  bool runs() const { return runs_; }
  unsigned completed() const { return completed_; }
  /// The mean time of a run, in microseconds.
  double time() const { return time_ / completed_; }
  /// Keeps the mean so far as the time alone, and resets the count and the sum.
  void was_alone() {
    alone_ = time();
    completed_ = 0;
    time_ = 0;
  }
  double alone() const { return alone_; }
  const std::string& name() const { return name_; }
  bool check() { return application_->check(); }

 private:
  std::string name_;
  std::unique_ptr<Application> application_;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t began_ = nullptr, ended_ = nullptr;
  bool runs_ = false;
  unsigned completed_ = 0;
  double time_ = 0, alone_ = 0;  // us
};

/// Runs the applications until each has completed at least one run. An application that completes
/// earlier begins again. Runs that are unfinished at the end are waited for, but not counted.
void run_together(std::vector<std::unique_ptr<Lane>>& lanes) {
  for (const auto& lane : lanes) lane->begin();
  const auto all_have = [&] {
    bool all = true;
    for (const auto& lane : lanes) all &= lane->completed() != 0;
    return all;
  };
  while (!all_have()) {
    for (const auto& lane : lanes) {
      lane->poll();
      if (!lane->runs() && !all_have()) lane->begin();
    }
  }
  std::vector<std::pair<double, unsigned>> times;
  for (const auto& lane : lanes) times.emplace_back(lane->time(), lane->completed());
  for (const auto& lane : lanes) {
    while (lane->runs()) lane->poll();
  }
  double weighted = 0, least = 1, most = 0;
  for (std::size_t n = 0; n < lanes.size(); ++n) {
    const std::string which = n == 0 ? "first" : "second";
    const auto [time, completed] = times[n];
    std::printf("pairs: %s in %.1f us, %u times\n", lanes[n]->name().c_str(), time, completed);
    raddle::report((which + "_us").c_str(), time);
    if (lanes[n]->alone() == 0) continue;
    const double part = lanes[n]->alone() / time;  // fraction of its speed alone
    raddle::report((which + "_alone_us").c_str(), lanes[n]->alone());
    raddle::report((which + "_slowdown").c_str(), 1 / part);
    weighted += part;
    least = std::min(least, part);
    most = std::max(most, part);
  }
  if (most == 0) return;
  std::printf("pairs: weighted speedup %.3f, fairness %.3f\n", weighted, least / most);
  raddle::report("weighted_speedup", weighted);
  raddle::report("fairness", least / most);
}

}  // namespace

int main(int argc, char** argv) {
  std::string first = "bfs", second = "none";
  bool rehearse = false;
  Sizes sizes;
  std::vector<std::string> names{"bfs",   "sssp", "mst",     "dmr", "pta",   "sgd",
                                 "sgemm", "spmv", "stencil", "sad", "histo", "cutcp"};
  Options options("pairs", "two applications side by side on one GPU");
  options.add_choice("--first", &first, names, "an application");
  names.emplace_back("none");
  options.add_choice("--second", &second, names, "another, or none");
  options.add("--input", &sizes.input, "graph file, or rmat");
  options.add("--vertices", &sizes.vertices, 16, 1 << 24,
              "of generated graphs, and what goes with it");
  options.add("--edges", &sizes.edges, 1, 1 << 26, "of generated graphs");
  options.add("--share", &sizes.share, 1, 80, "1: grids for a whole V100; 8: for an eighth of one");
  options.add("--seed", &sizes.seed, 0, INT64_MAX, "of generated inputs");
  options.add_flag("--rehearse", &rehearse, "run each alone before, once");
  return run_workload(options, argc, argv, [&] {
    std::vector<std::unique_ptr<Lane>> lanes;
    lanes.push_back(std::make_unique<Lane>(first, sizes));
    if (second != "none") lanes.push_back(std::make_unique<Lane>(second, sizes));
    if (rehearse) {
      for (const auto& lane : lanes) {
        lane->begin();
        while (lane->runs()) lane->poll();
        lane->was_alone();
      }
    }
    measured<<<1, 32>>>();
    CHECK_CUDA(cudaDeviceSynchronize());
    run_together(lanes);
    bool right = true;
    for (const auto& lane : lanes) right &= lane->check();
    if (right) std::printf("pairs: right\n");
    return right;
  });
}
