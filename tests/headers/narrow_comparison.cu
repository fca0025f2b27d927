// The comparison of docs/tasks.md compiles in every variant without a warning.
#include <raddle/tasks/compare.cuh>

namespace tasks = raddle::tasks;

struct Smooth {
  const float* in;
  float* out;
  int n;

  template <class At>
  __device__ void operator()(const At& at) const {
    const int step = static_cast<int>(at.block_size());
    for (int i = static_cast<int>(at.thread()); i < n; i += step) out[i] = 2 * in[i];
  }
};

double compare(float* on_gpu, float* on_host) {
  constexpr int kCount = 100;
  const std::size_t bytes = kCount * sizeof(float);
  tasks::Comparison<Smooth> comparison;
  const Smooth work{on_gpu, on_gpu, kCount};
  const auto first = comparison.add({128}, work, {on_gpu, on_host, bytes}, {}, [] {});
  comparison.add({128}, work, {}, {on_host, on_gpu, bytes}, [] {}, {first});
  double sum = 0;
  for (const bool successors : {false, true}) {
    tasks::ComparisonOptions options;
    options.successors = successors;
    sum += comparison.run(tasks::Way::tasks, options).elapsed_us;
  }
  for (const tasks::Way way : {tasks::Way::streams, tasks::Way::graphs, tasks::Way::known,
                               tasks::Way::gemtc, tasks::Way::automatic, tasks::Way::threads}) {
    sum += comparison.run(way).elapsed_us;
  }
  return sum;
}
