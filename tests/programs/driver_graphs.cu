// cc: -lcuda
// Graphs of the driver API: built by hand, changed, cloned, nested, captured.
#include <cuda.h>

#include <algorithm>

#include "check.h"

const char ptx[] = R"(
.version 6.0
.target sm_30
.address_size 64
.visible .entry add(.param .u64 at, .param .u32 what) {
  .reg .u32 %r<5>;
  .reg .u64 %d<4>;
  ld.param.u64 %d1, [at];
  ld.param.u32 %r1, [what];
  mov.u32 %r2, %tid.x;
  cvta.to.global.u64 %d1, %d1;
  mul.wide.u32 %d2, %r2, 4;
  add.u64 %d3, %d1, %d2;
  ld.global.u32 %r3, [%d3];
  add.u32 %r4, %r3, %r1;
  st.global.u32 [%d3], %r4;
  ret;
}
)";

#define CHECK_DRIVER(call) EXPECT((call) == CUDA_SUCCESS)

constexpr unsigned kThreads = 64;
CUfunction kernel;
CUdeviceptr memory;
std::vector<int> on_host(kThreads);
int calls = 0;

void expect_all(int value) {
  for (unsigned i = 0; i < kThreads; ++i) EXPECT_EQ_AT(i, on_host[i], value);
}

void count_call(void* counter) { ++*static_cast<int*>(counter); }

CUDA_KERNEL_NODE_PARAMS addition(void** arguments) {
  CUDA_KERNEL_NODE_PARAMS p = {};
  p.func = kernel;
  p.gridDimX = p.gridDimY = p.gridDimZ = p.blockDimY = p.blockDimZ = 1;
  p.blockDimX = kThreads;
  p.kernelParams = arguments;
  return p;
}

void by_hand(CUstream stream) {
  CUgraph graph;
  CHECK_DRIVER(cuGraphCreate(&graph, 0));
  CUDA_MEMSET_NODE_PARAMS fill = {};
  fill.dst = memory;
  fill.value = 100;
  fill.elementSize = 4;
  fill.width = kThreads;
  fill.height = 1;
  CUgraphNode filled, added, copied, called;
  CHECK_DRIVER(cuGraphAddMemsetNode(&filled, graph, nullptr, 0, &fill, nullptr));
  unsigned what = 11;
  void* arguments[] = {&memory, &what};
  CUDA_KERNEL_NODE_PARAMS p = addition(arguments);
  CHECK_DRIVER(cuGraphAddKernelNode(&added, graph, &filled, 1, &p));
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = memory;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = on_host.data();
  copy.WidthInBytes = kThreads * sizeof(int);
  copy.Height = copy.Depth = 1;
  CHECK_DRIVER(cuGraphAddMemcpyNode(&copied, graph, &added, 1, &copy, nullptr));
  CUDA_HOST_NODE_PARAMS call = {count_call, &calls};
  CHECK_DRIVER(cuGraphAddHostNode(&called, graph, &copied, 1, &call));

  std::size_t count = 0;
  CHECK_DRIVER(cuGraphGetNodes(graph, nullptr, &count));
  EXPECT_EQ(count, 4u);
  CUgraphNode root = nullptr;
  count = 1;
  CHECK_DRIVER(cuGraphGetRootNodes(graph, &root, &count));
  EXPECT(count == 1 && root == filled);
  CUgraphNodeType type;
  CHECK_DRIVER(cuGraphNodeGetType(copied, &type));
  EXPECT_EQ(type, CU_GRAPH_NODE_TYPE_MEMCPY);

  CUgraphExec executable;
  CHECK_DRIVER(cuGraphInstantiateWithFlags(&executable, graph, 0));
  for (int i = 0; i < 2; ++i) CHECK_DRIVER(cuGraphLaunch(executable, stream));
  CHECK_DRIVER(cuStreamSynchronize(stream));
  expect_all(111);
  EXPECT_EQ(calls, 2);

  what = 22;  // nodes have copies of their arguments
  CHECK_DRIVER(cuGraphLaunch(executable, stream));
  CHECK_DRIVER(cuStreamSynchronize(stream));
  expect_all(111);
  CHECK_DRIVER(cuGraphExecKernelNodeSetParams(executable, added, &p));
  CHECK_DRIVER(cuGraphLaunch(executable, stream));
  CHECK_DRIVER(cuStreamSynchronize(stream));
  expect_all(122);

  // The graph itself twice, one after the other, in another: the second begins anew.
  CUgraph outer, twin;
  CHECK_DRIVER(cuGraphClone(&twin, graph));
  CHECK_DRIVER(cuGraphCreate(&outer, 0));
  CUgraphNode first, second;
  CHECK_DRIVER(cuGraphAddChildGraphNode(&first, outer, nullptr, 0, graph));
  CHECK_DRIVER(cuGraphAddChildGraphNode(&second, outer, &first, 1, twin));
  CUgraphExec both;
  CHECK_DRIVER(cuGraphInstantiateWithFlags(&both, outer, 0));
  calls = 0;
  CHECK_DRIVER(cuGraphLaunch(both, stream));
  CHECK_DRIVER(cuStreamSynchronize(stream));
  expect_all(111);
  EXPECT_EQ(calls, 2);
  CHECK_DRIVER(cuGraphExecDestroy(both));
  CHECK_DRIVER(cuGraphExecDestroy(executable));
  CHECK_DRIVER(cuGraphDestroy(outer));
  CHECK_DRIVER(cuGraphDestroy(graph));
  EXPECT(cuGraphDestroy(graph) != CUDA_SUCCESS);
}

void captured(CUstream stream) {
  unsigned what = 5;
  void* arguments[] = {&memory, &what};
  CHECK_DRIVER(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  CHECK_DRIVER(cuMemsetD32Async(memory, 1, kThreads, stream));
  for (int i = 0; i < 3; ++i) {
    CHECK_DRIVER(cuLaunchKernel(kernel, 1, 1, 1, kThreads, 1, 1, 0, stream, arguments, nullptr));
  }
  CHECK_DRIVER(cuMemcpyDtoHAsync(on_host.data(), memory, kThreads * sizeof(int), stream));
  CUstreamCaptureStatus status;
  CHECK_DRIVER(cuStreamIsCapturing(stream, &status));
  EXPECT_EQ(status, CU_STREAM_CAPTURE_STATUS_ACTIVE);
  CUgraph graph;
  CHECK_DRIVER(cuStreamEndCapture(stream, &graph));
  std::fill(on_host.begin(), on_host.end(), 0);
  CHECK_DRIVER(cuStreamSynchronize(stream));
  expect_all(0);  // nothing has run yet
  CUgraphExec executable;
  CHECK_DRIVER(cuGraphInstantiateWithFlags(&executable, graph, 0));
  CHECK_DRIVER(cuGraphLaunch(executable, stream));
  CHECK_DRIVER(cuStreamSynchronize(stream));
  expect_all(16);
}

int main() {
  CHECK_DRIVER(cuInit(0));
  CUdevice device;
  CHECK_DRIVER(cuDeviceGet(&device, 0));
  CUcontext context;
  CHECK_DRIVER(cuDevicePrimaryCtxRetain(&context, device));
  CHECK_DRIVER(cuCtxSetCurrent(context));
  CUmodule module;
  CHECK_DRIVER(cuModuleLoadData(&module, ptx));
  CHECK_DRIVER(cuModuleGetFunction(&kernel, module, "add"));
  CHECK_DRIVER(cuMemAlloc(&memory, kThreads * sizeof(int)));
  CUstream stream;
  CHECK_DRIVER(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  by_hand(stream);
  captured(stream);
  return finish();
}
