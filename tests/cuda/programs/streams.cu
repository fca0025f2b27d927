// Order within streams, overlap between them, events on the simulated clock.
#include "check.h"

__global__ void scale(int* values, int by) { values[threadIdx.x] = values[threadIdx.x] * by + 1; }

void count_up(void* counter) { ++*static_cast<int*>(counter); }

int main() {
  int* values = nullptr;
  EXPECT_OK(cudaMalloc(&values, 32 * sizeof(int)));
  EXPECT_OK(cudaMemset(values, 0, 32 * sizeof(int)));
  EXPECT_OK(cudaDeviceSynchronize());
  cudaStream_t one, two;
  cudaEvent_t start, middle, end;
  EXPECT_OK(cudaStreamCreate(&one));
  EXPECT_OK(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
  EXPECT_OK(cudaEventCreate(&start));
  EXPECT_OK(cudaEventCreate(&middle));
  EXPECT_OK(cudaEventCreate(&end));

  // ((0 * 2 + 1) * 3 + 1) * 5 + 1, though the last kernel is in another stream.
  int called = 0;
  EXPECT_OK(cudaEventRecord(start, one));
  scale<<<1, 32, 0, one>>>(values, 2);
  scale<<<1, 32, 0, one>>>(values, 3);
  EXPECT_OK(cudaLaunchHostFunc(one, count_up, &called));
  EXPECT_OK(cudaEventRecord(middle, one));
  EXPECT_CODE(cudaEventQuery(middle), cudaErrorNotReady);
  EXPECT_OK(cudaStreamWaitEvent(two, middle, 0));
  scale<<<1, 32, 0, two>>>(values, 5);
  EXPECT_OK(cudaEventRecord(end, two));
  int got[32];
  EXPECT_OK(cudaMemcpyAsync(got, values, sizeof got, cudaMemcpyDeviceToHost, two));
  EXPECT_OK(cudaStreamSynchronize(two));
  EXPECT(got[0] == 21 && got[31] == 21);
  EXPECT(called == 1);
  float first = 0, all = 0;
  EXPECT_OK(cudaEventElapsedTime(&first, start, middle));
  EXPECT_OK(cudaEventElapsedTime(&all, start, end));
  EXPECT(first > 0 && all > first);
  EXPECT_OK(cudaStreamDestroy(one));
  EXPECT_OK(cudaStreamDestroy(two));
  return failures;
}
