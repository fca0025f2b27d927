// malloc, free, new and delete in kernels; memory outlives the kernel that allocated it.
#include "check.h"

struct Node {
  int value;
  Node* next;
};
__device__ Node* heads[64];

__global__ void build(int length) {
  Node* head = nullptr;
  for (int i = 0; i < length; ++i) {
    Node* const node = static_cast<Node*>(malloc(sizeof(Node)));
    if (node == nullptr) break;
    node->value = i * (threadIdx.x + 1);
    node->next = head;
    head = node;
  }
  heads[threadIdx.x] = head;
}
__global__ void sum_and_release(int* sums) {
  int sum = 0;
  for (Node* node = heads[threadIdx.x]; node != nullptr;) {
    sum += node->value;
    Node* const next = node->next;
    free(node);
    node = next;
  }
  sums[threadIdx.x] = sum;
}
__global__ void arrays(int* out) {
  int* const scratch = new int[threadIdx.x + 1];
  for (unsigned i = 0; i <= threadIdx.x; ++i) scratch[i] = i;
  int sum = 0;
  for (unsigned i = 0; i <= threadIdx.x; ++i) sum += scratch[i];
  delete[] scratch;
  out[threadIdx.x] = sum;
}

int main() {
  int* const out = device_array<int>(64);
  CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 4 << 20));
  build<<<1, 64>>>(10);
  sum_and_release<<<1, 64>>>(out);
  auto sums = to_host(out, 64);
  for (int i = 0; i < 64; ++i) EXPECT_EQ_AT(i, sums[i], 45 * (i + 1));
  arrays<<<1, 64>>>(out);
  sums = to_host(out, 64);
  for (int i = 0; i < 64; ++i) EXPECT_EQ_AT(i, sums[i], i * (i + 1) / 2);
  // Not after a kernel that uses the heap (CUDA runtime API, cudaDeviceSetLimit); printf is another one.
  EXPECT(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 8 << 20) == cudaErrorInvalidValue);
  CHECK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 16));
  return finish();
}
