// Wrong calls by the host: they return CUDA's error code, have no effect, and print one line with
// the call, its arguments, and the memory at their addresses. Mere queries print nothing.
#include <sys/mman.h>

#include "captured.h"
#include "check.h"

__global__ void nothing(int*) {}
__device__ int variable[4];
__constant__ int fixed[4];

// The call returns `code` and prints all `parts`.
template <typename F>
void wrong(int line, cudaError_t code, F&& call, std::initializer_list<const char*> parts) {
  cudaError_t found = cudaSuccess;
  const std::string text = captured([&] { found = call(); });
  bool fine = found == code;
  if (!fine) std::printf("line %d: error %d, expected %d\n", line, found, code);
  for (const char* part : parts) fine = says(text, part) && fine;
  failures += fine ? 0 : 1;
  cudaGetLastError();
}
#define WRONG(code, call, ...) wrong(__LINE__, code, [&] { return call; }, {__VA_ARGS__})

void copies(char* device, char* host) {
  WRONG(cudaErrorInvalidValue, cudaMemcpy(device, host, 101, cudaMemcpyHostToDevice),
        "cudaMemcpy: invalid argument", "copy of 101 bytes", "cudaMemcpyHostToDevice",
        "from byte 0 to 1 bytes past the end of 'cudaMalloc #1' (device memory, 100 bytes");
  WRONG(cudaErrorInvalidValue, cudaMemcpy(host, device + 1, 100, cudaMemcpyDeviceToHost), "source",
        "from byte 1 to 1 bytes past the end of 'cudaMalloc #1'");
  WRONG(cudaErrorInvalidValue, cudaMemcpy(host, device, 10, cudaMemcpyHostToDevice), "target",
        "memory of the host program (its", "byte 0 of 'cudaMalloc #1'");
  WRONG(cudaErrorInvalidValue, cudaMemcpy(nullptr, host, 10, cudaMemcpyHostToDevice),
        "a null pointer");
  WRONG(cudaErrorInvalidMemcpyDirection,
        cudaMemcpy(device, host, 10, static_cast<cudaMemcpyKind>(9)), "no cudaMemcpyKind");
  WRONG(cudaErrorInvalidPitchValue,
        cudaMemcpy2D(device, 8, host, 16, 16, 2, cudaMemcpyHostToDevice), "2 rows of 16 bytes",
        "longer than the pitch");
  WRONG(cudaErrorInvalidValue, cudaMemset(device, 0, 101), "cudaMemset", "fill of 101 bytes",
        "1 bytes past the end of 'cudaMalloc #1'");
  WRONG(cudaErrorInvalidValue, cudaMemset(host, 0, 10), "cudaMemset", "the host program");
  WRONG(cudaErrorInvalidValue, cudaMemcpyToSymbol(variable, host, 17), "bytes 0 to 17",
        "'variable', which has 16 bytes");
  WRONG(cudaErrorInvalidValue, cudaMemcpyToSymbol(fixed, host, 8, 12), "bytes 12 to 20");
  WRONG(cudaErrorInvalidSymbol, cudaMemcpyToSymbol(host, host, 8), "not a __device__");
}

