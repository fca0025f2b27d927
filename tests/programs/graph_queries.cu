// Queries about graphs: the parameters of nodes, edges, captures into a graph, output for Graphviz;
// and about managed memory. The graph is made by hand: fill, copy, kernel, host.
// cc: -lcuda
// nvcc: -lcuda
#include <cuda.h>

#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include "check.h"

#if CUDART_VERSION >= 13000
#define NO_DATA nullptr,
#else
#define NO_DATA
#endif

struct Pair {
  int a, b;
};
__global__ void scale(int* p, Pair by, char, double offset) {
  p[threadIdx.x] = p[threadIdx.x] * by.a + by.b + static_cast<int>(offset);
}
static int calls = 0;
void note(void* add) { calls += *static_cast<int*>(add); }

struct Nodes {
  cudaGraph_t graph;
  cudaGraphNode_t fill, copy, kernel, host;
  int* device;
  int values[32];
  int step = 3;
};

void make(Nodes& n) {
  n.device = device_array<int>(32);
  CHECK(cudaGraphCreate(&n.graph, 0));
  const cudaMemsetParams fill = {n.device, 0, 7, 4, 32, 1};
  CHECK(cudaGraphAddMemsetNode(&n.fill, n.graph, nullptr, 0, &fill));
  int* p = n.device;
  Pair by = {2, 5};
  char unused = 'x';
  double offset = 100;
  void* arguments[] = {&p, &by, &unused, &offset};
  cudaKernelNodeParams kernel = {};
  kernel.func = reinterpret_cast<void*>(scale);
  kernel.gridDim = dim3(1);
  kernel.blockDim = dim3(32);
  kernel.sharedMemBytes = 64;
  kernel.kernelParams = arguments;
  CHECK(cudaGraphAddKernelNode(&n.kernel, n.graph, &n.fill, 1, &kernel));
  CHECK(cudaGraphAddMemcpyNode1D(&n.copy, n.graph, &n.kernel, 1, n.values, n.device,
                                 sizeof n.values, cudaMemcpyDeviceToHost));
  const cudaHostNodeParams host = {note, &n.step};
  CHECK(cudaGraphAddHostNode(&n.host, n.graph, &n.copy, 1, &host));
}

void run(cudaGraph_t graph) {
  cudaGraphExec_t executable;
  CHECK(cudaGraphInstantiateWithFlags(&executable, graph, 0));
  CHECK(cudaGraphLaunch(executable, nullptr));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaGraphExecDestroy(executable));
}

void parameters(Nodes& n) {
  cudaMemsetParams fill;
  CHECK(cudaGraphMemsetNodeGetParams(n.fill, &fill));
  EXPECT(fill.dst == n.device && fill.value == 7 && fill.elementSize == 4);
  EXPECT(fill.width == 32 && fill.height == 1);
  cudaKernelNodeParams kernel;
  CHECK(cudaGraphKernelNodeGetParams(n.kernel, &kernel));
  EXPECT(kernel.gridDim.x == 1 && kernel.blockDim.x == 32 && kernel.sharedMemBytes == 64);
  EXPECT(*static_cast<int**>(kernel.kernelParams[0]) == n.device);
  EXPECT(static_cast<Pair*>(kernel.kernelParams[1])->b == 5);
  EXPECT(*static_cast<char*>(kernel.kernelParams[2]) == 'x');
  EXPECT(*static_cast<double*>(kernel.kernelParams[3]) == 100);
  cudaMemcpy3DParms copy;
  CHECK(cudaGraphMemcpyNodeGetParams(n.copy, &copy));
  EXPECT(copy.srcPtr.ptr == n.device && copy.dstPtr.ptr == n.values);
  EXPECT(copy.extent.width == sizeof n.values && copy.extent.height == 1 && copy.extent.depth == 1);
  EXPECT(copy.kind == cudaMemcpyDeviceToHost && copy.srcArray == nullptr);
  cudaHostNodeParams host;
  CHECK(cudaGraphHostNodeGetParams(n.host, &host));
  EXPECT(host.fn == note && host.userData == &n.step);
  EXPECT(cudaGraphHostNodeGetParams(n.fill, &host) == cudaErrorInvalidValue);

  run(n.graph);
  EXPECT(n.values[31] == 7 * 2 + 5 + 100 && calls == 3);
  // What was asked for, changed in one field, can be set again.
  Pair by = {1, 0};
  kernel.kernelParams[1] = &by;
  CHECK(cudaGraphKernelNodeSetParams(n.kernel, &kernel));
  fill.value = 9;
  CHECK(cudaGraphMemsetNodeSetParams(n.fill, &fill));
  copy.extent.width = 4;
  CHECK(cudaGraphMemcpyNodeSetParams(n.copy, &copy));
  run(n.graph);
  EXPECT(n.values[0] == 109 && n.values[1] == 119 && calls == 6);
}

