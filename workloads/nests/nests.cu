// Branches within branches. The sides of either the inner or the outer ones share more steps. See
// README.md.
#include <cuda_runtime.h>

#include <cstdio>
#include <string>
#include <vector>

#include "common/comparison.h"
#include "common/device_buffer.h"
#include "common/options.h"
#include "common/sides.cuh"
#include "nests/kernels.cuh"

using namespace raddle::workloads;

namespace {

constexpr unsigned block_size = 128;

struct Run {
  unsigned threads, rounds, seed;
  Odds odds;
  bool kept;
};

template <class Nest>
bool run(const Run& how) {
  DeviceBuffer<unsigned> results(how.threads);
  const auto kernel = how.kept ? run_nest<Nest, Sides::kept> : run_nest<Nest, Sides::compiled>;
  kernel<<<blocks_for(how.threads, block_size), block_size>>>(results.data(), how.threads, how.seed,
                                                              how.rounds, how.odds);
  CHECK_CUDA(cudaGetLastError());
  std::vector<unsigned> expected(how.threads);
  for (unsigned thread = 0; thread < how.threads; ++thread) {
    expected[thread] = nest_reference<Nest>(how.seed, thread, how.rounds, how.odds);
  }
  return check_equal("nests", expected, results.download());
}

std::uint32_t share(std::int64_t percent) {
  return static_cast<std::uint32_t>(percent * 65536 / 100);
}

}  // namespace

int main(int argc, char** argv) {
  std::string variant = "inner", sides = "kept";
  std::int64_t outer = 50, inner = 50, threads = 16384, rounds = 32, seed = 1;
  Options options("nests", "branches within branches");
  options.add_choice("--variant", &variant, {"inner", "outer"},
                     "the branches whose sides have more in common");
  options.add("--outer", &outer, 0, 100,
              "per cent of lanes that go the first way at the outer branch");
  options.add("--inner", &inner, 0, 100,
              "per cent of those that go the first way at the inner one");
  options.add("--threads", &threads, 1, 1 << 26, "of the kernel");
  options.add("--rounds", &rounds, 0, 1 << 20, "of the nest");
  options.add("--seed", &seed, 0, UINT32_MAX, "of the ways");
  add_sides(options, &sides);
  return run_workload(options, argc, argv, [&] {
    const Run how{static_cast<unsigned>(threads),
                  static_cast<unsigned>(rounds),
                  static_cast<unsigned>(seed),
                  {share(outer), share(inner)},
                  sides == "kept"};
    std::printf("nests: %s, %u threads, %u rounds, outer %d %%, inner %d %%\n", variant.c_str(),
                how.threads, how.rounds, static_cast<int>(outer), static_cast<int>(inner));
    return variant == "inner" ? run<InnerNest>(how) : run<OuterNest>(how);
  });
}