// Host memory that is not there is an error, not a crash (which it is on hardware).
#ifndef ON_HARDWARE
void host_memory(char* device) {
  char* const absent = reinterpret_cast<char*>(0x10);
  WRONG(cudaErrorInvalidValue, cudaMemcpy(device, absent, 10, cudaMemcpyHostToDevice),
        "the host program has no memory at 0x10");
  WRONG(cudaErrorInvalidValue, cudaMemcpy(absent, device, 10, cudaMemcpyDeviceToHost),
        "the host program has no memory at 0x10");
  WRONG(cudaErrorInvalidValue, cudaMemcpyAsync(device, absent, 10, cudaMemcpyHostToDevice),
        "the host program has no memory at 0x10");
  WRONG(cudaErrorInvalidValue, cudaMemcpyAsync(absent, device, 10, cudaMemcpyDeviceToHost),
        "the host program has no memory at 0x10");
  WRONG(cudaErrorInvalidValue, cudaMemcpy2D(device, 10, absent, 10, 10, 2, cudaMemcpyHostToDevice),
        "the host program has no memory at 0x10");
  WRONG(cudaErrorInvalidValue, cudaMemcpyToSymbol(variable, absent, 4), "no memory at 0x10");
  WRONG(cudaErrorInvalidValue, cudaMemcpyFromSymbol(absent, variable, 4), "no memory at 0x10");
  WRONG(cudaErrorInvalidValue, cudaHostRegister(absent, 4096, 0), "no memory at 0x10");
  // One page of two can be read, and not written.
  char* const pages =
      static_cast<char*>(mmap(nullptr, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(pages + 4096, 4096, PROT_NONE);
  WRONG(cudaErrorInvalidValue, cudaMemcpy(device, pages + 4090, 10, cudaMemcpyHostToDevice),
        "not all 10 bytes", "can be read");
  WRONG(cudaErrorInvalidValue, cudaMemcpy(pages, device, 10, cudaMemcpyDeviceToHost),
        "can be written");
  EXPECT(cudaMemcpy(device, pages + 4086, 10, cudaMemcpyHostToDevice) == cudaSuccess);
}
#endif

void frees(char* device, char* host) {
  WRONG(cudaErrorInvalidValue, cudaFree(device + 4), "cudaFree: invalid argument",
        "byte 4 of 'cudaMalloc #1'", "only its start can be freed");
  WRONG(cudaErrorInvalidValue, cudaFree(host), "the host program");
  WRONG(cudaErrorInvalidValue, cudaFreeHost(device), "cudaFreeHost", "frees host memory");
  void* pinned = nullptr;
  CHECK(cudaMallocHost(&pinned, 64));
  WRONG(cudaErrorInvalidValue, cudaMemcpy(device, pinned, 65, cudaMemcpyHostToDevice),
        "1 bytes past the end of 'cudaMallocHost #1'");
#ifndef ON_HARDWARE
  WRONG(cudaErrorInvalidValue, cudaMemcpy(device, device + 200, 1, cudaMemcpyDefault),
        "100 bytes past the end of 'cudaMalloc #1'");
#endif
  WRONG(cudaErrorInvalidValue, cudaFree(pinned), "use cudaFreeHost");
  CHECK(cudaFreeHost(pinned));
  WRONG(cudaErrorInvalidValue, cudaFreeHost(pinned), "freed before", "cudaMallocHost #1");
  WRONG(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(host), "was not registered");
  CHECK(cudaFree(device));
  WRONG(cudaErrorInvalidValue, cudaFree(device), "freed before", "'cudaMalloc #1' (freed");
  WRONG(cudaErrorInvalidValue, cudaMemset(device, 0, 1), "'cudaMalloc #1' (freed");
}

// What was destroyed, or is not what the call is for.
void handles(char* device) {
#ifndef ON_HARDWARE  // which uses what was destroyed
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CHECK(cudaMallocArray(&array, &format, 8, 8));
  CHECK(cudaFreeArray(array));
  WRONG(cudaErrorInvalidResourceHandle, cudaFreeArray(array),
        "cudaFreeArray: ", "is not a CUDA array", "or was freed");
  cudaEvent_t event = nullptr;
  CHECK(cudaEventCreate(&event));
  CHECK(cudaEventDestroy(event));
  WRONG(cudaErrorInvalidResourceHandle, cudaEventDestroy(event), "is not an event, or was");
  WRONG(cudaErrorInvalidResourceHandle, cudaEventRecord(event), "is not an event, or was");
  WRONG(cudaErrorInvalidValue, cudaDestroyTextureObject(77), "0x4d is not a texture");
#endif
  WRONG(cudaErrorInvalidResourceHandle, cudaStreamDestroy(nullptr), "the default stream");
  cudaGraph_t graph = nullptr;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphDestroy(graph));
  WRONG(cudaErrorInvalidValue, cudaGraphDestroy(graph), "is not a graph, or was destroyed");
  void* managed = nullptr;
  CHECK(cudaMallocManaged(&managed, 5000));
#if CUDART_VERSION >= 13000
  const auto place = [](int id) { return cudaMemLocation{cudaMemLocationTypeDevice, id}; };
  const auto prefetch = [&](const void* memory, size_t bytes, int id) {
    return cudaMemPrefetchAsync(memory, bytes, place(id), 0, nullptr);
  };
#else
  const auto prefetch = [](const void* memory, size_t bytes, int id) {
    return cudaMemPrefetchAsync(memory, bytes, id, nullptr);
  };
#endif
  CHECK(prefetch(managed, 5000, 0));
  WRONG(cudaErrorInvalidDevice, prefetch(managed, 5000, 7),
        "cudaMemPrefetchAsync: ", "there is no device 7");
  WRONG(cudaErrorInvalidValue, prefetch(managed, 5001, 0), "5001 bytes",
        "1 bytes past the end of 'cudaMallocManaged #1'");
  WRONG(cudaErrorInvalidValue, prefetch(device, 100, 0), "not managed memory",
        "byte 0 of 'cudaMalloc #1'");
  CHECK(cudaFree(managed));
}

void sizes() {
  WRONG(cudaErrorInvalidValue, cudaDeviceSetLimit(cudaLimitStackSize, 1 << 30),
        "cudaDeviceSetLimit: ", "1073741824 bytes", "524288 bytes");
#ifndef ON_HARDWARE  // which notices when it makes the heap
  WRONG(cudaErrorMemoryAllocation, cudaDeviceSetLimit(cudaLimitMallocHeapSize, size_t{1} << 50),
        "1125899906842624 bytes");
#endif
  WRONG(cudaErrorInvalidValue, cudaDeviceSetLimit(static_cast<cudaLimit>(99), 1),
        "there is no limit with number 99");
  void* pointer = nullptr;
  WRONG(cudaErrorInvalidValue, cudaMallocPitch(&pointer, nullptr, 8, 8), "pitch != nullptr");
  WRONG(cudaErrorInvalidValue, cudaMallocManaged(&pointer, 4, 0), "flags == cudaMemAttachGlobal");
}

// Graphs that allocate have one executable graph and no copy; what they have freed has a name.
void graph_memory(char* host) {
  cudaGraph_t graph = nullptr, copy = nullptr;
  cudaGraphExec_t first = nullptr, second = nullptr;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaMemAllocNodeParams parameters = {};
  parameters.poolProps.allocType = cudaMemAllocationTypePinned;
  parameters.poolProps.location.type = cudaMemLocationTypeDevice;
  parameters.bytesize = 1000;
  cudaGraphNode_t node = nullptr, end = nullptr;
  CHECK(cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &parameters));
  CHECK(cudaGraphAddMemFreeNode(&end, graph, &node, 1, parameters.dptr));
  CHECK(cudaGraphInstantiate(&first, graph, 0));
  WRONG(cudaErrorNotSupported, cudaGraphInstantiate(&second, graph, 0), "cudaGraphInstantiate",
        "one executable graph at a time");
  WRONG(cudaErrorNotSupported, cudaGraphClone(&copy, graph), "cudaGraphClone",
        "allocates or frees memory");
  CHECK(cudaGraphLaunch(first, nullptr));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaGraphExecDestroy(first));
  CHECK(cudaGraphDestroy(graph));
  WRONG(cudaErrorInvalidValue, cudaMemcpy(host, parameters.dptr, 8, cudaMemcpyDeviceToHost),
        "byte 0 of 'memory of a graph #1' (freed, device memory, 1000 bytes");
}

