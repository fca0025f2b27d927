// The host's time for calls of the runtime.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <string>
#include <vector>

#include "common/device_buffer.h"
#include "micro/host_timer.cuh"
#include "micro/launches.cuh"
#include "micro/report.h"

namespace raddle::workloads::micro {

constexpr int kCalls = 200, kHostTries = 3;

/// Measures host time by events in an otherwise idle stream. In the simulator, the host's time
/// passes only in CUDA calls, and no other clock shows it.
class HostTime {
 public:
  /// Microseconds of a call. `after` prepares the next try.
  template <class Call, class After>
  double of(int calls, Call call, After after) {
    call(0);  // CUDA initializes parts at the first use
    after();
    return median_of(kHostTries, [&] {
      watch_.start(stream_);
      for (int i = 0; i < calls; ++i) call(i);
      watch_.stop(stream_);
      const double took = watch_.microseconds();
      after();
      return took / calls;
    });
  }

 private:
  Stream stream_;
  Stopwatch watch_;
};

inline void wait_for_all() { CHECK_CUDA(cudaDeviceSynchronize()); }

/// Calls that enqueue work in a stream.
inline void measure_submissions(Report& report, HostTime& time) {
  Stream stream;
  DeviceBuffer<char> device(64);
  PinnedBuffer<char> host(64);
  const auto measure = [&](const char* name, auto call) {
    report.add(name, time.of(kCalls, [&](int) { call(); }, wait_for_all), "us");
  };
  measure("host.copy_to_device", [&] {
    CHECK_CUDA(cudaMemcpyAsync(device.data(), host.data(), 64, cudaMemcpyHostToDevice, stream));
  });
  measure("host.copy_to_host", [&] {
    CHECK_CUDA(cudaMemcpyAsync(host.data(), device.data(), 64, cudaMemcpyDeviceToHost, stream));
  });
  measure("host.memset", [&] { CHECK_CUDA(cudaMemsetAsync(device.data(), 0, 64, stream)); });
  measure("host.launch", [&] { nothing<<<1, 32, 0, stream>>>(); });
  measure("host.launch_host_function",
          [&] { CHECK_CUDA(cudaLaunchHostFunc(stream, [](void*) {}, nullptr)); });
  measure("host.synchronize_idle", [&] { stream.wait(); });
  measure("host.query_stream", [&] { CHECK_CUDA(cudaStreamQuery(stream)); });
}

/// Tasks over 32 streams in turn. A task is a copy, a launch and a copy. The excess over the same
/// three calls in one stream is the cost of many streams.
inline void measure_streams_in_turn(Report& report, HostTime& time) {
  std::vector<Stream> streams(32);
  DeviceBuffer<char> device(64);
  PinnedBuffer<char> host(64);
  const auto task = [&](int i) {
    const Stream& stream = streams[static_cast<unsigned>(i) % streams.size()];
    CHECK_CUDA(cudaMemcpyAsync(device.data(), host.data(), 64, cudaMemcpyHostToDevice, stream));
    nothing<<<1, 32, 0, stream>>>();
    CHECK_CUDA(cudaMemcpyAsync(host.data(), device.data(), 64, cudaMemcpyDeviceToHost, stream));
  };
  report.add("host.task_of_32_streams", time.of(kCalls, task, wait_for_all), "us");
}

inline void measure_events(Report& report, HostTime& time) {
  Stream stream;
  Stopwatch watch;
  report.add("host.record_event",
             time.of(kCalls, [&](int) { watch.start(stream); }, wait_for_all), "us");
  bool as_expected = true;
  const auto query = [&](cudaError_t expected) {
    return time.of(
        kCalls, [&](int) { as_expected &= cudaEventQuery(watch.began()) == expected; }, [] {});
  };
  report.add("host.query_event", query(cudaSuccess), "us");
  Gate gate;
  gate.close(stream);
  watch.start(stream);
  report.add("host.query_pending_event", query(cudaErrorNotReady), "us");
  gate.open();
  stream.wait();
  report.check("host.query_event", as_expected, "an event was done too early, or not done");
}

inline void measure_allocations(Report& report, HostTime& time) {
  constexpr int kBuffers = 32;
  constexpr std::size_t kBytes = std::size_t{1} << 20;
  std::vector<void*> buffers(kBuffers, nullptr);
  const auto allocate = [&](int i) { CHECK_CUDA(cudaMalloc(&buffers[i], kBytes)); };
  const auto free_one = [&](int i) {
    CHECK_CUDA(cudaFree(buffers[i]));
    buffers[i] = nullptr;
  };
  const auto free_all = [&] {
    for (int i = 0; i < kBuffers; ++i) free_one(i);
  };
  const auto allocate_all = [&] {
    for (int i = 0; i < kBuffers; ++i) {
      if (buffers[i] == nullptr) allocate(i);
    }
  };
  report.add("host.malloc", time.of(kBuffers, allocate, free_all), "us");
  allocate_all();
  report.add("host.free", time.of(kBuffers, free_one, allocate_all), "us");
  free_all();
}

inline void measure_graph_launch(Report& report, HostTime& time) {
  Stream stream;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t made = nullptr;
  CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  nothing<<<1, 32, 0, stream>>>();
  CHECK_CUDA(cudaStreamEndCapture(stream, &graph));
  CHECK_CUDA(cudaGraphInstantiateWithFlags(&made, graph, 0));
  const auto launch = [&](int) { CHECK_CUDA(cudaGraphLaunch(made, stream)); };
  report.add("host.launch_graph", time.of(kCalls, launch, wait_for_all), "us");
  CHECK_CUDA(cudaGraphExecDestroy(made));
  CHECK_CUDA(cudaGraphDestroy(graph));
}

/// A function of the driver, or null if there is none of that name.
template <class Function>
Function* driver_function(const char* name) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result = cudaDriverEntryPointSymbolNotFound;
  constexpr unsigned kVersion = 12000;
  if (cudaGetDriverEntryPointByVersion(name, &found, kVersion, cudaEnableDefault, &result) !=
          cudaSuccess ||
      result != cudaDriverEntryPointSuccess) {
    return nullptr;
  }
  return reinterpret_cast<Function*>(found);
}

/// The driver's writes of a word in a stream. Skipped if the driver does not support them.
inline void measure_stream_writes(Report& report, HostTime& time) {
  constexpr int kCanWrite = 122;  // CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS
  const auto attribute = driver_function<int(int*, int, int)>("cuDeviceGetAttribute");
  const auto write =
      driver_function<int(cudaStream_t, unsigned long long, std::uint32_t, unsigned)>(
          "cuStreamWriteValue32");
  int can = 0;
  if (attribute == nullptr || write == nullptr) return;
  if (attribute(&can, kCanWrite, 0) != 0 || can == 0) return;
  Stream stream;
  DeviceBuffer<std::uint32_t> word(1);
  const auto address = reinterpret_cast<unsigned long long>(word.data());
  bool right = true;
  const auto call = [&](int i) { right &= write(stream, address, std::uint32_t(i), 0) == 0; };
  report.add("host.write_value", time.of(kCalls, call, wait_for_all), "us");
  report.check("host.write_value", right && word.get(0) == kCalls - 1, "the word is not there");
}

inline void measure_host_calls(Report& report) {
  HostTime time;
  measure_submissions(report, time);
  measure_streams_in_turn(report, time);
  measure_events(report, time);
  measure_graph_launch(report, time);
  measure_stream_writes(report, time);
  measure_allocations(report, time);
}

}  // namespace raddle::workloads::micro
