// Attributes of launches and of kernel nodes of graphs: effective ones, hints that are only stored,
// and refused ones; and objects of the program that graphs keep alive.
// cuda: 12
#include <cooperative_groups.h>

#include <unistd.h>

#include "check.h"

// What the last thread of each block sees of the counter that all threads add to.
__global__ void wait_for_all(int* counter, int* seen) {
  atomicAdd(counter, 1);
  cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0) seen[blockIdx.x] = *counter;
}
__global__ void fill(int* to, int n, int value) {
  for (int i = 0; i < n; ++i) to[i] = value;
}
__global__ void copy(int* to, const int* from, int n) { *to = from[n - 1]; }

static cudaLaunchConfig_t launch_of(unsigned blocks, unsigned threads, cudaStream_t stream,
                                    cudaLaunchAttribute* attribute) {
  cudaLaunchConfig_t launch = {};
  launch.gridDim = dim3(blocks);
  launch.blockDim = dim3(threads);
  launch.stream = stream;
  launch.attrs = attribute;
  launch.numAttrs = 1;
  return launch;
}

static void test_events(int* data, cudaLaunchAttributeID id) {
  cudaStream_t first, second;
  CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  cudaEvent_t event;
  CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  CHECK(cudaMemset(data, 0, 4000));
  cudaLaunchAttribute attribute = {};
  attribute.id = id;
  if (id == cudaLaunchAttributeProgrammaticEvent) {
    attribute.val.programmaticEvent.event = event;
  } else {
    attribute.val.launchCompletionEvent.event = event;
  }
  const cudaLaunchConfig_t launch = launch_of(1, 1, first, &attribute);
  CHECK(cudaLaunchKernelEx(&launch, fill, data, 500, 7));
  EXPECT_EQ(cudaEventQuery(event), cudaErrorNotReady);
  CHECK(cudaStreamWaitEvent(second, event, 0));
  copy<<<1, 1, 0, second>>>(data + 999, data, 500);
  int found = 0;
  CHECK(cudaStreamSynchronize(second));
  CHECK(cudaMemcpy(&found, data + 999, sizeof found, cudaMemcpyDeviceToHost));
  EXPECT_EQ(found, 7);
}

static void test_refusals(int* data) {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 2;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t launch = launch_of(2, 32, nullptr, &attribute);
#ifndef ON_HARDWARE  // the simulator has no clusters
  EXPECT_EQ(cudaLaunchKernelEx(&launch, fill, data, 1, 1), cudaErrorNotSupported);
#endif
  attribute.val.clusterDim.x = 1;
  EXPECT_EQ(cudaLaunchKernelEx(&launch, fill, data, 1, 1), cudaSuccess);
  attribute.id = static_cast<cudaLaunchAttributeID>(77);
  EXPECT_EQ(cudaLaunchKernelEx(&launch, fill, data, 1, 1), cudaErrorInvalidValue);
  CHECK(cudaDeviceSynchronize());
}

static cudaGraphNode_t kernel_node(cudaGraph_t graph, void* function, unsigned blocks,
                                   void** arguments) {
  cudaKernelNodeParams parameters = {};
  parameters.func = function;
  parameters.gridDim = dim3(blocks);
  parameters.blockDim = dim3(32);
  parameters.kernelParams = arguments;
  cudaGraphNode_t node;
  CHECK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters));
  return node;
}

static void run(cudaGraph_t graph) {
  cudaGraphExec_t executable;
  CHECK(cudaGraphInstantiateWithFlags(&executable, graph, 0));
  CHECK(cudaGraphLaunch(executable, nullptr));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaGraphExecDestroy(executable));
}

