// Wrong accesses between host and device, after a kernel has ended. The first argument selects one.
// The script `wrong_accesses` checks the messages.
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

__managed__ int variable = 3;
__managed__ double far_variable[2000];
int neighbour = 5;  // is no managed variable

__global__ void wait_and_set(int* value, long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
  *value = 7;
}
__global__ void read(const int* from, int* to) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void write(int* to) { to[threadIdx.x] = 1; }

constexpr std::size_t kBytes = 8 << 20;

static int* mapped() {
  void* const place =
      mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return static_cast<int*>(place);
}

static volatile std::sig_atomic_t caught = 0;
static struct sigaction before = {};

// Handlers of the program's own: one that makes the access possible, one that hands it on.
static void wait_for_kernels(int, siginfo_t*, void*) {
  caught = caught + 1;
  cudaDeviceSynchronize();
}
static void hand_on(int signal, siginfo_t* info, void* context) {
  caught = caught + 1;
  if ((before.sa_flags & SA_SIGINFO) != 0) before.sa_sigaction(signal, info, context);
}
static void handle(void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction ours = {};
  ours.sa_sigaction = handler;
  ours.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &ours, &before);
}

static int tell(const char* what, cudaError_t error) {
  std::printf("%s: %s\n", what, cudaGetErrorName(error));
  return error == cudaSuccess ? 0 : 5;
}

// Of managed memory while a kernel runs.
static int managed(const std::string& how) {
  int *used = nullptr, *other = nullptr;
  cudaMallocManaged(&used, sizeof(int));
  cudaMallocManaged(&other, 64 * sizeof(int));
  if (how == "handler_before") handle(wait_for_kernels);
  wait_and_set<<<1, 1>>>(used, 20000);
  if (how == "handler_after") handle(wait_for_kernels);
  if (how == "handler_hands_on") handle(hand_on);
  if (how == "variable") variable = 4;
  if (how == "far_variable") far_variable[1500] = 4;
  if (how == "neighbour") neighbour += variable == 0 ? 0 : 1;
  if (how != "no_access") other[3] = 4;
  cudaDeviceSynchronize();
  variable = 5;
  far_variable[0] = 6;
  std::printf("caught %d\n", int(caught));
  return *used == 7 ? 0 : 6;
}

// Of registered memory that the program has taken away.
static int registered(const std::string& how) {
  int* device = nullptr;
  cudaMalloc(&device, kBytes);
  int* const memory =
      how.find("freed") != std::string::npos ? static_cast<int*>(malloc(kBytes)) : mapped();
  cudaHostRegister(memory, kBytes, cudaHostRegisterMapped);
  int* part = memory;  // what is used below
  if (how.find("freed") != std::string::npos) {
    free(memory);
  } else if (how.find("shrunk") != std::string::npos) {
    mremap(memory, kBytes, kBytes / 2, 0);
    part = memory + kBytes / sizeof(int) * 3 / 4;
  } else if (how.find("half") != std::string::npos) {
    munmap(memory + kBytes / sizeof(int) / 2, kBytes / 2);
    if (how.find("other_half") == std::string::npos) part = memory + kBytes / sizeof(int) / 2;
  } else if (how.find("moved") != std::string::npos) {
    mremap(memory, kBytes, kBytes, MREMAP_MAYMOVE | MREMAP_FIXED, mapped());
  } else {
    munmap(memory, kBytes);
  }
  int failed = 0;
  if (how.rfind("read", 0) == 0) read<<<1, 32>>>(part, device);
  if (how.rfind("write", 0) == 0) write<<<1, 32>>>(part);
  if (how.rfind("copy", 0) == 0)
    failed |= tell("copy", cudaMemcpy(device, part, 4096, cudaMemcpyHostToDevice));
  if (how.rfind("back", 0) == 0)
    failed |= tell("copy", cudaMemcpy(part, device, 4096, cudaMemcpyDeviceToHost));
  if (how.rfind("async", 0) == 0) cudaMemcpyAsync(device, part, 4096, cudaMemcpyHostToDevice);
  if (how.rfind("fill", 0) == 0) failed |= tell("fill", cudaMemset(part, 0, 4096));
  failed |= tell("wait", cudaDeviceSynchronize());
  if (failed == 0) failed |= tell("unregister", cudaHostUnregister(memory));
  return failed;
}

__global__ void set_texel(cudaSurfaceObject_t surface, int x, int y) {
  surf2Dwrite(1.0f, surface, x, y, cudaBoundaryModeTrap);
}
__global__ void set_layer(cudaSurfaceObject_t surface, int x, int layer) {
  surf2DLayeredwrite(1.0f, surface, x, 0, layer, cudaBoundaryModeTrap);
}

// Of a surface with 64 x 16 texels of 4 bytes, or with 3 such layers, at x (in bytes) and y, or in a layer.
static int outside_surface(const std::string& how, int x, int other) {
  const bool layered = how == "layered";
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  cudaMalloc3DArray(&resource.res.array.array, &format, {64, 16, layered ? 3u : 0u},
                    cudaArraySurfaceLoadStore | (layered ? cudaArrayLayered : 0));
  cudaSurfaceObject_t object = 0;
  cudaCreateSurfaceObject(&object, &resource);
  if (layered) set_layer<<<1, 1>>>(object, x, other);
  if (!layered) set_texel<<<1, 1>>>(object, x, other);
  return tell("wait", cudaDeviceSynchronize());
}

int main(int, char** argv) {
  int* device = nullptr;
  cudaMalloc(&device, sizeof(int) * 64);
  write<<<1, 32>>>(device);
  cudaDeviceSynchronize();
  if (argv[1] == std::string("surface"))
    return outside_surface(argv[2], atoi(argv[3]), atoi(argv[4]));
  return argv[1] == std::string("managed") ? managed(argv[2]) : registered(argv[2]);
}
