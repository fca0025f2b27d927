// A captured stream becomes a graph. It runs once for each launch, and not before.
#include "check.h"

__global__ void add(int* values, int count, int amount) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] += amount;
}

int main() {
  const int count = 300;
  int* const values = device_array<int>(count);
  CHECK(cudaMemset(values, 0, count * sizeof(int)));
  std::vector<int> host(count, -1);
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add<<<2, 256, 0, stream>>>(values, count, 1);
  add<<<2, 256, 0, stream>>>(values, count, 10);
  CHECK(cudaMemcpyAsync(host.data(), values, count * sizeof(int), cudaMemcpyDeviceToHost, stream));
  cudaGraph_t graph;
  CHECK(cudaStreamEndCapture(stream, &graph));
  EXPECT_EQ(to_host(values, 1)[0], 0);
  size_t nodes = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  EXPECT_EQ(nodes, 3);
  cudaGraphExec_t executable;
  CHECK(cudaGraphInstantiateWithFlags(&executable, graph, 0));
  for (int i = 0; i < 5; ++i) CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  for (int i = 0; i < count; ++i) EXPECT_EQ_AT(i, host[i], 55);
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));
  return finish();
}
