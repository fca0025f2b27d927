// Whole kernels with published measurements on hardware. See README.md.
#include <cuda_runtime.h>

#include <cstdio>
#include <string>
#include <vector>

#include "common/options.h"
#include "kernels/binomial.cuh"
#include "kernels/bitonic.cuh"
#include "kernels/black_scholes.cuh"
#include "kernels/bodies.cuh"
#include "kernels/check.h"
#include "kernels/cosine.cuh"
#include "kernels/histogram256.cuh"
#include "kernels/histogram64.cuh"
#include "kernels/hotspot.cuh"
#include "kernels/inverse_normal.cuh"
#include "kernels/matrix_product.cuh"
#include "kernels/monte_carlo.cuh"
#include "kernels/niederreiter.cuh"
#include "kernels/scan.cuh"
#include "kernels/separable.cuh"
#include "kernels/small.cuh"
#include "kernels/sobol.cuh"
#include "kernels/srad.cuh"
#include "kernels/stream.cuh"
#include "kernels/transpose.cuh"
#include "kernels/walsh.cuh"

using namespace raddle::workloads;
using namespace raddle::workloads::kernels;

namespace {

struct Variant {
  const char* name;
  bool (*run)(Bench& bench);
};

const std::vector<Variant> kVariants = {
    {"hotspot", run_hotspot},
    {"srad", run_srad},
    {"walsh", run_walsh},
    {"histogram64", run_histogram64},
    {"inverse_normal", run_inverse_normal},
    {"sobol", run_sobol},
    {"stream", run_stream},
    {"small", run_small},
    {"matrix_product", run_matrix_product},
    {"transpose", run_transpose},
    {"bodies", run_bodies},
    {"binomial", run_binomial},
    {"monte_carlo", run_monte_carlo},
    {"black_scholes", run_black_scholes},
    {"niederreiter", run_niederreiter},
    {"bitonic_64", run_bitonic_64},
    {"bitonic_1k", run_bitonic_1k},
    {"bitonic_16k", run_bitonic_16k},
    {"separable", run_separable},
    {"cosine", run_cosine},
    {"scan", run_scan},
    {"histogram256", run_histogram256},
};

}  // namespace

int main(int argc, char** argv) {
  std::string only = "srad";
  std::string ptx;
  std::vector<std::string> choices = {"all"};
  for (const Variant& variant : kVariants) choices.emplace_back(variant.name);
  Options options("kernels", "whole kernels that were measured on hardware");
  options.add_choice("--variant", &only, choices, "the kernel, or all of them");
  options.add("--ptx", &ptx, "run the kernels' code in this file instead of the program's own");
  return run_workload(options, argc, argv, [&] {
    Bench bench(ptx);
    bool right = true;
    for (const Variant& variant : kVariants) {
      if (only == "all" || only == variant.name) right &= variant.run(bench);
    }
    std::printf("kernels: %s\n", right ? "right" : "WRONG");
    return right;
  });
}
