// An argument that cannot be stored in an array.
#include <raddle/locality.cuh>

struct Without {
  struct Argument {
    explicit __host__ __device__ Argument(unsigned n) : node(n) {}
    unsigned node;
  };
  template <class At>
  __host__ __device__ void operator()(unsigned, const Argument&, At&) const {}
  Argument root(unsigned) const { return Argument(0); }
};

int main() { raddle::locality::Forest<Without>().run(1, {}, {}); }
