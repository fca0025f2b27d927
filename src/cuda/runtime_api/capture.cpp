// Stream capture (CUDA runtime API, "Stream Management").
#include "cuda/runtime/graph_queries.h"
#include "cuda/runtime_api/entry.h"

using namespace raddle::cuda;

#pragma weak cudaStreamUpdateCaptureDependencies  // differs in CUDA 13: abi/graph_edges.cpp

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(mode >= cudaStreamCaptureModeGlobal && mode <= cudaStreamCaptureModeRelaxed,
            cudaErrorInvalidValue);
    begin_capture(runtime.stream(stream), std::make_shared<Graph>(), {}, mode);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t* after,
                                          const cudaGraphEdgeData* data, std::size_t count,
                                          cudaStreamCaptureMode mode) {
  for (std::size_t i = 0; data != nullptr && i < count; ++i) {
    if (data[i].from_port != 0 || data[i].to_port != 0 || data[i].type != 0) {
      return not_supported("a graph's edge with a port or a type (programmatic launch)");
    }
  }
  return call(Cost::call, [&](Runtime& runtime) {
    require(mode >= cudaStreamCaptureModeGlobal && mode <= cudaStreamCaptureModeRelaxed,
            cudaErrorInvalidValue);
    const std::shared_ptr<Graph> into = graph_of(graph);
    begin_capture(runtime.stream(stream), into, nodes_of(after, count, into.get()), mode);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream, cudaGraphNode_t* after,
                                                   const cudaGraphEdgeData*, std::size_t count,
                                                   unsigned flags) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(flags <= cudaStreamSetCaptureDependencies, cudaErrorInvalidValue);
    update_capture(runtime.stream(stream), nodes_of(after, count, nullptr),
                   flags == cudaStreamAddCaptureDependencies);
    return cudaSuccess;
  });
}
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* after,
                                                std::size_t count, unsigned flags) {
  return cudaStreamUpdateCaptureDependencies_v2(stream, after, nullptr, count, flags);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return call(Cost::call, [&](Runtime& runtime) {
    if (graph != nullptr) *graph = nullptr;
    auto captured = end_capture(runtime, runtime.stream(stream));
    // A program that captured into a graph of its own may need no other handle.
    if (graph != nullptr) *graph = keep(std::move(captured));
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
  if (data != nullptr) *data = nullptr;  // edges have no data
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