// A copy between an array and memory names the array.
void arrays() {
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CHECK(cudaMallocArray(&array, &format, 16, 8));
  float* const memory = device_array<float>(128);
  cudaMemcpy3DParms wanted = {};
  wanted.srcPtr = {memory, 64, 16, 8};
  wanted.dstArray = array;
  wanted.dstPos = {4, 2, 0};
  wanted.extent = {8, 3, 1};
  wanted.kind = cudaMemcpyDeviceToDevice;
  cudaGraph_t graph;
  cudaGraphNode_t node;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphAddMemcpyNode(&node, graph, nullptr, 0, &wanted));
  cudaMemcpy3DParms found;
  CHECK(cudaGraphMemcpyNodeGetParams(node, &found));
  EXPECT(found.dstArray == array && found.dstPos.x == 4 && found.dstPos.y == 2);
  EXPECT(found.srcPtr.ptr == memory && found.srcPtr.pitch == 64 && found.dstPtr.ptr == nullptr);
  EXPECT(found.extent.width == 8 && found.extent.height == 3 && found.extent.depth == 1);
  CUDA_MEMCPY3D driver;
  EXPECT(cuGraphMemcpyNodeGetParams(node, &driver) == CUDA_SUCCESS);
  EXPECT(driver.dstMemoryType == CU_MEMORYTYPE_ARRAY && driver.dstXInBytes == 16);
  EXPECT(driver.dstY == 2 && driver.WidthInBytes == 32 && driver.Height == 3);
  EXPECT(cuGraphMemcpyNodeSetParams(node, &driver) == CUDA_SUCCESS);
}

void edges_of_the_driver(Nodes& n) {
  size_t count = 0;
  EXPECT(cuGraphGetEdges(n.graph, nullptr, nullptr, NO_DATA & count) == CUDA_SUCCESS);
  EXPECT(count == 3);
  cudaGraphNode_t one[4] = {};
  count = 4;
  EXPECT(cuGraphNodeGetDependencies(n.copy, one, NO_DATA & count) == CUDA_SUCCESS);
  EXPECT(count == 1 && one[0] == n.kernel);
  count = 4;
  EXPECT(cuGraphNodeGetDependentNodes(n.copy, one, NO_DATA & count) == CUDA_SUCCESS);
  EXPECT(count == 1 && one[0] == n.host);
  EXPECT(cuGraphAddDependencies(n.graph, &n.fill, &n.host, NO_DATA 1) == CUDA_SUCCESS);
  EXPECT(cuGraphAddDependencies(n.graph, &n.fill, &n.host, NO_DATA 1) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuGraphRemoveDependencies(n.graph, &n.fill, &n.host, NO_DATA 1) == CUDA_SUCCESS);
  CUDA_KERNEL_NODE_PARAMS kernel;
  EXPECT(cuGraphKernelNodeGetParams(n.kernel, &kernel) == CUDA_SUCCESS);
  EXPECT(kernel.blockDimX == 32 && *static_cast<char*>(kernel.kernelParams[2]) == 'x');
  EXPECT(cuGraphKernelNodeSetParams(n.kernel, &kernel) == CUDA_SUCCESS);
}

