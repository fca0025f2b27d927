// A graph that is built by hand, queried for its edges, and changed: a diamond of additions and
// products.
#include "check.h"

__global__ void add(int* p, int n) { *p += n; }
__global__ void multiply(int* p, int n) { *p *= n; }

// CUDA 13 has an argument of edge data where CUDA 12 has none.
#if CUDART_VERSION >= 13000
#define NO_DATA nullptr,
#else
#define NO_DATA
#endif

static cudaGraphNode_t node(cudaGraph_t graph, void (*kernel)(int*, int), int* p, int n) {
  void* arguments[] = {&p, &n};
  cudaKernelNodeParams parameters = {};
  parameters.func = reinterpret_cast<void*>(kernel);
  parameters.gridDim = dim3(1);
  parameters.blockDim = dim3(1);
  parameters.kernelParams = arguments;
  cudaGraphNode_t made;
  CHECK(cudaGraphAddKernelNode(&made, graph, nullptr, 0, &parameters));
  return made;
}

static int run(cudaGraph_t graph, int* p) {
  int host = 1;
  CHECK(cudaMemcpy(p, &host, sizeof host, cudaMemcpyHostToDevice));
  cudaGraphExec_t executable;
  CHECK(cudaGraphInstantiateWithFlags(&executable, graph, 0));
  CHECK(cudaGraphLaunch(executable, nullptr));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaMemcpy(&host, p, sizeof host, cudaMemcpyDeviceToHost));
  return host;
}

int main() {
  int* p = device_array<int>(1);
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t a = node(graph, add, p, 4), b = node(graph, multiply, p, 10);
  CHECK(cudaGraphAddDependencies(graph, &a, &b, NO_DATA 1));
  EXPECT(run(graph, p) == 50);  // (1 + 4) * 10

  size_t edges = 0;
  CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, NO_DATA & edges));
  EXPECT(edges == 1);
  cudaGraphNode_t from, to;
  CHECK(cudaGraphGetEdges(graph, &from, &to, NO_DATA & edges));
  EXPECT(from == a && to == b);
  size_t count = 1;
  CHECK(cudaGraphNodeGetDependencies(b, &from, NO_DATA & count));
  EXPECT(count == 1 && from == a);
  CHECK(cudaGraphNodeGetDependentNodes(a, &to, NO_DATA & count));
  EXPECT(count == 1 && to == b);

  CHECK(cudaGraphRemoveDependencies(graph, &a, &b, NO_DATA 1));
  CHECK(cudaGraphAddDependencies(graph, &b, &a, NO_DATA 1));
  EXPECT(run(graph, p) == 14);  // 1 * 10 + 4

  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  cudaStreamAttrValue value = {};
  value.accessPolicyWindow.base_ptr = p;
  value.accessPolicyWindow.num_bytes = 4;
  value.accessPolicyWindow.hitRatio = 1;
  CHECK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
  cudaStreamAttrValue back = {};
  CHECK(cudaStreamGetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &back));
  EXPECT(back.accessPolicyWindow.num_bytes == 4);
  return finish();
}
