// Programs for the tool's tests. The first argument selects one.
#include <unistd.h>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void add_one(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] += 1;
}

// By the clock, so that nobody can know that it never ends.
__global__ void spin(volatile int* flag) {
  while (*flag == 0) {
    if (clock64() < 0) return;
  }
}

static int add(int bytes, int threads) {
  int* out;
  cudaMalloc(&out, bytes);
  add_one<<<1, threads>>>(out, threads);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}

// Launches when the process ends, after main.
static struct AtEnd {
  bool launch = false;
  ~AtEnd() {
    if (launch) add(256, 64);
  }
} at_end;

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "right") == 0) return add(256, 64);
  if (strcmp(what, "late") == 0) {
    at_end.launch = true;
    return add(256, 64);
  }
  // One access past the end, and nobody asks.
  if (strcmp(what, "fault") == 0) {
    add(256, 65);
    return 0;
  }
  if (strcmp(what, "spin") == 0) {
    int* flag;
    cudaMalloc(&flag, sizeof(int));
    cudaMemset(flag, 0, sizeof(int));
    spin<<<4, 64>>>(flag);
    printf("spins\n");
    fflush(stdout);
    cudaDeviceSynchronize();
    return 0;
  }
  // The kernel is under way while the program waits without calling CUDA.
  if (strcmp(what, "poll") == 0) {
    int* flag;
    cudaMalloc(&flag, sizeof(int));
    cudaMemset(flag, 0, sizeof(int));
    spin<<<4, 64>>>(flag);
    for (int i = 0; i < 100; ++i) cudaStreamQuery(0);  // simulated time passes
    printf("spins\n");
    fflush(stdout);
    while (true) sleep(1);
  }
  // A host function of a stream that does not return.
  if (strcmp(what, "host") == 0) {
    cudaLaunchHostFunc(
        0,
        [](void*) {
          printf("spins\n");
          fflush(stdout);
          while (true) sleep(1);
        },
        nullptr);
    cudaDeviceSynchronize();
    return 0;
  }
  if (strcmp(what, "handler") == 0) {
    signal(SIGINT, [](int) { _exit(7); });
    add(256, 64);
    printf("spins\n");
    fflush(stdout);
    while (true) sleep(1);
  }
  // A child that has not called exec ends while the parent still works.
  if (strcmp(what, "fork") == 0) {
    const int result = add(256, 64);
    if (fork() == 0) exit(0);
    sleep(1);
    return result + add(256, 64);
  }
  fprintf(stderr, "usage: processes right|late|fault|spin|poll|host|handler|fork\n");
  return strcmp(what, "--help") == 0 ? 0 : 2;
}