void events_and_children(Nodes& n) {
  cudaEvent_t first, second, found;
  CHECK(cudaEventCreate(&first));
  CHECK(cudaEventCreate(&second));
  cudaGraph_t graph, child;
  cudaGraphNode_t record, wait, inner;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphAddEventRecordNode(&record, graph, nullptr, 0, first));
  CHECK(cudaGraphAddEventWaitNode(&wait, graph, &record, 1, first));
  CHECK(cudaGraphAddChildGraphNode(&inner, graph, &wait, 1, n.graph));
  CHECK(cudaGraphEventRecordNodeGetEvent(record, &found));
  EXPECT(found == first);
  CHECK(cudaGraphEventWaitNodeSetEvent(wait, second));
  CHECK(cudaGraphEventWaitNodeGetEvent(wait, &found));
  EXPECT(found == second);
  EXPECT(cudaGraphEventRecordNodeGetEvent(wait, &found) == cudaErrorInvalidValue);
  CHECK(cudaGraphChildGraphNodeGetGraph(inner, &child));
  size_t nodes = 0;
  CHECK(cudaGraphGetNodes(child, nullptr, &nodes));
  EXPECT(nodes == 4 && child != n.graph);
  // The executable graph gets another child of the same shape.
  cudaGraphExec_t executable;
  CHECK(cudaGraphInstantiateWithFlags(&executable, graph, 0));
  const cudaMemsetParams fill = {n.device, 0, 1000, 4, 32, 1};
  CHECK(cudaGraphMemsetNodeSetParams(n.fill, &fill));
  CHECK(cudaGraphExecChildGraphNodeSetParams(executable, inner, n.graph));
  CHECK(cudaGraphLaunch(executable, nullptr));
  CHECK(cudaDeviceSynchronize());
  EXPECT(n.values[0] == 1100);
  EXPECT(cudaGraphExecChildGraphNodeSetParams(executable, inner, graph) ==
         cudaErrorGraphExecUpdateFailure);  // NVIDIA H200, CUDA 13.0
}

// A stream adds to a graph that exists, behind the nodes that are named.
void capture(Nodes& n) {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCaptureToGraph(stream, n.graph, &n.copy, nullptr, 1,
                                      cudaStreamCaptureModeGlobal));
  CHECK(cudaMemsetAsync(n.device, 0, 128, stream));
  CHECK(cudaStreamUpdateCaptureDependencies(stream, &n.host, NO_DATA 1,
                                            cudaStreamAddCaptureDependencies));
  CHECK(cudaMemcpyAsync(n.values + 8, n.device, 4, cudaMemcpyDeviceToHost, stream));
  cudaGraph_t ended;
  CHECK(cudaStreamEndCapture(stream, &ended));
  EXPECT(ended == n.graph);
  size_t nodes = 0, count = 2;
  CHECK(cudaGraphGetNodes(n.graph, nullptr, &nodes));
  EXPECT(nodes == 6);
  cudaGraphNode_t all[6], after[2];
  CHECK(cudaGraphGetNodes(n.graph, all, &nodes));
  CHECK(cudaGraphNodeGetDependencies(all[4], after, NO_DATA & count));
  EXPECT(count == 1 && after[0] == n.copy);
  count = 2;
  CHECK(cudaGraphNodeGetDependencies(all[5], after, NO_DATA & count));
  EXPECT(count == 2 && after[0] == all[4] && after[1] == n.host);
  n.values[8] = -1;
  run(n.graph);
  EXPECT(n.values[8] == 0);
}

