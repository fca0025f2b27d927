// Graphs that allocate and free memory, captured and built (CUDA programming guide, "Graph Memory
// Nodes"; CUDA runtime API, cudaGraphAddMemAllocNode).
#include "check.h"

__global__ void fill(int* values, int value) { values[threadIdx.x] = value + threadIdx.x; }
__global__ void add(int* to, const int* from) { to[threadIdx.x] += from[threadIdx.x]; }

constexpr std::size_t kBytes = 64 * sizeof(int);

unsigned long long in_use() {
  unsigned long long bytes = ~0ull;
  CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &bytes));
  return bytes;
}
// Hardware counts in pieces of 32 MiB, which it keeps when they are freed (NVIDIA H200, CUDA 13.0).
#ifdef ON_HARDWARE
#define EXPECT_IN_USE(bytes) EXPECT(in_use() % (32 << 20) == 0)
#else
#define EXPECT_IN_USE(bytes) EXPECT_EQ(in_use(), bytes)
#endif

cudaGraphExec_t made_of(cudaGraph_t graph, unsigned long long flags = 0) {
  cudaGraphExec_t executable = nullptr;
  CHECK(cudaGraphInstantiateWithFlags(&executable, graph, flags));
  return executable;
}

// Memory that lives within a graph: allocated, used and freed by it, as often as it is launched.
void captured(cudaStream_t stream) {
  int* sums = to_device(std::vector<int>(64));
  int *first = nullptr, *second = nullptr;
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMallocAsync(&first, kBytes, stream));
  fill<<<1, 64, 0, stream>>>(first, 100);
  CHECK(cudaMallocAsync(&second, kBytes, stream));
  CHECK(cudaMemcpyAsync(second, first, kBytes, cudaMemcpyDeviceToDevice, stream));
  CHECK(cudaFreeAsync(first, stream));
  add<<<1, 64, 0, stream>>>(sums, second);
  EXPECT_EQ(cudaFreeAsync(first, stream), cudaErrorInvalidValue);  // twice in one graph
  CHECK(cudaFreeAsync(second, stream));
  EXPECT_EQ(cudaFreeAsync(sums, stream), cudaErrorInvalidValue);  // no graph's
  CHECK(cudaStreamEndCapture(stream, &graph));
  EXPECT(first != nullptr && second != nullptr && first != second);
  std::size_t count = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &count));
  EXPECT_EQ(count, 7u);
  std::vector<cudaGraphNode_t> nodes(count);
  CHECK(cudaGraphGetNodes(graph, nodes.data(), &count));
  cudaGraphNodeType type;
  CHECK(cudaGraphNodeGetType(nodes[0], &type));
  EXPECT_EQ(type, cudaGraphNodeTypeMemAlloc);
  cudaMemAllocNodeParams parameters = {};
  CHECK(cudaGraphMemAllocNodeGetParams(nodes[0], &parameters));
  EXPECT(parameters.dptr == first && parameters.bytesize == kBytes);
  void* freed = nullptr;
  CHECK(cudaGraphMemFreeNodeGetParams(nodes[4], &freed));
  EXPECT(freed == first);

  const cudaGraphExec_t executable = made_of(graph);
  EXPECT_IN_USE(0u);
  for (int launch = 0; launch < 3; ++launch) CHECK(cudaGraphLaunch(executable, stream));
  EXPECT_IN_USE(2 * kBytes);
  CHECK(cudaStreamSynchronize(stream));
  EXPECT_IN_USE(0u);
  cudaGetLastError();
  const std::vector<int> found = to_host(sums, 64);
  for (int i = 0; i < 64; ++i) EXPECT_EQ_AT(i, found[i], 3 * (100 + i));
  unsigned long long most = 0;
  CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &most));
  EXPECT_EQ(most, 2 * kBytes);

  // What such a graph cannot be used for.
  cudaGraph_t other = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaGraphExec_t second_one = nullptr;
  EXPECT(cudaGraphClone(&other, graph) != cudaSuccess);
  EXPECT(cudaGraphInstantiateWithFlags(&second_one, graph, 0) != cudaSuccess);
  EXPECT(cudaGraphDestroyNode(nodes[1]) != cudaSuccess);
  CHECK(cudaGraphCreate(&other, 0));
  EXPECT(cudaGraphAddChildGraphNode(&node, other, nullptr, 0, graph) != cudaSuccess);
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphExecDestroy(made_of(graph)));  // after the first one, another
  CHECK(cudaGraphDestroy(graph));
  cudaGetLastError();
}

