// Stream capture (CUDA runtime API, "Stream Management").
#include "cuda/runtime_api/entry.h"

using namespace raddle::cuda;

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(mode >= cudaStreamCaptureModeGlobal && mode <= cudaStreamCaptureModeRelaxed,
            cudaErrorInvalidValue);
    begin_capture(runtime.stream(stream), std::make_shared<Graph>(), {}, mode);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(graph != nullptr, cudaErrorInvalidValue);
    *graph = nullptr;
    *graph = keep(end_capture(runtime, runtime.stream(stream)));
    return cudaSuccess;
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(status != nullptr, cudaErrorInvalidValue);
    *status = capture_status(runtime.stream(stream));
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                        unsigned long long* id, cudaGraph_t* graph,
                                        const cudaGraphNode_t** nodes, std::size_t* count) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(status != nullptr, cudaErrorInvalidValue);
    const auto& capture = runtime.stream(stream).capture;
    *status = capture_status(runtime.stream(stream));
    if (capture == nullptr) return cudaSuccess;
    const std::vector<Node*>& tails = capture->tails[&runtime.stream(stream)];
    if (id != nullptr) *id = capture->id;
    if (graph != nullptr) *graph = keep(capture->graph);
    if (nodes != nullptr) *nodes = reinterpret_cast<const cudaGraphNode_t*>(tails.data());
    if (count != nullptr) *count = tails.size();
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                        unsigned long long* id, cudaGraph_t* graph,
                                        const cudaGraphNode_t** nodes,
                                        const cudaGraphEdgeData** data, std::size_t* count) {
  if (data != nullptr) *data = nullptr;  // edges have none
  return cudaStreamGetCaptureInfo_v2(stream, status, id, graph, nodes, count);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return call(Cost::call, [&](Runtime&) {
    require(mode != nullptr && *mode >= cudaStreamCaptureModeGlobal &&
                *mode <= cudaStreamCaptureModeRelaxed,
            cudaErrorInvalidValue);
    *mode = exchange_capture_mode(*mode);
    return cudaSuccess;
  });
}