void graphviz(cudaGraph_t graph, const std::string& file) {
  CHECK(cudaGraphDebugDotPrint(graph, file.c_str(), cudaGraphDebugDotFlagsKernelNodeParams));
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  std::remove(file.c_str());
  const std::string dot = text.str();
  EXPECT(dot.rfind("digraph", 0) == 0);
#ifdef ON_HARDWARE
  const char* const sizes = "1,32,0";
#else
  const char* const sizes = "block (32,1,1)";
#endif
  for (const char* part :
       {"\"graph_1_node_0\" -> \"graph_1_node_1\"", "MEMSET", "scale", sizes, "HOST"}) {
    EXPECT(dot.find(part) != std::string::npos);
  }
  EXPECT(cudaGraphDebugDotPrint(graph, "/nowhere/at/all", 0) == cudaErrorOperatingSystem);
}

void managed_memory() {
  char* memory = nullptr;
  CHECK(cudaMallocManaged(&memory, 3 * 65536));
#if CUDART_VERSION >= 13000
  const cudaMemLocation gpu = {cudaMemLocationTypeDevice, 0}, cpu = {cudaMemLocationTypeHost, 0};
  CHECK(cudaMemPrefetchAsync(memory, 65536, gpu, 0, nullptr));
#else
  const int gpu = 0, cpu = cudaCpuDeviceId;
  CHECK(cudaMemPrefetchAsync(memory, 65536, gpu, nullptr));
#endif
  CHECK(cudaMemAdvise(memory, 2 * 65536, cudaMemAdviseSetReadMostly, gpu));
  CHECK(cudaMemAdvise(memory, 3 * 65536, cudaMemAdviseSetPreferredLocation, cpu));
  CHECK(cudaMemAdvise(memory, 3 * 65536, cudaMemAdviseSetAccessedBy, gpu));
  const auto ask = [&](cudaMemRangeAttribute attribute, size_t from, size_t bytes) {
    int value = -9;
    CHECK(cudaMemRangeGetAttribute(&value, 4, attribute, memory + from, bytes));
    return value;
  };
  EXPECT(ask(cudaMemRangeAttributeReadMostly, 0, 2 * 65536) == 1);
  EXPECT(ask(cudaMemRangeAttributeReadMostly, 0, 2 * 65536 + 1) == 0);
  EXPECT(ask(cudaMemRangeAttributePreferredLocation, 0, 3 * 65536) == cudaCpuDeviceId);
  EXPECT(ask(cudaMemRangeAttributeLastPrefetchLocation, 0, 65536) == 0);
  EXPECT(ask(cudaMemRangeAttributeLastPrefetchLocation, 0, 65537) == cudaInvalidDeviceId);
  int by[2] = {7, 7}, mostly = 7;
  void* data[] = {by, &mostly};
  size_t sizes[] = {sizeof by, sizeof mostly};
  cudaMemRangeAttribute attributes[] = {cudaMemRangeAttributeAccessedBy,
                                        cudaMemRangeAttributeReadMostly};
  CHECK(cudaMemRangeGetAttributes(data, sizes, attributes, 2, memory, 65536));
  EXPECT(by[0] == 0 && by[1] == cudaInvalidDeviceId && mostly == 1);
  CHECK(cudaMemAdvise(memory + 4096, 1, cudaMemAdviseUnsetReadMostly, gpu));
  EXPECT(ask(cudaMemRangeAttributeReadMostly, 0, 4096) == 1);
  EXPECT(ask(cudaMemRangeAttributeReadMostly, 8191, 1) == 0);
  EXPECT(ask(cudaMemRangeAttributeReadMostly, 8192, 1) == 1);
  CHECK(cudaFree(memory));
}

int main(int, char** argv) {
  Nodes n;
  make(n);
  edges_of_the_driver(n);
  parameters(n);
  arrays();
  graphviz(n.graph, std::string(argv[0]) + ".dot");
  events_and_children(n);
  capture(n);
  managed_memory();
  return finish();
}
