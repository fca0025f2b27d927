// Task trees on a GPU that fails: the error of CUDA reaches the caller, and also the caller of the
// next run.
#include <raddle/locality.cuh>

#include <string>

#include "check.h"

namespace locality = raddle::locality;

struct Broken {
  using Argument = std::uint32_t;
  using Reducer = locality::Sum<unsigned>;
  const unsigned* values;
  template <class At>
  __host__ __device__ void operator()(std::uint32_t, std::uint32_t n, At& at) const {
    at.reduce(at.read(values + n));
  }
  std::uint32_t root(std::uint32_t i) const { return i; }
};

int main() {
  locality::Options options;
  options.threshold = locality::Threshold::depth(0);
  options.grouping = locality::Grouping::none;
  locality::Forest<Broken> forest(options);
  for (int again = 0; again < 2; ++again) {
    std::string said;
    try {
      forest.run(100, {nullptr}, {nullptr});
    } catch (const locality::Error& error) {
      said = error.what();
    }
    std::printf("%s\n", said.c_str());
    EXPECT(said.find("locality: ") == 0);
    EXPECT(said.find("cudaError") != std::string::npos);
  }
  return finish();
}
