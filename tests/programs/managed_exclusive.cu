// Below compute capability 6.0 the host may not use managed memory between a launch and the end of
// a wait for it. It may use memory that is attached to the host, or to a stream without kernels
// (CUDA C++ Programming Guide, "GPU Exclusive Access To Managed Memory", "Managing Data Visibility
// and Concurrent CPU + GPU Access with Streams"). A forbidden access is a segmentation fault.
// gpu: k20c
// compiler: clang
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

#include <cstring>

#include "check.h"

__global__ void wait_and_set(int* value, long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
  *value = 7;
}

volatile std::sig_atomic_t faults = 0;
int* at_fault = nullptr;

// The program's own handler: it waits, and the access is tried again.
void wait_for_kernels(int, siginfo_t* info, void*) {
  faults = faults + 1;
  at_fault = static_cast<int*>(info->si_addr);
  cudaDeviceSynchronize();
}

void launch(int* set, cudaStream_t stream = nullptr) {
  wait_and_set<<<1, 1, 0, stream>>>(set, 20000);
  CHECK(cudaGetLastError());
}

int main() {
  int concurrent = 1;
  CHECK(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0));
  EXPECT_EQ(concurrent, 0);
  struct sigaction ours = {};
  ours.sa_sigaction = wait_for_kernels;
  ours.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &ours, nullptr);

  int *set = nullptr, *other = nullptr, *of_host = nullptr, *of_stream = nullptr;
  CHECK(cudaMallocManaged(&set, sizeof(int)));
  CHECK(cudaMallocManaged(&other, sizeof(int)));
  CHECK(cudaMallocManaged(&of_host, sizeof(int), cudaMemAttachHost));
  CHECK(cudaMallocManaged(&of_stream, sizeof(int)));
  cudaStream_t busy = nullptr, idle = nullptr;
  CHECK(cudaStreamCreateWithFlags(&busy, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&idle, cudaStreamNonBlocking));
  CHECK(cudaStreamAttachMemAsync(idle, of_stream, 0, cudaMemAttachSingle));
  CHECK(cudaDeviceSynchronize());

  // Memory that the kernel does not use, too.
  launch(set);
  *other = 2;
  EXPECT_EQ(faults, 1);
  EXPECT(at_fault == other);
  EXPECT_EQ(*set, 7);
  EXPECT_EQ(faults, 1);

  launch(set, busy);
  *of_host = 3;
  *of_stream = 4;
  EXPECT_EQ(faults, 1);
  EXPECT_EQ(*set, 7);
  EXPECT_EQ(faults, 2);

  // Waiting for the stream, for an event, or finding them done, is enough.
  cudaEvent_t event = nullptr;
  CHECK(cudaEventCreate(&event));
  launch(set, busy);
  CHECK(cudaStreamSynchronize(busy));
  *set = 1;
  launch(set, busy);
  CHECK(cudaEventRecord(event, busy));
  CHECK(cudaEventSynchronize(event));
  *set = 1;
  launch(set, busy);
  CHECK(cudaEventRecord(event, busy));
  while (cudaEventQuery(event) == cudaErrorNotReady) {
  }
  *set = 1;
  launch(set, busy);
  while (cudaStreamQuery(busy) == cudaErrorNotReady) {
  }
  EXPECT_EQ(*set, 7);
  EXPECT_EQ(faults, 2);
  return finish();
}
