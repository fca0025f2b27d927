// The worklist in hardware under the same stress as those in software. It needs a GPU with a
// hardware worklist.
// gpu: fermi-4core
// compiler: clang
// run: --with hwwl
#include "../../programs/worklists.h"

int main() {
  using Double = Worklist<Hardware<Buffering::double_buffered>>;
  using Single = Worklist<Hardware<Buffering::single_buffered>>;
  constexpr unsigned kSize = 1000;
  host_pushes_join_kernels<Double>();
  Stress trees(kSize, 10, false);
  stress_one<Hardware<Buffering::double_buffered>>(trees, kSize);
  stress_one<Hardware<Buffering::single_buffered>>(trees, kSize);
  trees.run<Double>(&each<Double::Device>, 128, 0, kSize);
  trees.run<Single>(&each<Single::Device>, 1, 1, kSize);
  Stress chains(kSize, 100, true);
  chains.run<Single>(&each<Single::Device>, 64, 4, 128);
  return finish();
}