#ifndef ON_HARDWARE
// The allocation that was overrun is told, not the one after the gap, unless that is at hand.
void neighbours() {
  char* const first = device_array<char>(10000);
  char* const second = device_array<char>(10000);
  const ptrdiff_t gap = second - (first + 10000);
  EXPECT(gap >= 10000);  // docs/limits.md: a guard of as many bytes as the allocation has
  WRONG(cudaErrorInvalidValue, cudaMemset(first + 10000 + gap - 1000, 0, 1),
        "bytes past the end of 'cudaMalloc #3'");
  WRONG(cudaErrorInvalidValue, cudaMemset(second - 4, 0, 1),
        "4 bytes before the start of 'cudaMalloc #4'");
  CHECK(cudaFree(first));
  WRONG(cudaErrorInvalidValue, cudaMemset(first + 10001, 0, 1),
        "1 bytes past the end of 'cudaMalloc #3' (freed");
  WRONG(cudaErrorInvalidValue, cudaMemset(second + (size_t{1} << 34), 0, 1),
        "there is no memory at this address");
  CHECK(cudaFree(second));
}
#endif

void launches() {
  const auto launch = [](dim3 grid, dim3 block, size_t shared) {
    nothing<<<grid, block, shared>>>(nullptr);
    return cudaGetLastError();
  };
  // As the driver says it (NVIDIA H200, CUDA 13.0).
  constexpr cudaError_t sizes =
      CUDART_VERSION >= 13000 ? cudaErrorInvalidValue : cudaErrorInvalidConfiguration;
  WRONG(sizes, launch(1, 2000, 0), "raddle: cudaLaunchKernel: ", "kernel nothing",
        "cannot be launched", "block (2000,1,1)");
  WRONG(sizes, launch(0, 32, 0), "grid (0,1,1)");
  WRONG(cudaErrorInvalidValue, launch(1, 32, 1 << 20), "1048576 bytes of dynamic shared memory");
}

