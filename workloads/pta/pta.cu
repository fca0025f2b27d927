// Inclusion-based points-to analysis. See README.md.
#include <cstdio>
#include <string>

#include "common/data_path.h"
#include "common/options.h"
#include "common/text_scanner.h"
#include "pta/application.cuh"

using namespace raddle::workloads;
using namespace raddle::workloads::pta;

int main(int argc, char** argv) {
  std::string input = "random";
  std::int64_t nodes = 1024, seed = 1, blocks = 80, threads = 992;
  Options options("pta", "inclusion-based points-to analysis");
  options.add("--input", &input, "random, or a file of constraints");
  options.add("--nodes", &nodes, 8, 1 << 16, "of a random program");
  options.add("--seed", &seed, 0, INT64_MAX, "of a random program");
  options.add("--blocks", &blocks, 1, 65535, "of each kernel");
  options.add("--threads", &threads, 32, 1024, "of each block, rounded down to whole warps");
  return run_workload(options, argc, argv, [&] {
    const std::string file = input == "random" ? "" : find_input(input);
    const Program program = input == "random" ? random_program(static_cast<std::uint32_t>(nodes),
                                                               static_cast<std::uint64_t>(seed))
                                              : read_program(file, read_file(file));
    std::printf("pta: %u nodes, %zu constraints\n", program.nodes, program.constraints.size());
    PointsTo analysis(program, static_cast<unsigned>(blocks),
                      static_cast<unsigned>(threads) / 32 * 32);
    run_alone(analysis);
    return analysis.check();
  });
}
