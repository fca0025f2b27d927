// varies: two host threads, each in its own time
// gpu: v100
// A kernel waits for an action of one host thread, while another host thread waits for the kernel.
// The kernel ends, because the copies, launches and stores of the first thread are executed. Each
// is tried in both orders: the waiting thread first, and the acting thread first.
#include <atomic>
#include <chrono>
#include <thread>

#include "check.h"

__global__ void wait_for(volatile int* flag, int* reply) {
  while (*flag == 0) {
  }
  *reply = *flag + 1;
}

__global__ void set(volatile int* flag, int value) { *flag = value; }

struct Scene {
  int* flag;           // device memory, or the host's that is mapped
  int* one;            // pinned
  cudaStream_t waits;  // streams that do not wait for one another
  cudaStream_t acts;
};

using Act = void (*)(const Scene&);

void copies(const Scene& scene) {
  CHECK(cudaMemcpyAsync(scene.flag, scene.one, sizeof(int), cudaMemcpyHostToDevice, scene.acts));
}
void copies_and_waits(const Scene& scene) {
  copies(scene);
  CHECK(cudaStreamSynchronize(scene.acts));
}
void fills(const Scene& scene) { CHECK(cudaMemsetAsync(scene.flag, 1, sizeof(int), scene.acts)); }
void launches(const Scene& scene) {
  set<<<1, 1, 0, scene.acts>>>(scene.flag, 5);
  CHECK(cudaGetLastError());
}
void stores(const Scene& scene) { *static_cast<volatile int*>(scene.flag) = 9; }
void looks_and_launches(const Scene& scene) {
  for (int i = 0; i < 50; ++i) EXPECT(cudaStreamQuery(scene.waits) == cudaErrorNotReady);
  launches(scene);
}

void pause() { std::this_thread::sleep_for(std::chrono::milliseconds(30)); }

void play(const Scene& scene, Act act, bool acts_first, int expected) {
  int* const reply = device_array<int>(1);
  CHECK(cudaMemset(scene.flag, 0, sizeof(int)));
  CHECK(cudaDeviceSynchronize());
  std::atomic<bool> launched{false};
  std::thread other([&] {
    while (!launched) {
    }
    if (!acts_first) pause();
    act(scene);
  });
  wait_for<<<1, 32, 0, scene.waits>>>(scene.flag, reply);
  launched = true;
  if (acts_first) pause();
  CHECK(cudaStreamSynchronize(scene.waits));
  other.join();
  int found = 0;
  CHECK(cudaMemcpy(&found, reply, sizeof found, cudaMemcpyDeviceToHost));
  EXPECT_EQ(found, expected);
  CHECK(cudaFree(reply));
}

// Many threads at once, each with a kernel of its own, which the next one's thread lets go on.
void relay() {
  constexpr int kThreads = 4;
  int* const flags = device_array<int>(kThreads + 1);
  CHECK(cudaMemset(flags, 0, (kThreads + 1) * sizeof(int)));
  CHECK(cudaDeviceSynchronize());
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([=] {
      cudaStream_t mine;
      CHECK(cudaStreamCreateWithFlags(&mine, cudaStreamNonBlocking));
      wait_for<<<1, 1, 0, mine>>>(flags + i, flags + i + 1);
      CHECK(cudaStreamSynchronize(mine));
    });
  }
  pause();
  cudaStream_t first;
  CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  set<<<1, 1, 0, first>>>(flags, 1);
  for (std::thread& one : threads) one.join();
  int last = 0;
  CHECK(cudaMemcpy(&last, flags + kThreads, sizeof last, cudaMemcpyDeviceToHost));
  EXPECT_EQ(last, 1 + kThreads);
}

int main() {
  Scene scene{};
  scene.flag = device_array<int>(1);
  CHECK(cudaMallocHost(&scene.one, sizeof(int)));
  *scene.one = 1;
  CHECK(cudaStreamCreateWithFlags(&scene.waits, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&scene.acts, cudaStreamNonBlocking));
  Scene mapped = scene;
  CHECK(cudaHostAlloc(&mapped.flag, sizeof(int), cudaHostAllocMapped));
  for (const bool acts_first : {false, true}) {
    play(scene, copies, acts_first, 2);
    play(scene, copies_and_waits, acts_first, 2);
    play(scene, fills, acts_first, 0x01010102);
    play(scene, launches, acts_first, 6);
    play(mapped, stores, acts_first, 10);
    if (!acts_first) play(scene, looks_and_launches, acts_first, 6);
  }
  relay();
  return finish();
}
