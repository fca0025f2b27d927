// A graph captured from two streams, and one built by hand.
#include "check.h"

__global__ void add(int* values, int by) { values[threadIdx.x] += by; }

int main() {
  int *values = nullptr, got[32];
  EXPECT_OK(cudaMalloc(&values, 32 * sizeof(int)));
  EXPECT_OK(cudaMemset(values, 0, 32 * sizeof(int)));
  cudaStream_t one, two;
  cudaEvent_t fork, join;
  EXPECT_OK(cudaStreamCreate(&one));
  EXPECT_OK(cudaStreamCreate(&two));
  EXPECT_OK(cudaEventCreate(&fork));
  EXPECT_OK(cudaEventCreate(&join));

  cudaGraph_t graph;
  EXPECT_OK(cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal));
  add<<<1, 32, 0, one>>>(values, 1);
  EXPECT_OK(cudaEventRecord(fork, one));
  EXPECT_OK(cudaStreamWaitEvent(two, fork, 0));
  add<<<1, 32, 0, two>>>(values, 10);
  EXPECT_OK(cudaEventRecord(join, two));
  EXPECT_OK(cudaStreamWaitEvent(one, join, 0));
  EXPECT_OK(cudaMemcpyAsync(got, values, sizeof got, cudaMemcpyDeviceToHost, one));
  EXPECT_OK(cudaStreamEndCapture(one, &graph));
  size_t nodes = 0;
  EXPECT_OK(cudaGraphGetNodes(graph, nullptr, &nodes));
  EXPECT(nodes == 3);
  cudaGraphExec_t executable;
  EXPECT_OK(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 3; ++i) EXPECT_OK(cudaGraphLaunch(executable, one));
  EXPECT_OK(cudaStreamSynchronize(one));
  EXPECT(got[5] == 33);
  EXPECT_OK(cudaGraphExecDestroy(executable));
  EXPECT_OK(cudaGraphDestroy(graph));

  EXPECT_OK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t clear, kernel;
  cudaMemsetParams memset_params = {values, 0, 7, 4, 32, 1};
  EXPECT_OK(cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &memset_params));
  int by = 100;
  void* arguments[] = {&values, &by};
  cudaKernelNodeParams kernel_params = {};
  kernel_params.func = reinterpret_cast<void*>(add);
  kernel_params.gridDim = dim3(1);
  kernel_params.blockDim = dim3(32);
  kernel_params.kernelParams = arguments;
  EXPECT_OK(cudaGraphAddKernelNode(&kernel, graph, &clear, 1, &kernel_params));
  EXPECT_OK(cudaGraphInstantiate(&executable, graph, 0));
  EXPECT_OK(cudaGraphLaunch(executable, nullptr));
  EXPECT_OK(cudaMemcpy(got, values, sizeof got, cudaMemcpyDeviceToHost));
  EXPECT(got[0] == 107 && got[31] == 107);
  return failures;
}
