// Queries of graphs, their nodes and captures (CUDA driver API, "Graph Management", "Stream
// Management").
#include "cuda/runtime/graph_queries.h"

#include <algorithm>

#include "cuda/driver_api/entry.h"
#include "cuda/runtime/arrays.h"
#include "cuda/runtime/graph_handles.h"

#undef cuStreamGetCaptureInfo

using namespace raddle::cuda;

namespace {

CUresult ask(CUgraphNode node, const void* out, const std::function<void(Node&)>& answer) {
  return driver_anywhere(Cost::call, [&](Runtime&) {
    require(out != nullptr, cudaErrorInvalidValue);
    answer(node_of(node));
    return cudaSuccess;
  });
}

/// Describes one side of a copy in the driver API's terms; the pointer alone gives the position in
/// plain memory.
void describe(const cudaPitchedPtr& plain, cudaArray_t array, const cudaPos& at, std::size_t& x,
              std::size_t& y, std::size_t& z, CUmemorytype& type, CUdeviceptr& device,
              CUarray& handle, std::size_t& pitch, std::size_t& rows) {
  type = array == nullptr ? CU_MEMORYTYPE_UNIFIED : CU_MEMORYTYPE_ARRAY;
  device = address(plain.ptr);
  handle = reinterpret_cast<CUarray>(array);
  pitch = plain.pitch;
  rows = plain.ysize;
  x = array == nullptr ? 0 : at.x * raddle::cuda::array(array).element;
  y = at.y;
  z = at.z;
}

CUDA_MEMCPY3D shape(const CopyWork& work) {
  const cudaMemcpy3DParms p = shape_of(work);
  CUDA_MEMCPY3D c = {};
  describe(p.srcPtr, p.srcArray, p.srcPos, c.srcXInBytes, c.srcY, c.srcZ, c.srcMemoryType,
           c.srcDevice, c.srcArray, c.srcPitch, c.srcHeight);
  describe(p.dstPtr, p.dstArray, p.dstPos, c.dstXInBytes, c.dstY, c.dstZ, c.dstMemoryType,
           c.dstDevice, c.dstArray, c.dstPitch, c.dstHeight);
  c.WidthInBytes = work.width;
  c.Height = work.height;
  c.Depth = work.depth;
  return c;
}

bool plain_edges(const CUgraphEdgeData* data, std::size_t count) {
  return data == nullptr || std::all_of(data, data + count, [](const CUgraphEdgeData& one) {
           return one.from_port == 0 && one.to_port == 0 && one.type == 0;
         });
}
CUresult refuse_edges() {
  return result(not_supported("a graph's edge with a port or a type (programmatic launch)"));
}
void clear(CUgraphEdgeData* data, std::size_t count) {
  if (data != nullptr) std::fill_n(data, count, CUgraphEdgeData{});
}

template <class Change>
CUresult for_each_edge(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                       const CUgraphEdgeData* data, std::size_t count, Change change) {
  if (!plain_edges(data, count)) return refuse_edges();
  return driver_anywhere(Cost::call, [&](Runtime&) {
    graph_of(graph);
    require((from != nullptr && to != nullptr) || count == 0, cudaErrorInvalidValue);
    for (std::size_t i = 0; i < count; ++i) change(node_of(from[i]), node_of(to[i]));
    return cudaSuccess;
  });
}

CUresult list_nodes(const std::function<std::vector<Node*>()>& find, CUgraphNode* nodes,
                    CUgraphEdgeData* data, std::size_t* count) {
  return driver_anywhere(Cost::call, [&](Runtime&) {
    require(count != nullptr, cudaErrorInvalidValue);
    list(find(), nodes, count);
    if (nodes != nullptr) clear(data, *count);
    return cudaSuccess;
  });
}

CUresult set_event(const std::function<Node&()>& find, CUevent event, bool record) {
  return driver_anywhere(Cost::call, [&](Runtime& runtime) {
    Event* one = &runtime.event(event);
    replace_work(runtime, find(), record ? Work(RecordWork{one}) : Work(WaitWork{one}));
    return cudaSuccess;
  });
}

CUstream own(CUstream stream) { return stream == nullptr ? CU_STREAM_PER_THREAD : stream; }

}  // namespace

CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS* p) {
  return ask(node, p, [&](Node& one) {
    const auto& work = work_of<KernelWork>(one);
    *p = {};
    p->func = reinterpret_cast<CUfunction>(Runtime::registry().remember(work.kernel));
    p->gridDimX = work.grid.x;
    p->gridDimY = work.grid.y;
    p->gridDimZ = work.grid.z;
    p->blockDimX = work.block.x;
    p->blockDimY = work.block.y;
    p->blockDimZ = work.block.z;
    p->sharedMemBytes = work.dynamic_shared_bytes;
    p->kernelParams = arguments_of(one);
  });
}
CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D* p) {
  return ask(node, p, [&](Node& one) { *p = shape(work_of<CopyWork>(one)); });
}
CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS* p) {
  return ask(node, p, [&](Node& one) {
    const auto& work = work_of<FillWork>(one);
    *p = {address(work.to.base),     work.to.pitch, work.value, work.element,
          work.width / work.element, work.height};
  });
}
CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS* p) {
  return ask(node, p, [&](Node& one) {
    const auto& work = work_of<HostWork>(one);
    *p = {work.function, work.data};
  });
}
CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph* graph) {
  return ask(node, graph, [&](Node& one) { *graph = child_of(one); });
}
CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                            CUgraph child) {
  return driver_anywhere(Cost::call, [&](Runtime&) {
    replace_child(node_in(executable, node), *graph_of(child));
    return cudaSuccess;
  });
}
CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent* event) {
  return ask(node, event, [&](Node& one) {
    *event = reinterpret_cast<CUevent>(work_of<RecordWork>(one).event);
  });
}
CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent* event) {
  return ask(node, event,
             [&](Node& one) { *event = reinterpret_cast<CUevent>(work_of<WaitWork>(one).event); });
}
CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event) {
  return set_event([&]() -> Node& { return node_of(node); }, event, true);
}
CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event) {
  return set_event([&]() -> Node& { return node_of(node); }, event, false);
}
CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec executable, CUgraphNode node,
                                            CUevent event) {
  return set_event([&]() -> Node& { return node_in(executable, node); }, event, true);
}
CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec executable, CUgraphNode node, CUevent event) {
  return set_event([&]() -> Node& { return node_in(executable, node); }, event, false);
}

CUresult cuGraphNodeFindInClone(CUgraphNode* found, CUgraphNode original, CUgraph copy) {
  return driver_anywhere(Cost::call, [&](Runtime&) {
    require(found != nullptr, cudaErrorInvalidValue);
    *found = handle(&find_in_clone(node_of(original), *graph_of(copy)));
    return cudaSuccess;
  });
}
CUresult cuGraphNodeSetEnabled(CUgraphExec executable, CUgraphNode node, unsigned enabled) {
  return driver_anywhere(Cost::call, [&](Runtime&) {
    node_in(executable, node).enabled = enabled != 0;
    return cudaSuccess;
  });
}
CUresult cuGraphNodeGetEnabled(CUgraphExec executable, CUgraphNode node, unsigned* enabled) {
  return driver_anywhere(Cost::call, [&](Runtime&) {
    require(enabled != nullptr, cudaErrorInvalidValue);
    *enabled = node_in(executable, node).enabled ? 1 : 0;
    return cudaSuccess;
  });
}
CUresult cuGraphExecGetFlags(CUgraphExec executable, cuuint64_t* flags) {
  return driver_anywhere(Cost::call, [&](Runtime&) {
    require(flags != nullptr, cudaErrorInvalidValue);
    *flags = executable_of(executable)->flags;
    return cudaSuccess;
  });
}
CUresult cuGraphDebugDotPrint(CUgraph graph, const char* path, unsigned flags) {
  return driver_anywhere(Cost::call, [&](Runtime&) {
    write_dot(*graph_of(graph), path, flags);
    return cudaSuccess;
  });
}

CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode* from, CUgraphNode* to,
                            CUgraphEdgeData* data, std::size_t* count) {
  return driver_anywhere(Cost::call, [&](Runtime&) {
    require(count != nullptr, cudaErrorInvalidValue);
    list_edges(*graph_of(graph), from, to, count);
    if (from != nullptr) clear(data, *count);
    return cudaSuccess;
  });
}
CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode* nodes, CUgraphEdgeData* data,
                                       std::size_t* count) {
  return list_nodes([&] { return node_of(node).after; }, nodes, data, count);
}
CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode* nodes,
                                         CUgraphEdgeData* data, std::size_t* count) {
  return list_nodes([&] { return followers_of(node_of(node)); }, nodes, data, count);
}
CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                   const CUgraphEdgeData* data, std::size_t count) {
  return for_each_edge(graph, from, to, data, count, add_edge);
}
CUresult cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                      const CUgraphEdgeData* data, std::size_t count) {
  return for_each_edge(graph, from, to, data, count, remove_edge);
}
CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to, std::size_t* count) {
  return cuGraphGetEdges_v2(graph, from, to, nullptr, count);
}
CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode* nodes, std::size_t* count) {
  return cuGraphNodeGetDependencies_v2(node, nodes, nullptr, count);
}
CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode* nodes, std::size_t* count) {
  return cuGraphNodeGetDependentNodes_v2(node, nodes, nullptr, count);
}
CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                std::size_t count) {
  return cuGraphAddDependencies_v2(graph, from, to, nullptr, count);
}
CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                   std::size_t count) {
  return cuGraphRemoveDependencies_v2(graph, from, to, nullptr, count);
}

CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph, const CUgraphNode* after,
                                     const CUgraphEdgeData* data, std::size_t count,
                                     CUstreamCaptureMode mode) {
  if (!plain_edges(data, count)) return refuse_edges();
  return driver_anywhere(Cost::call, [&](Runtime& runtime) {
    require(mode >= CU_STREAM_CAPTURE_MODE_GLOBAL && mode <= CU_STREAM_CAPTURE_MODE_RELAXED,
            cudaErrorInvalidValue);
    const std::shared_ptr<Graph> into = graph_of(graph);
    begin_capture(runtime.stream(stream), into, nodes_of(after, count, into.get()),
                  static_cast<cudaStreamCaptureMode>(mode));
    return cudaSuccess;
  });
}
CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                   CUgraph* graph, const CUgraphNode** nodes, std::size_t* count) {
  return driver_anywhere(Cost::call, [&](Runtime& runtime) {
    require(status != nullptr, cudaErrorInvalidValue);
    Stream& one = runtime.stream(stream);
    *status = static_cast<CUstreamCaptureStatus>(capture_status(one));
    if (one.capture == nullptr) return cudaSuccess;
    const std::vector<Node*>& tails = one.capture->tails[&one];
    if (id != nullptr) *id = one.capture->id;
    if (graph != nullptr) *graph = keep(one.capture->graph);
    if (nodes != nullptr) *nodes = reinterpret_cast<const CUgraphNode*>(tails.data());
    if (count != nullptr) *count = tails.size();
    return cudaSuccess;
  });
}
CUresult cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                   CUgraph* graph, const CUgraphNode** nodes,
                                   const CUgraphEdgeData** data, std::size_t* count) {
  if (data != nullptr) *data = nullptr;  // edges have no data
  return cuStreamGetCaptureInfo_v2(stream, status, id, graph, nodes, count);
}
CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode* after,
                                              const CUgraphEdgeData* data, std::size_t count,
                                              unsigned flags) {
  if (!plain_edges(data, count)) return refuse_edges();
  return driver_anywhere(Cost::call, [&](Runtime& runtime) {
    require(flags <= CU_STREAM_SET_CAPTURE_DEPENDENCIES, cudaErrorInvalidValue);
    update_capture(runtime.stream(stream), nodes_of(after, count),
                   flags == CU_STREAM_ADD_CAPTURE_DEPENDENCIES);
    return cudaSuccess;
  });
}
CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode* after, std::size_t count,
                                           unsigned flags) {
  return cuStreamUpdateCaptureDependencies_v2(stream, after, nullptr, count, flags);
}
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  return driver_anywhere(Cost::call, [&](Runtime&) {
    require(mode != nullptr && *mode >= CU_STREAM_CAPTURE_MODE_GLOBAL &&
                *mode <= CU_STREAM_CAPTURE_MODE_RELAXED,
            cudaErrorInvalidValue);
    *mode = static_cast<CUstreamCaptureMode>(
        exchange_capture_mode(static_cast<cudaStreamCaptureMode>(*mode)));
    return cudaSuccess;
  });
}

extern "C" {
CUresult cuStreamBeginCaptureToGraph_ptsz(CUstream stream, CUgraph graph, const CUgraphNode* after,
                                          const CUgraphEdgeData* data, std::size_t count,
                                          CUstreamCaptureMode mode) {
  return cuStreamBeginCaptureToGraph(own(stream), graph, after, data, count, mode);
}
CUresult cuStreamGetCaptureInfo_v2_ptsz(CUstream stream, CUstreamCaptureStatus* status,
                                        cuuint64_t* id, CUgraph* graph, const CUgraphNode** nodes,
                                        std::size_t* count) {
  return cuStreamGetCaptureInfo_v2(own(stream), status, id, graph, nodes, count);
}
CUresult cuStreamGetCaptureInfo_v3_ptsz(CUstream stream, CUstreamCaptureStatus* status,
                                        cuuint64_t* id, CUgraph* graph, const CUgraphNode** nodes,
                                        const CUgraphEdgeData** data, std::size_t* count) {
  return cuStreamGetCaptureInfo_v3(own(stream), status, id, graph, nodes, data, count);
}
CUresult cuStreamUpdateCaptureDependencies_ptsz(CUstream stream, CUgraphNode* after,
                                                std::size_t count, unsigned flags) {
  return cuStreamUpdateCaptureDependencies(own(stream), after, count, flags);
}
CUresult cuStreamUpdateCaptureDependencies_v2_ptsz(CUstream stream, CUgraphNode* after,
                                                   const CUgraphEdgeData* data, std::size_t count,
                                                   unsigned flags) {
  return cuStreamUpdateCaptureDependencies_v2(own(stream), after, data, count, flags);
}
}
