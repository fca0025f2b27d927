// A reducer that does not say whether it is idempotent.
#include <raddle/locality.cuh>

struct Product {
  using Value = unsigned;
  __host__ __device__ static Value identity() { return 1; }
  __host__ __device__ static Value combine(const Value& a, const Value& b) { return a * b; }
};

struct Silent {
  using Argument = unsigned;
  using Reducer = Product;
  template <class At>
  __host__ __device__ void operator()(unsigned, unsigned, At&) const {}
  unsigned root(unsigned) const { return 0; }
};

int main() { raddle::locality::Forest<Silent>().run(1, {}, {}); }
