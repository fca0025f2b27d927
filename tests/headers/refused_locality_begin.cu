// begin() runs once for each task. If it added to a sum, the sum would depend on the number of
// tasks.
#include <raddle/locality.cuh>

struct Twice {
  using Argument = unsigned;
  using Reducer = raddle::locality::Sum<unsigned>;
  template <class At>
  __host__ __device__ void begin(unsigned, At& at) {
    at.reduce(1);
  }
  template <class At>
  __host__ __device__ void operator()(unsigned, unsigned, At&) const {}
  unsigned root(unsigned) const { return 0; }
};

int main() { raddle::locality::Forest<Twice>().run(1, {}, {}); }
