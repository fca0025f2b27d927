// The host's time for narrow tasks besides CUDA's calls. Runs the host's side of the table
// (include/raddle/tasks/host.h) on this machine's processor, with CUDA calls that do nothing.
// Simulated time does not contain this part (docs/tasks_evidence.md).
//
//   cmake --build build/release --target tasks_on_the_host && build/release/bin/tasks_on_the_host
#include <cuda_runtime.h>
#include <raddle/tasks/host.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

namespace tasks = raddle::tasks;
namespace detail = raddle::tasks::detail;

namespace {

constexpr unsigned kAtOneTime = 400;  // running tasks; 434 fit on a Titan X

/// Tasks end in the order of their arrival. A task ends when kAtOneTime others have arrived after
/// it.
struct Gpu {
  const detail::Table* table = nullptr;
  std::array<std::uint32_t, kAtOneTime> running{};
  std::size_t arrived = 0;

  void arrive(const void* to) {
    const auto* const entry = static_cast<const detail::Entry*>(to);
    if (table == nullptr || entry < table->rows) return;
    const auto number = static_cast<std::size_t>(entry - table->rows);
    if (number >= table->columns * detail::kRows) return;
    std::uint32_t& place = running[arrived++ % kAtOneTime];
    if (arrived > kAtOneTime) table->ended[place] = ((table->ended[place] >> 8) + 1) << 8;
    place = static_cast<std::uint32_t>(number);
  }
} g_gpu;

}  // namespace

// The functions of the CUDA runtime that the host's side of the table calls.
extern "C" {
cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  *memory = std::calloc(1, bytes);
  return cudaSuccess;
}
cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned) {
  *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  return cudaSuccess;
}
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned) {
  *device = host;
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t) {
  if (kind == cudaMemcpyDeviceToHost) {
    std::memcpy(to, from, bytes);
  } else {
    g_gpu.arrive(to);
  }
  return cudaSuccess;
}
cudaError_t cudaMemcpy(void*, const void*, std::size_t, cudaMemcpyKind) { return cudaSuccess; }
cudaError_t cudaMemsetAsync(void*, int, std::size_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaFree(void*) { return cudaSuccess; }
cudaError_t cudaFreeHost(void*) { return cudaSuccess; }
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int) { return cudaSuccess; }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t*, unsigned) { return cudaSuccess; }
cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamQuery(cudaStream_t) { return cudaErrorNotReady; }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t*, unsigned) { return cudaSuccess; }
cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaEventQuery(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaPeekAtLastError() { return cudaSuccess; }
cudaError_t cudaGetLastError() { return cudaSuccess; }
cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t, void*) { return cudaSuccess; }
}

namespace {

/// Measures a GPU with `columns` columns. Returns whether the host has seen all ends of tasks.
bool measure(const char* gpu, unsigned columns) {
  constexpr unsigned kTasks = 200'000;
  g_gpu = {};
  tasks::Options options;
  options.transport = tasks::Transport::copies;
  options.most_ends = kTasks;
  // Never destroyed, since its tasks still run.
  auto& host = *new detail::Host(options, columns, detail::Idle::park);
  g_gpu.table = &host.table();
  std::map<tasks::Id, unsigned> known;  // as in a program that waits for its tasks
  char input[64] = {};
  const auto begin = std::chrono::steady_clock::now();
  for (unsigned task = 0; task < kTasks; ++task) {
    host.copy_in(input, input, sizeof input);
    known[host.spawn(0, tasks::Launch{128}, input, 48)] = task;
    for (const tasks::Id id : host.take_ended((task + 1) % 16 == 0)) known.erase(id);
  }
  const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - begin;
  std::printf("%s: %.2f us of the host a task, besides CUDA's calls\n", gpu, time.count() / kTasks);
  return known.size() <= 2 * kAtOneTime + columns * detail::kRows;
}

}  // namespace

int main() {
  const bool right[] = {measure("Titan X, 56 columns", 56), measure("H200, 264 columns", 264)};
  std::fflush(stdout);
  std::_Exit(right[0] && right[1] ? 0 : 1);
}