// What programs ask to find out how things are.
void probes(char* device, char* host) {
  const std::string text = captured([&] {
    cudaPointerAttributes attributes{};
    cudaPointerGetAttributes(&attributes, host);
    cudaEvent_t event = nullptr;
    cudaEventCreate(&event);
    cudaEventRecord(event);
    cudaEventQuery(event);
    cudaStreamQuery(nullptr);
    cudaEventDestroy(event);
    cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 28);
    int blocks = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 4096, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 32, 1 << 28);
    void* pointer = nullptr;
    cudaMalloc(&pointer, size_t{1} << 60);
    cudaHostGetDevicePointer(&pointer, host, 0);
    unsigned flags = 0;
    cudaHostGetFlags(&flags, host);
    cudaGetSymbolAddress(&pointer, host);
    cudaSetDevice(17);
    int value = 0;
    cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(9999), 0);
    cudaPeekAtLastError();
    cudaGetLastError();
    cudaFree(nullptr);
    cudaFreeHost(nullptr);
    cudaMemcpy(device, host, 0, cudaMemcpyHostToDevice);
    cudaMemset(device, 0, 0);
  });
  cudaGetLastError();
  if (!text.empty()) std::printf("probes print: %s\n", text.c_str());
  EXPECT(text.empty());
}

int main() {
  char* const device = device_array<char>(100);
  char host[256] = {};
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, nothing));  // what is told of the code is told now
  probes(device, host);
  copies(device, host);
#ifndef ON_HARDWARE
  host_memory(device);
#endif
  launches();
  handles(device);
  sizes();
  graph_memory(host);
#ifndef ON_HARDWARE
  neighbours();
  // The same mistake is told once.
  const auto again = [&] { cudaMemset(device, 0, 102); };
  EXPECT(!captured(again).empty());
  EXPECT(captured(again).empty());
#endif
  frees(device, host);
  cudaGetLastError();
  nothing<<<1, 1>>>(nullptr);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  return finish();
}