static void test_nodes(int* data) {
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  constexpr unsigned kBlocks = 4;
  int* seen = data + 1;
  void* arguments[] = {&data, &seen};
  cudaGraphNode_t node =
      kernel_node(graph, reinterpret_cast<void*>(wait_for_all), kBlocks, arguments);
  cudaLaunchAttributeValue value = {};
  value.cooperative = 1;
  CHECK(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeCooperative, &value));
  value = {};
  value.priority = -3;
  CHECK(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributePriority, &value));
  value = {};
  value.accessPolicyWindow.base_ptr = data;
  value.accessPolicyWindow.num_bytes = 64;
  CHECK(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeAccessPolicyWindow, &value));
  EXPECT_EQ(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeProgrammaticEvent, &value),
            cudaErrorInvalidValue);

  void* fill_arguments[] = {&data, seen, seen};
  int n = 1, zero = 0;
  fill_arguments[1] = &n;
  fill_arguments[2] = &zero;
  cudaGraph_t other;
  CHECK(cudaGraphCreate(&other, 0));
  cudaGraphNode_t plain = kernel_node(other, reinterpret_cast<void*>(fill), 1, fill_arguments);
  CHECK(cudaGraphKernelNodeGetAttribute(plain, cudaLaunchAttributePriority, &value));
  EXPECT_EQ(value.priority, 0);
  CHECK(cudaGraphKernelNodeCopyAttributes(plain, node));
  for (const cudaGraphNode_t one : {node, plain}) {
    CHECK(cudaGraphKernelNodeGetAttribute(one, cudaLaunchAttributePriority, &value));
    EXPECT_EQ(value.priority, -3);
    CHECK(cudaGraphKernelNodeGetAttribute(one, cudaLaunchAttributeCooperative, &value));
    EXPECT_EQ(value.cooperative, 1);
    CHECK(cudaGraphKernelNodeGetAttribute(one, cudaLaunchAttributeAccessPolicyWindow, &value));
    EXPECT_EQ(value.accessPolicyWindow.num_bytes, 64u);
  }
  CHECK(cudaMemset(data, 0, 4000));
  run(graph);
  int found[1 + kBlocks];
  CHECK(cudaMemcpy(found, data, sizeof found, cudaMemcpyDeviceToHost));
  for (const int one : found) EXPECT_EQ(one, 32 * kBlocks);

  // More blocks than can be resident at once: a cooperative node cannot have so many.
  cudaKernelNodeParams many;
  CHECK(cudaGraphKernelNodeGetParams(node, &many));
  many.gridDim = dim3(1 << 20);
  EXPECT_EQ(cudaGraphKernelNodeSetParams(node, &many), cudaErrorCooperativeLaunchTooLarge);
}

// A captured launch has the priority of its stream.
static void test_captured_priority(int* data) {
  int least, greatest;
  CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  fill<<<1, 1, 0, stream>>>(data, 1, 1);
  cudaGraph_t graph;
  CHECK(cudaStreamEndCapture(stream, &graph));
  cudaGraphNode_t node;
  std::size_t count = 1;
  CHECK(cudaGraphGetNodes(graph, &node, &count));
  cudaLaunchAttributeValue value = {};
  CHECK(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributePriority, &value));
  EXPECT_EQ(value.priority, greatest);
}

static void count_call(void* calls) { ++*static_cast<int*>(calls); }

static void test_user_objects() {
  int calls = 0;
  cudaUserObject_t object;
  CHECK(cudaUserObjectCreate(&object, &calls, count_call, 2, cudaUserObjectNoDestructorSync));
  cudaGraph_t graph, copy;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
  CHECK(cudaGraphRetainUserObject(graph, object, 2, 0));
  CHECK(cudaUserObjectRelease(object, 1));
  CHECK(cudaGraphReleaseUserObject(graph, object, 2));
#ifndef ON_HARDWARE  // where references are released that are not there, the object is destroyed early
  EXPECT_EQ(cudaGraphReleaseUserObject(graph, object, 2), cudaErrorInvalidValue);
#endif
  CHECK(cudaGraphClone(&copy, graph));
  cudaGraphExec_t executable;
  CHECK(cudaGraphInstantiateWithFlags(&executable, graph, 0));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaGraphDestroy(copy));
  EXPECT_EQ(calls, 0);
  CHECK(cudaGraphLaunch(executable, nullptr));
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaDeviceSynchronize());
#ifdef ON_HARDWARE  // which calls from a thread of its own
  for (int wait = 0; wait < 1000 && *static_cast<volatile int*>(&calls) == 0; ++wait) usleep(1000);
#endif
  EXPECT_EQ(calls, 1);
#ifndef ON_HARDWARE
  EXPECT_EQ(cudaUserObjectRelease(object, 1), cudaErrorInvalidValue);
#endif
}

int main() {
  int* data = device_array<int>(1000);
  test_events(data, cudaLaunchAttributeProgrammaticEvent);
  test_events(data, cudaLaunchAttributeLaunchCompletionEvent);
  test_refusals(data);
  test_nodes(data);
  test_captured_priority(data);
  test_user_objects();
  return finish();
}
