// Host functions and callbacks run in the order of their stream.
#include "check.h"

__global__ void add(int* value, int amount) { *value += amount; }

struct State {
  int* mapped;
  int seen[2];
  int calls;
};
void CUDART_CB look(void* data) {
  auto* const state = static_cast<State*>(data);
  state->seen[state->calls++] = *state->mapped;
}
void CUDART_CB look_as_callback(cudaStream_t, cudaError_t status, void* data) {
  if (status == cudaSuccess) look(data);
}

// What a stream runs on the host may not call CUDA.
cudaError_t of_malloc = cudaSuccess, of_synchronize = cudaSuccess;
void CUDART_CB call_cuda(void*) {
  void* memory = nullptr;
  of_malloc = cudaMalloc(&memory, 16);
  of_synchronize = cudaDeviceSynchronize();
}

int main() {
  State state = {};
  CHECK(cudaHostAlloc(&state.mapped, sizeof(int), cudaHostAllocMapped));
  *state.mapped = 1;
  int* device;
  CHECK(cudaHostGetDevicePointer(reinterpret_cast<void**>(&device), state.mapped, 0));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  add<<<1, 1, 0, stream>>>(device, 10);
  CHECK(cudaLaunchHostFunc(stream, look, &state));
  add<<<1, 1, 0, stream>>>(device, 100);
  CHECK(cudaStreamAddCallback(stream, look_as_callback, &state, 0));
  add<<<1, 1, 0, stream>>>(device, 1000);
  CHECK(cudaStreamSynchronize(stream));
  EXPECT_EQ(state.calls, 2);
  EXPECT_EQ(state.seen[0], 11);
  EXPECT_EQ(state.seen[1], 111);
  EXPECT_EQ(*state.mapped, 1111);
  CHECK(cudaLaunchHostFunc(stream, call_cuda, nullptr));
  CHECK(cudaStreamSynchronize(stream));
  EXPECT_EQ(of_malloc, cudaErrorNotPermitted);
  EXPECT_EQ(of_synchronize, cudaErrorNotPermitted);
  return finish();
}
