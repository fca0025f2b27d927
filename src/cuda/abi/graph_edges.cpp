// CUDA 13 has the forms with edge data under the names without _v2.
#include "cuda_runtime_api.h"

#if RADDLE_CUDART == 13

// Named differently from the declarations of CUDA 12.
#define RADDLE_13(name) cudaError_t name##_13
#define RADDLE_AS(name) __asm__(#name)

extern "C" {

RADDLE_13(cudaGraphAddDependencies)
(cudaGraph_t, const cudaGraphNode_t*, const cudaGraphNode_t*, const cudaGraphEdgeData*,
 size_t)RADDLE_AS(cudaGraphAddDependencies);
RADDLE_13(cudaGraphAddDependencies)
(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
 const cudaGraphEdgeData* data, size_t count) {
  return cudaGraphAddDependencies_v2(graph, from, to, data, count);
}

RADDLE_13(cudaGraphRemoveDependencies)
(cudaGraph_t, const cudaGraphNode_t*, const cudaGraphNode_t*, const cudaGraphEdgeData*,
 size_t)RADDLE_AS(cudaGraphRemoveDependencies);
RADDLE_13(cudaGraphRemoveDependencies)
(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
 const cudaGraphEdgeData* data, size_t count) {
  return cudaGraphRemoveDependencies_v2(graph, from, to, data, count);
}

RADDLE_13(cudaGraphGetEdges)
(cudaGraph_t, cudaGraphNode_t*, cudaGraphNode_t*, cudaGraphEdgeData*,
 size_t*)RADDLE_AS(cudaGraphGetEdges);
RADDLE_13(cudaGraphGetEdges)
(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* data,
 size_t* count) {
  return cudaGraphGetEdges_v2(graph, from, to, data, count);
}

RADDLE_13(cudaGraphNodeGetDependencies)
(cudaGraphNode_t, cudaGraphNode_t*, cudaGraphEdgeData*,
 size_t*)RADDLE_AS(cudaGraphNodeGetDependencies);
RADDLE_13(cudaGraphNodeGetDependencies)
(cudaGraphNode_t node, cudaGraphNode_t* nodes, cudaGraphEdgeData* data, size_t* count) {
  return cudaGraphNodeGetDependencies_v2(node, nodes, data, count);
}

RADDLE_13(cudaGraphNodeGetDependentNodes)
(cudaGraphNode_t, cudaGraphNode_t*, cudaGraphEdgeData*,
 size_t*)RADDLE_AS(cudaGraphNodeGetDependentNodes);
RADDLE_13(cudaGraphNodeGetDependentNodes)
(cudaGraphNode_t node, cudaGraphNode_t* nodes, cudaGraphEdgeData* data, size_t* count) {
  return cudaGraphNodeGetDependentNodes_v2(node, nodes, data, count);
}

RADDLE_13(cudaGraphAddNode)
(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, const cudaGraphEdgeData*, size_t,
 cudaGraphNodeParams*)RADDLE_AS(cudaGraphAddNode);
RADDLE_13(cudaGraphAddNode)
(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
 const cudaGraphEdgeData* data, size_t count, cudaGraphNodeParams* parameters) {
  return cudaGraphAddNode_v2(node, graph, after, data, count, parameters);
}

RADDLE_13(cudaStreamGetCaptureInfo)
(cudaStream_t, cudaStreamCaptureStatus*, unsigned long long*, cudaGraph_t*, const cudaGraphNode_t**,
 const cudaGraphEdgeData**, size_t*)RADDLE_AS(cudaStreamGetCaptureInfo);
RADDLE_13(cudaStreamGetCaptureInfo)
(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id, cudaGraph_t* graph,
 const cudaGraphNode_t** nodes, const cudaGraphEdgeData** data, size_t* count) {
  return cudaStreamGetCaptureInfo_v3(stream, status, id, graph, nodes, data, count);
}

RADDLE_13(cudaStreamUpdateCaptureDependencies)
(cudaStream_t, cudaGraphNode_t*, const cudaGraphEdgeData*, size_t,
 unsigned)RADDLE_AS(cudaStreamUpdateCaptureDependencies);
RADDLE_13(cudaStreamUpdateCaptureDependencies)
(cudaStream_t stream, cudaGraphNode_t* after, const cudaGraphEdgeData* data, size_t count,
 unsigned flags) {
  return cudaStreamUpdateCaptureDependencies_v2(stream, after, data, count, flags);
}

}  // extern "C"

#else

#undef cudaStreamGetCaptureInfo
extern "C" cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream,
                                                cudaStreamCaptureStatus* status,
                                                unsigned long long* id) {
  return cudaStreamGetCaptureInfo_v2(stream, status, id, nullptr, nullptr, nullptr);
}

#endif
