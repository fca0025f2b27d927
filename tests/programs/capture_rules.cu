// Calls that a capture in progress does not allow, and the state of the capture afterwards (CUDA
// programming guide, "Prohibited and Unhandled Operations", "Invalidation"; CUDA runtime API,
// cudaStreamBeginCapture, cudaThreadExchangeStreamCaptureMode).
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

// A stream of a branch that is destroyed before the capture ends. What has joined the origin is
// captured (NVIDIA H200, CUDA 13.0).
struct Branch {
  Capture origin;
  cudaStream_t other = nullptr;
  cudaEvent_t fork = nullptr, join = nullptr;
  Branch() {
    CHECK(cudaMemset(origin.value, 0, sizeof(int)));
    CHECK(cudaStreamCreate(&other));
    CHECK(cudaEventCreate(&fork));
    CHECK(cudaEventCreate(&join));
    origin.begin();
    CHECK(cudaEventRecord(fork, origin.stream));
    CHECK(cudaStreamWaitEvent(other, fork, 0));
    add<<<1, 1, 0, other>>>(origin.value, 10);
    CHECK(cudaGetLastError());
  }
  // Ends the capture, runs the graph; the value is then its sum.
  int sum() const {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    CHECK(cudaStreamEndCapture(origin.stream, &graph));
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaGraphLaunch(executable, origin.stream));
    CHECK(cudaStreamSynchronize(origin.stream));
    return to_host(origin.value, 1)[0];
  }
};

void destroyed_after_joining() {
  const Branch branch;
  CHECK(cudaEventRecord(branch.join, branch.other));
  CHECK(cudaStreamWaitEvent(branch.origin.stream, branch.join, 0));
  CHECK(cudaStreamDestroy(branch.other));
  CHECK(cudaEventDestroy(branch.fork));
  CHECK(cudaEventDestroy(branch.join));
  EXPECT_EQ(branch.origin.status(), cudaStreamCaptureStatusActive);
  EXPECT_EQ(branch.sum(), 11);
}

// The event outlives the stream in which it was recorded.
void destroyed_before_joining() {
  const Branch branch;
  CHECK(cudaEventRecord(branch.join, branch.other));
  CHECK(cudaStreamDestroy(branch.other));
  CHECK(cudaStreamWaitEvent(branch.origin.stream, branch.join, 0));
  EXPECT_EQ(branch.sum(), 11);
}

void destroyed_unjoined() {
  const Branch branch;
  CHECK(cudaStreamDestroy(branch.other));
  EXPECT_EQ(branch.origin.status(), cudaStreamCaptureStatusActive);
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(branch.origin.stream, &graph), cudaErrorStreamCaptureUnjoined);
  EXPECT(graph == nullptr);
  cudaGetLastError();
  // The stream takes work again.
  add<<<1, 1, 0, branch.origin.stream>>>(branch.origin.value, 1);
  CHECK(cudaStreamSynchronize(branch.origin.stream));
}

// Streams that are made later have the address of one that went, and nothing to do with its branch.
void destroyed_and_made_again() {
  const Branch branch;
  CHECK(cudaEventRecord(branch.join, branch.other));
  CHECK(cudaStreamDestroy(branch.other));
  for (int i = 0; i < 8; ++i) {
    cudaStream_t later = nullptr;
    CHECK(cudaStreamCreate(&later));
    cudaStreamCaptureStatus status;
    CHECK(cudaStreamIsCapturing(later, &status));
    EXPECT_EQ(status, cudaStreamCaptureStatusNone);
    CHECK(cudaStreamSynchronize(later));
    CHECK(cudaStreamDestroy(later));
  }
  CHECK(cudaStreamWaitEvent(branch.origin.stream, branch.join, 0));
  EXPECT_EQ(branch.sum(), 11);
}

// Nobody can end it as it should: what remains of it is invalid (programming guide, "Invalidation").
void destroyed_origin() {
  const Branch branch;
  CHECK(cudaStreamDestroy(branch.origin.stream));
  cudaStreamCaptureStatus status;
  CHECK(cudaStreamIsCapturing(branch.other, &status));
  EXPECT_EQ(status, cudaStreamCaptureStatusInvalidated);
  add<<<1, 1, 0, branch.other>>>(branch.origin.value, 10);
  EXPECT_EQ(cudaGetLastError(), cudaErrorStreamCaptureInvalidated);
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(branch.other, &graph), cudaErrorStreamCaptureInvalidated);
  cudaGetLastError();
  add<<<1, 1, 0, branch.other>>>(branch.origin.value, 10);
  CHECK(cudaStreamSynchronize(branch.other));
  EXPECT_EQ(to_host(branch.origin.value, 1)[0], 10);
}

int main() {
  calls();
  modes();
  branches();
  destroyed_after_joining();
  destroyed_before_joining();
  destroyed_unjoined();
  destroyed_and_made_again();
  destroyed_origin();
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreate(&stream));
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorIllegalState);
  EXPECT_EQ(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal),
            cudaErrorStreamCaptureUnsupported);
  return finish();
}