// Memory that outlives the graph which allocates it, until the program or another graph frees it.
void outliving(cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t allocate = nullptr, kernel = nullptr, free = nullptr;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaMemAllocNodeParams parameters = {};
  parameters.poolProps.allocType = cudaMemAllocationTypePinned;
  parameters.poolProps.location.type = cudaMemLocationTypeDevice;
  parameters.bytesize = kBytes;
  CHECK(cudaGraphAddMemAllocNode(&allocate, graph, nullptr, 0, &parameters));
  int* memory = static_cast<int*>(parameters.dptr);
  int value = 7;
  void* arguments[] = {&memory, &value};
  cudaKernelNodeParams launch = {};
  launch.func = reinterpret_cast<void*>(fill);
  launch.gridDim = dim3(1);
  launch.blockDim = dim3(64);
  launch.kernelParams = arguments;
  CHECK(cudaGraphAddKernelNode(&kernel, graph, &allocate, 1, &launch));
  const cudaGraphExec_t executable = made_of(graph);

  std::vector<int> found(64);
  // There are no values before a launch.
  EXPECT_EQ(cudaMemcpy(found.data(), memory, kBytes, cudaMemcpyDeviceToHost),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeAsync(memory, stream), cudaErrorInvalidValue);
  CHECK(cudaGraphLaunch(executable, stream));
  EXPECT_EQ(cudaGraphLaunch(executable, stream), cudaErrorInvalidValue);  // not freed yet
  CHECK(cudaMemcpyAsync(found.data(), memory, kBytes, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaFreeAsync(memory, stream));
  CHECK(cudaStreamSynchronize(stream));
  for (int i = 0; i < 64; ++i) EXPECT_EQ_AT(i, found[i], 7 + i);
  CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaFree(memory));
  EXPECT_EQ(cudaFree(memory), cudaErrorInvalidValue);

  // Another graph frees it.
  cudaGraph_t freeing = nullptr;
  CHECK(cudaGraphCreate(&freeing, 0));
  EXPECT_EQ(cudaGraphAddMemFreeNode(&free, freeing, nullptr, 0, found.data()),
            cudaErrorInvalidValue);
  CHECK(cudaGraphAddMemFreeNode(&free, freeing, nullptr, 0, memory));
  const cudaGraphExec_t freer = made_of(freeing);
  EXPECT_EQ(cudaGraphLaunch(freer, stream), cudaErrorInvalidValue);  // it is not allocated
  CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaGraphLaunch(freer, stream));
  CHECK(cudaStreamSynchronize(stream));
  EXPECT_IN_USE(0u);
  CHECK(cudaGraphExecDestroy(executable));

  // Or each launch frees what the one before it left.
  const cudaGraphExec_t again = made_of(graph, cudaGraphInstantiateFlagAutoFreeOnLaunch);
  for (int launch_number = 0; launch_number < 3; ++launch_number) {
    CHECK(cudaGraphLaunch(again, stream));
  }
  CHECK(cudaStreamSynchronize(stream));
  EXPECT_IN_USE(kBytes);
  CHECK(cudaMemcpy(found.data(), memory, kBytes, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) EXPECT_EQ_AT(i, found[i], 7 + i);
  // It is the program's, even when the graph is no more.
  CHECK(cudaGraphExecDestroy(again));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaMemcpy(found.data(), memory, kBytes, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(memory));
  EXPECT_IN_USE(0u);
  cudaGetLastError();
}

// Pools count what is taken from them; memory is freed once.
void pools(cudaStream_t stream) {
  cudaMemPool_t pool = nullptr;
  CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
  unsigned long long used = 1;
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  EXPECT_EQ(used, 0u);
  void* memory = nullptr;
  CHECK(cudaMallocAsync(&memory, 1000, stream));
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  EXPECT(used >= 1000);
  CHECK(cudaFreeAsync(memory, stream));
  EXPECT_EQ(cudaFreeAsync(memory, stream), cudaErrorInvalidValue);
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  EXPECT_EQ(used, 0u);
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &used));
  EXPECT(used >= 1000);
  used = 0;
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &used));
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &used));
  EXPECT_EQ(used, 0u);
  used = 5;
  EXPECT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &used),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used),
            cudaErrorInvalidValue);
  cudaGetLastError();
}

int main() {
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreate(&stream));
  pools(stream);
  captured(stream);
  outliving(stream);
  return finish();
}
