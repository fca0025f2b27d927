// What a capture in progress does not allow, and what becomes of it then (CUDA programming guide,
// "Prohibited and Unhandled Operations", "Invalidation"; CUDA runtime API, cudaStreamBeginCapture,
// cudaThreadExchangeStreamCaptureMode).
#include <thread>

#include "check.h"

__global__ void add(int* value, int amount) { *value += amount; }

struct Capture {
  cudaStream_t stream = nullptr;
  int* value = device_array<int>(1);
  Capture() { CHECK(cudaStreamCreate(&stream)); }

  void begin(cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) const {
    CHECK(cudaStreamBeginCapture(stream, mode));
    add<<<1, 1, 0, stream>>>(value, 1);
    CHECK(cudaGetLastError());
  }
  cudaStreamCaptureStatus status() const {
    cudaStreamCaptureStatus now;
    CHECK(cudaStreamIsCapturing(stream, &now));
    return now;
  }
  // Ends one that a call has made invalid.
  void end_invalid() const {
    cudaGetLastError();
    EXPECT_EQ(status(), cudaStreamCaptureStatusInvalidated);
    add<<<1, 1, 0, stream>>>(value, 1);
    EXPECT_EQ(cudaGetLastError(), cudaErrorStreamCaptureInvalidated);
    cudaGraph_t graph = reinterpret_cast<cudaGraph_t>(1);
    EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
    EXPECT(graph == nullptr);
    EXPECT_EQ(status(), cudaStreamCaptureStatusNone);
    cudaGetLastError();
  }
  void end() const {
    cudaGraph_t graph = nullptr;
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphDestroy(graph));
  }
  template <class Call>
  void forbids(Call call, cudaError_t error, int line) const {
    begin();
    expect_equal(call(), error, "a call while capturing", line);
    end_invalid();
  }
};

#define FORBIDS(call, error) capture.forbids([&] { return call; }, error, __LINE__)

void calls() {
  const Capture capture;
  int host = 0;
  void* memory = nullptr;
  FORBIDS(cudaStreamSynchronize(capture.stream), cudaErrorStreamCaptureUnsupported);
  FORBIDS(cudaStreamQuery(capture.stream), cudaErrorStreamCaptureUnsupported);
  FORBIDS(cudaDeviceSynchronize(), cudaErrorStreamCaptureUnsupported);
  FORBIDS(cudaMalloc(&memory, 16), cudaErrorStreamCaptureUnsupported);
  FORBIDS(cudaMallocHost(&memory, 16), cudaErrorStreamCaptureUnsupported);
  FORBIDS(cudaMallocManaged(&memory, 16), cudaErrorStreamCaptureUnsupported);
  FORBIDS(cudaFree(capture.value), cudaErrorStreamCaptureUnsupported);
  // The legacy stream waits for this one.
  FORBIDS(cudaMemcpy(capture.value, &host, 4, cudaMemcpyHostToDevice),
          cudaErrorStreamCaptureImplicit);
  FORBIDS(cudaMemset(capture.value, 0, 4), cudaErrorStreamCaptureImplicit);
  FORBIDS(cudaStreamSynchronize(nullptr), cudaErrorStreamCaptureImplicit);
  const auto launch = [&] {
    add<<<1, 1>>>(capture.value, 1);
    return cudaGetLastError();
  };
  FORBIDS(launch(), cudaErrorStreamCaptureImplicit);
  // Nothing of it has run.
  CHECK(cudaMemcpy(&host, capture.value, 4, cudaMemcpyDeviceToHost));
  EXPECT_EQ(host, 0);
}

void modes() {
  const Capture capture;
  void* memory = nullptr;
  capture.begin(cudaStreamCaptureModeRelaxed);
  CHECK(cudaMalloc(&memory, 16));
  capture.end();

  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  capture.begin();
  CHECK(cudaThreadExchangeStreamCaptureMode(&mode));
  EXPECT_EQ(mode, cudaStreamCaptureModeGlobal);
  CHECK(cudaMalloc(&memory, 16));
  CHECK(cudaThreadExchangeStreamCaptureMode(&mode));
  EXPECT_EQ(mode, cudaStreamCaptureModeRelaxed);
  capture.end();

  // Another thread minds global captures only, and none when it says so.
  capture.begin(cudaStreamCaptureModeThreadLocal);
  std::thread([&] { CHECK(cudaMalloc(&memory, 16)); }).join();
  cudaGraph_t graph = nullptr;
  std::thread([&] {
    EXPECT_EQ(cudaStreamEndCapture(capture.stream, &graph), cudaErrorStreamCaptureWrongThread);
  }).join();
  // That has ended it (NVIDIA H200, CUDA 13.0).
  EXPECT_EQ(capture.status(), cudaStreamCaptureStatusNone);
  EXPECT_EQ(cudaStreamEndCapture(capture.stream, &graph), cudaErrorIllegalState);
  cudaGetLastError();
  capture.begin();
  std::thread([&] {
    cudaStreamCaptureMode local = cudaStreamCaptureModeThreadLocal;
    CHECK(cudaThreadExchangeStreamCaptureMode(&local));
    CHECK(cudaMalloc(&memory, 16));
  }).join();
  std::thread([&] {
    EXPECT_EQ(cudaMalloc(&memory, 16), cudaErrorStreamCaptureUnsupported);
  }).join();
  capture.end_invalid();
}

void branches() {
  const Capture capture;
  cudaStream_t other = nullptr;
  cudaEvent_t fork = nullptr;
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&fork));
  const auto branch = [&] {
    capture.begin();
    CHECK(cudaEventRecord(fork, capture.stream));
    CHECK(cudaStreamWaitEvent(other, fork, 0));
    add<<<1, 1, 0, other>>>(capture.value, 1);
    CHECK(cudaGetLastError());
  };
  branch();
  EXPECT_EQ(cudaEventQuery(fork), cudaErrorCapturedEvent);
  capture.end_invalid();
  branch();
  EXPECT_EQ(cudaEventSynchronize(fork), cudaErrorCapturedEvent);
  capture.end_invalid();
  branch();
  EXPECT_EQ(cudaStreamEndCapture(other, &graph), cudaErrorStreamCaptureUnmatched);
  capture.end_invalid();
  branch();
  EXPECT_EQ(cudaStreamEndCapture(capture.stream, &graph), cudaErrorStreamCaptureUnjoined);
  cudaGetLastError();
  // The stream that went does not stay captured.
  capture.begin();
  CHECK(cudaStreamDestroy(capture.stream));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaStreamSynchronize(nullptr));
}

int main() {
  calls();
  modes();
  branches();
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreate(&stream));
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorIllegalState);
  EXPECT_EQ(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal),
            cudaErrorStreamCaptureUnsupported);
  return finish();
}
