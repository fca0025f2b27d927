// Managed memory is seen by both sides after synchronisation.
#include "check.h"

struct Job {
  int table[4];
  int total;
};

__global__ void sum(const int* values, int count, Job* job) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) atomicAdd(&job->total, values[i] * job->table[i % 4]);
}

int main() {
  const int count = 400;
  int* values;
  Job* job;
  CHECK(cudaMallocManaged(&values, count * sizeof(int)));
  CHECK(cudaMallocManaged(&job, sizeof(Job), cudaMemAttachGlobal));
  for (int i = 0; i < count; ++i) values[i] = i;
  *job = {{1, 2, 3, 0}, 5};
  sum<<<4, 128>>>(values, count, job);
  CHECK(cudaDeviceSynchronize());
  int expected = 5;
  for (int i = 0; i < count; ++i) expected += i * job->table[i % 4];
  EXPECT_EQ(job->total, expected);
  // Again, with a value that the host changed in between.
  job->table[3] = -1;
  job->total = 0;
  sum<<<4, 128>>>(values, count, job);
  CHECK(cudaDeviceSynchronize());
  expected = 0;
  for (int i = 0; i < count; ++i) expected += i * job->table[i % 4];
  EXPECT_EQ(job->total, expected);
  CHECK(cudaMemset(values, 0, sizeof(int) * count));
  CHECK(cudaDeviceSynchronize());
  EXPECT_EQ(values[399], 0);
  CHECK(cudaFree(values));
  CHECK(cudaFree(job));
  return finish();
}
