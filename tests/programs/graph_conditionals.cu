// Conditional nodes of graphs: if with and without an else, while, switch, a while within a while,
// and the value at the beginning of a launch.
// cuda: 13
#include <functional>

#include "check.h"

// CUDA 13 has an argument of edge data where CUDA 12 has none.
#if CUDART_VERSION >= 13000
#define NO_DATA nullptr,
#else
#define NO_DATA
#endif

using Handle = cudaGraphConditionalHandle;

__global__ void add(int* to, int n) { atomicAdd(to, n); }
__global__ void set(Handle condition, unsigned value) {
  if (threadIdx.x == 0) cudaGraphSetConditional(condition, value);
}
// Counts down, and is due again until zero.
__global__ void count_down(Handle condition, int* left) {
  if (threadIdx.x == 0) cudaGraphSetConditional(condition, --*left > 0 ? 1 : 0);
}

static Handle handle_of(cudaGraph_t graph, unsigned value, unsigned flags) {
  Handle handle;
  CHECK(cudaGraphConditionalHandleCreate(&handle, graph, value, flags));
  return handle;
}

struct Conditional {
  cudaGraphNode_t node;
  std::vector<cudaGraph_t> bodies;
};

static Conditional conditional(cudaGraph_t graph, Handle handle, cudaGraphConditionalNodeType type,
                               unsigned bodies, cudaGraphNode_t* after = nullptr) {
  cudaGraphNodeParams parameters = {};
  parameters.type = cudaGraphNodeTypeConditional;
  parameters.conditional.handle = handle;
  parameters.conditional.type = type;
  parameters.conditional.size = bodies;
  Conditional made;
  CHECK(cudaGraphAddNode(&made.node, graph, after, NO_DATA after != nullptr, &parameters));
  made.bodies.assign(parameters.conditional.phGraph_out,
                     parameters.conditional.phGraph_out + bodies);
  return made;
}

template <class... Parameters, class... Arguments>
static cudaGraphNode_t kernel(cudaGraph_t graph, void (*function)(Parameters...),
                              cudaGraphNode_t* after, Arguments... arguments) {
  void* pointers[] = {&arguments...};
  cudaKernelNodeParams parameters = {};
  parameters.func = reinterpret_cast<void*>(function);
  parameters.gridDim = dim3(2);
  parameters.blockDim = dim3(1);
  parameters.kernelParams = pointers;
  if (function != reinterpret_cast<void (*)(Parameters...)>(add)) parameters.gridDim = dim3(1);
  cudaGraphNode_t made;
  CHECK(cudaGraphAddKernelNode(&made, graph, after, after != nullptr, &parameters));
  return made;
}

static cudaGraphExec_t ready(cudaGraph_t graph) {
  cudaGraphExec_t executable;
  CHECK(cudaGraphInstantiateWithFlags(&executable, graph, 0));
  return executable;
}
static int after_launch(cudaGraphExec_t executable, const int* value) {
  CHECK(cudaGraphLaunch(executable, nullptr));
  CHECK(cudaDeviceSynchronize());
  int found;
  CHECK(cudaMemcpy(&found, value, sizeof found, cudaMemcpyDefault));
  return found;
}

static int* counter(int value) {
  int* made = device_array<int>(1);
  CHECK(cudaMemcpy(made, &value, sizeof value, cudaMemcpyHostToDevice));
  return made;
}

static cudaGraph_t new_graph() {
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  return graph;
}

// The sum of what the bodies of an `if` add: 10 the first, 1000 the second; two blocks each.
static int sum_of_if(unsigned value, unsigned bodies) {
  cudaGraph_t graph = new_graph();
  const Handle handle = handle_of(graph, 0, 0);
  cudaGraphNode_t decided = kernel(graph, set, nullptr, handle, value);
  const Conditional one = conditional(graph, handle, cudaGraphCondTypeIf, bodies, &decided);
  int* sum = counter(0);
  kernel(one.bodies[0], add, nullptr, sum, 10);
  if (bodies == 2) kernel(one.bodies[1], add, nullptr, sum, 1000);
  cudaGraphNode_t conditional_node = one.node;
  kernel(graph, add, &conditional_node, sum, 1);
  return after_launch(ready(graph), sum);
}

static void test_switch() {
  for (unsigned value = 0; value < 5; ++value) {
    cudaGraph_t graph = new_graph();
    const Handle handle = handle_of(graph, value, cudaGraphCondAssignDefault);
    const Conditional one = conditional(graph, handle, cudaGraphCondTypeSwitch, 3);
    int* sum = counter(0);
    for (int body = 0; body < 3; ++body) kernel(one.bodies[body], add, nullptr, sum, body + 1);
    EXPECT_EQ_AT(value, after_launch(ready(graph), sum), value < 3 ? 2 * (value + 1) : 0);
  }
}

