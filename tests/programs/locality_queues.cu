// Task trees: what the caller keeps from one call to the next. A queue outlives expand(), and adds nothing
// after an error. CUDA's last error is the caller's own. Arguments need no default constructor, and kinds
// of work cannot fill the memory with empty places.
// gpu: v100
// run: --set gpu.sms=4
#include <raddle/locality.cuh>

#include <stdexcept>
#include <string>

#include "check.h"

namespace locality = raddle::locality;
using locality::Grouping;
using locality::Threshold;

/// A binary tree of 32 leaves below a root; the host fails in iteration `fails`.
struct Leaves {
  struct Argument {
    explicit __host__ __device__ Argument(unsigned n) : node(n) {}
    unsigned node;
  };
  using Reducer = locality::Both<locality::Sum<unsigned>, locality::Sum<double>>;
  unsigned fails;

  template <class At>
  __host__ __device__ void operator()([[maybe_unused]] std::uint32_t i, const Argument& call,
                                      At& at) const {
#ifndef __CUDA_ARCH__
    if (i == fails) throw std::runtime_error("the user's own");
#endif
    if (call.node >= 32) return at.reduce({1u, 0.5});
    at.spawn(Argument(2 * call.node));
    at.spawn(Argument(2 * call.node + 1));
  }
  Argument root(std::uint32_t) const { return Argument(1); }
  locality::Domain domain(std::uint32_t, const Argument& call) const { return call.node; }
};
constexpr unsigned kNever = 1000;

/// Each task is work of its own kind.
struct Kinds : Leaves {
  unsigned kind(std::uint32_t i, const Argument&) const { return i; }
};

template <class Work>
std::string error_of(const Work& work) {
  try {
    work();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "none";
}

locality::Options options_of(unsigned host_threads, unsigned strip = 1) {
  locality::Options options;
  options.threshold = Threshold::depth(2);
  options.grouping = Grouping::domain;
  options.host_threads = host_threads;
  options.strip = strip;
  return options;
}

void test_queue_outlives_expand() {
  locality::Forest<Leaves> forest(options_of(16));
  forest.start(1);
  auto queue = forest.get_queue(0);
  forest.expand(16, {kNever});
  queue.add_task(3, Leaves::Argument(16));
  forest.execute({kNever});
  const auto found = forest.reduce();
  for (unsigned i = 0; i < 16; ++i) {
    EXPECT_EQ_AT(i, found[i].first, 32 + (i == 3 ? 2 : 0));
    EXPECT_EQ_AT(i, found[i].second, found[i].first / 2.0);
  }
}

void test_queue_after_an_error() {
  locality::Forest<Leaves> forest(options_of(1));
  forest.start(3);
  auto queue = forest.get_queue(0);
  EXPECT(error_of([&] { forest.expand(3, {2}); }) == "the user's own");
  EXPECT(error_of([&] { queue.add_task(0, Leaves::Argument(5)); }).find("start() first") !=
         std::string::npos);
  EXPECT(error_of([&] { forest.execute({kNever}); }).find("start() first") != std::string::npos);
}

void test_last_error() {
  EXPECT(cudaSetDevice(99) != cudaSuccess);
  locality::Forest<Leaves> forest(options_of(1));
  EXPECT_EQ(forest.run(2, {kNever}, {kNever})[1].first, 32u);
  EXPECT(cudaGetLastError() == cudaErrorInvalidDevice);  // the caller's

  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  locality::Forest<Leaves> capturing(options_of(1), stream);
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  const std::string error = error_of([&] { capturing.run(2, {kNever}, {kNever}); });
  EXPECT(error.find("locality: ") == 0);
  EXPECT(cudaGetLastError() == cudaSuccess);  // the Error has told it
  cudaGraph_t graph = nullptr;
  cudaStreamEndCapture(stream, &graph);
  if (graph != nullptr) CHECK(cudaGraphDestroy(graph));
  static_cast<void>(cudaGetLastError());
}

void test_kinds_and_strips() {
  locality::Forest<Kinds> forest(options_of(1, 1000));
  Kinds function{};
  function.fails = 100000;
  EXPECT(error_of([&] { forest.run(5000, function, function); }).find("Options::strip") !=
         std::string::npos);
}

int main() {
  test_queue_outlives_expand();
  test_queue_after_an_error();
  test_last_error();
  test_kinds_and_strips();
  return finish();
}
