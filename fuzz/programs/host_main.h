// main() of a random program on the host. Prints each launch with the hashes of its results, as
// tests/random_programs reads them. With the argument `words` it prints the results themselves.
// Included after the kernels.
#pragma once

#include <cstdio>

#include "tests/random_programs/words.h"

using Kernel = void (*)(const u32* in, u32* out, u32* global, u32* scratch, u32 seed);

static bool print_words = false;
static unsigned launches = 0;

static bool run_launch(const char* name, Kernel kernel, Dim grid, Dim block, u32 seed) {
  using namespace raddle::tests;
  const std::size_t threads = std::size_t{grid.x} * grid.y * grid.z * block.x * block.y * block.z;
  const std::vector<u32> in = program_input();
  std::vector<u32> out(threads * kOutWords, 0xeeeeeeee), global(kGlobalWords),
      scratch(threads * kScratchWords, 0x11111111);
  gridDim = grid;
  blockDim = block;
  kernel_call = [&] { kernel(in.data(), out.data(), global.data(), scratch.data(), seed); };
  bool ended = true;
  for (blockIdx.z = 0; blockIdx.z < grid.z; ++blockIdx.z) {
    for (blockIdx.y = 0; blockIdx.y < grid.y; ++blockIdx.y) {
      for (blockIdx.x = 0; blockIdx.x < grid.x; ++blockIdx.x) ended &= run_block();
    }
  }
  if (print_words) {
    const char* const names[] = {"out", "global", "scratch"};
    const std::vector<u32>* const buffers[] = {&out, &global, &scratch};
    for (unsigned b = 0; b < 3; ++b) {
      for (std::size_t i = 0; i < buffers[b]->size(); ++i) {
        printf("%u %s[%zu] %08x\n", launches, names[b], i, (*buffers[b])[i]);
      }
    }
    ++launches;
    return ended;
  }
  printf("// launch %s %u %u %u %u %u %u %u", name, grid.x, grid.y, grid.z, block.x, block.y,
         block.z, seed);
  for (const std::vector<u32>* words : {&out, &global, &scratch}) {
    printf(" %016llx", (unsigned long long)hash_words(words->data(), words->size()));
  }
  printf("\n");
  return ended;
}
