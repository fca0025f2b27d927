// Kernels with accesses to memory that is not theirs. Each is detected, in a process of its own,
// and the message names the memory at the address.
// varies: the processes leave no statistics
#include <sys/mman.h>
#include <sys/wait.h>

#include <cstring>

#include "captured.h"
#include "check.h"

__global__ void store(int* values, long at) { values[at] = 1; }
__global__ void load(const int* values, long at, int* to) { *to = values[at]; }

__device__ int first[64];
__device__ int second[64];
__global__ void past_a_variable(int at) {
  second[0] = 1;
  first[at] = 1;
}

__global__ void past_a_local_array(int at, int* to) {
  volatile int array[5];
  for (int n = 0; n < 5; ++n) array[n] = n;
  *to = array[at];
}

__global__ void past_shared(int at, int* to) {
  __shared__ int array[15];
  array[threadIdx.x] = 1;
  array[at] = 2;
  *to = array[0];
}

// Through memory: else compilers leave malloc and free away.
__device__ char* volatile kept;
__global__ void free_inside() {
  kept = static_cast<char*>(malloc(64));
  free(kept + 3);
}
__global__ void free_twice() {
  kept = static_cast<char*>(malloc(64));
  free(kept);
  free(kept);
}
__global__ void use_after_free(int* to) {
  int* const p = static_cast<int*>(malloc(64));
  free(p);
  int* const q = static_cast<int*>(malloc(64));
  q[0] = 1;
  *to = p[0];
}
__global__ void copy(char* to, const char* from, int bytes) { memcpy(to, from, bytes); }
__global__ void print(const char* text) { printf("%s\n", text); }

template <typename T>
T* managed(size_t bytes) {
  void* pointer = nullptr;
  CHECK(cudaMallocManaged(&pointer, bytes));
  return static_cast<T*>(pointer);
}
template <typename T>
T* pinned(size_t bytes) {
  void* pointer = nullptr;
  CHECK(cudaMallocHost(&pointer, bytes));
  return static_cast<T*>(pointer);
}

// A graph's copy from host memory that is gone when the graph is launched.
void launch_graph_without_its_source() {
  void* const pages =
      mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char* const device = device_array<char>(4096);
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMemcpyAsync(device, pages, 4096, cudaMemcpyHostToDevice, stream));
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t executable = nullptr;
  CHECK(cudaGraphInstantiateWithFlags(&executable, graph, 0));
  munmap(pages, 4096);
  CHECK(cudaGraphLaunch(executable, stream));
}

struct Case {
  const char* name;
  void (*run)();
  const char* says;
};

const Case kCases[] = {
    {"next of cudaMalloc",
     [] {
       int* const a = device_array<int>(64);
       device_array<int>(64);
       store<<<1, 1>>>(a, 64);
     },
     "0 bytes past the end of 'cudaMalloc #1'"},
    {"a row of the next",
     [] {
       int* const a = device_array<int>(1024 * 1024);
       device_array<int>(1024 * 1024);
       store<<<1, 1>>>(a, 1024 * 1024 + 1023);
     },
     "4092 bytes past the end of 'cudaMalloc #1'"},
    {"before the start",
     [] {
       device_array<int>(64);
       int* const b = device_array<int>(64);
       store<<<1, 1>>>(b, -1);
     },
     "4 bytes before the start of 'cudaMalloc #2'"},
    {"next of cudaMallocManaged",
     [] {
       int* const a = managed<int>(4096);
       managed<int>(4096);
       store<<<1, 1>>>(a, 1024);
     },
     "0 bytes past the end of 'cudaMallocManaged #1'"},
    {"next of cudaMallocHost",
     [] {
       int* const a = pinned<int>(4096);
       pinned<int>(4096);
       store<<<1, 1>>>(a, 1024);
     },
     "0 bytes past the end of 'cudaMallocHost #1'"},
    {"next variable", [] { past_a_variable<<<1, 1>>>(64); }, "0 bytes past the end of 'first'"},
    {"local array", [] { past_a_local_array<<<1, 1>>>(5, device_array<int>(1)); },
     "byte 20 of local memory; the thread has 20 bytes"},
    {"static shared memory", [] { past_shared<<<1, 8>>>(15, device_array<int>(1)); },
     "byte 60 of shared memory; the block has 60 bytes"},
    {"far in shared memory", [] { past_shared<<<1, 8>>>(8 << 20, device_array<int>(1)); },
     "of shared memory; the block has 60 bytes"},
    {"freed, and the address asked for again",
     [] {
       int* const a = device_array<int>(1 << 20);
       CHECK(cudaFree(a));
       int* const b = device_array<int>(1 << 20);
       store<<<1, 1>>>(b, 7);
       store<<<1, 1>>>(a, 7);
     },
     "byte 28 of 'cudaMalloc #1' (freed"},
    {"freed managed memory",
     [] {
       int* const a = managed<int>(4096);
       CHECK(cudaFree(a));
       managed<int>(4096);
       store<<<1, 1>>>(a, 7);
     },
     "byte 28 of 'cudaMallocManaged #1' (freed"},
    {"the host's stack",
     [] {
       int there = 0;
       store<<<1, 1>>>(&there, 0);
     },
     "address of the host program (its stack)"},
    {"the host's heap", [] { store<<<1, 1>>>(new int[64], 0); },
     "this is an address of the host program (its heap)"},
    {"free inside", [] { free_inside<<<1, 1>>>(); }, "byte 3 of 'malloc in a kernel'"},
    {"free twice", [] { free_twice<<<1, 1>>>(); }, "(freed, device heap, 64 bytes"},
    {"use after free", [] { use_after_free<<<1, 1>>>(device_array<int>(1)); },
     "byte 0 of 'malloc in a kernel' (freed, device heap"},
    {"copy of too much",
     [] {
       char* const to = device_array<char>(100);
       copy<<<1, 1>>>(to, device_array<char>(200), 101);
     },
     "past the end of 'cudaMalloc #1' (device memory, 100 bytes"},
    {"text without an end",
     [] {
       char* const text = device_array<char>(100);
       CHECK(cudaMemset(text, 'x', 100));
       print<<<1, 1>>>(text);
     },
     "0 bytes past the end of 'cudaMalloc #1' (device memory, 100 bytes"},
    {"graph", launch_graph_without_its_source, "the host program has no memory at"},
};

// Runs it; the exit code tells whether it was found and told.
int run(const Case& one) {
  cudaError_t error = cudaSuccess;
  const std::string text = captured([&] {
    one.run();
    error = cudaDeviceSynchronize();
  });
  if (error == cudaSuccess) std::printf("%s: not found\n", one.name);
  const bool told = says(text, one.says);
  if (!told) std::printf("(%s)\n", one.name);
  return error != cudaSuccess && told ? 0 : 1;
}

int main() {
  for (const Case& one : kCases) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      const int code = run(one);
      std::fflush(stdout);
      _exit(code);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  return finish();
}