// The body is captured; it runs as often as the counter says.
static void test_while() {
  cudaGraph_t graph = new_graph();
  const Handle handle = handle_of(graph, 1, cudaGraphCondAssignDefault);
  const Conditional one = conditional(graph, handle, cudaGraphCondTypeWhile, 1);
  int *sum = counter(0), *left = counter(7);
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCaptureToGraph(stream, one.bodies[0], nullptr, nullptr, 0,
                                      cudaStreamCaptureModeGlobal));
  add<<<3, 32, 0, stream>>>(sum, 1);
  count_down<<<1, 32, 0, stream>>>(handle, left);
  CHECK(cudaStreamEndCapture(stream, nullptr));
  cudaGraphNodeType type;
  CHECK(cudaGraphNodeGetType(one.node, &type));
  EXPECT_EQ(type, cudaGraphNodeTypeConditional);
  cudaGraphExec_t executable = ready(graph);
  EXPECT_EQ(after_launch(executable, sum), 7 * 96);
  // The default is there again: the body runs once, and counts to -1.
  EXPECT_EQ(after_launch(executable, sum), 8 * 96);
}

// Without a default the value is what kernels have left.
static void test_value_stays() {
  cudaGraph_t graph = new_graph();
  const Handle handle = handle_of(graph, 1, 0);
  const Conditional one = conditional(graph, handle, cudaGraphCondTypeIf, 1);
  int* sum = counter(0);
  kernel(one.bodies[0], add, nullptr, sum, 1);
  cudaGraphNode_t conditional_node = one.node;
  kernel(graph, set, &conditional_node, handle, 1u);
  cudaGraphExec_t executable = ready(graph);
  EXPECT_EQ(after_launch(executable, sum), 0);
  EXPECT_EQ(after_launch(executable, sum), 2);
}

// Three times, a counter is set to two, and an inner loop runs until it is zero.
static void test_loop_in_loop() {
  cudaGraph_t graph = new_graph();
  const Handle outer = handle_of(graph, 1, cudaGraphCondAssignDefault);
  const Conditional loop = conditional(graph, outer, cudaGraphCondTypeWhile, 1);
  cudaGraph_t body = loop.bodies[0];
  const Handle inner = handle_of(body, 1, 0);
  int *sum = counter(0), *rounds = counter(3), *left = counter(0);
  cudaGraphNode_t more = kernel(body, add, nullptr, left, 1);
  cudaGraphNode_t due = kernel(body, set, &more, inner, 1u);
  Conditional within = conditional(body, inner, cudaGraphCondTypeWhile, 1, &due);
  cudaGraphNode_t added = kernel(within.bodies[0], add, nullptr, sum, 5);
  kernel(within.bodies[0], count_down, &added, inner, left);
  kernel(body, count_down, &within.node, outer, rounds);
  EXPECT_EQ(after_launch(ready(graph), sum), 3 * 2 * 10);
}

static void test_refusals() {
  cudaGraph_t graph = new_graph();
  const Handle handle = handle_of(graph, 0, 0);
  cudaGraphExec_t executable;
  EXPECT_EQ(cudaGraphInstantiateWithFlags(&executable, graph, 0), cudaErrorInvalidValue);
  conditional(graph, handle, cudaGraphCondTypeIf, 1);
  cudaGraphNodeParams parameters = {};
  parameters.type = cudaGraphNodeTypeConditional;
  parameters.conditional.handle = handle;  // has a node
  parameters.conditional.size = 1;
  cudaGraphNode_t node;
  EXPECT_EQ(cudaGraphAddNode(&node, graph, nullptr, NO_DATA 0, &parameters), cudaErrorInvalidValue);
  parameters.conditional.handle = handle_of(graph, 0, 0);
  parameters.conditional.type = cudaGraphCondTypeWhile;
  parameters.conditional.size = 2;
  EXPECT_EQ(cudaGraphAddNode(&node, graph, nullptr, NO_DATA 0, &parameters), cudaErrorInvalidValue);
}

int main() {
  EXPECT_EQ(sum_of_if(0, 1), 2);
  EXPECT_EQ(sum_of_if(1, 1), 22);
  EXPECT_EQ(sum_of_if(0, 2), 2002);
  EXPECT_EQ(sum_of_if(5, 2), 22);
  test_switch();
  test_while();
  test_value_stays();
  test_loop_in_loop();
  test_refusals();
  return finish();
}
