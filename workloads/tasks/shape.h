#pragma once

#include <cstdint>
#include <raddle/tasks/compare.cuh>
#include <vector>

#include "common/comparison.h"
#include "common/generators.h"

namespace raddle::workloads::narrow {

/// What all applications are told.
struct Setting {
  unsigned count = 512;    // tasks
  unsigned threads = 128;  // of a block
  unsigned blocks = 1;     // of a task, where the application can
  bool irregular = false;  // sizes and threads differ from task to task
  bool shared = true;      // use shared memory, where the application can
  unsigned scale = 1;      // edge of the input, times; threads stay
};

/// What a task is: with irregular tasks, a quarter to all of the edge of the input, and 32 to 256
/// threads, both drawn from the task's number alone (Pagoda, section 6.4: "various input sizes and
/// thread counts by using a pseudo-random generator").
struct Shape {
  unsigned edge, threads;
};

inline Shape shape_of(const Setting& setting, unsigned task, unsigned edge) {
  edge *= setting.scale;
  if (!setting.irregular) return {edge, setting.threads};
  Random random(1 + task);
  const auto quarters = static_cast<unsigned>(1 + random.below(4));
  return {edge * quarters / 4, 32u << random.below(4)};
}

/// Compares the values of each task, of which it has shape_of(...).edge from `found` + task * size
/// on, with what on_cpu(task, to) writes.
template <class OnCpu>
bool check_samples(const Setting& setting, unsigned edge, std::size_t size, const float* found,
                   OnCpu on_cpu) {
  std::vector<float> expected, got, one(size);
  for (unsigned task = 0; task < setting.count; ++task) {
    const unsigned samples = shape_of(setting, task, edge).edge;
    on_cpu(task, one.data());
    expected.insert(expected.end(), one.begin(), one.begin() + samples);
    got.insert(got.end(), found + task * size, found + task * size + samples);
  }
  return check_equal("tasks", expected, got);
}

template <class T>
using Buffers = tasks::detail::PinnedAndDevice<T>;

}  // namespace raddle::workloads::narrow
