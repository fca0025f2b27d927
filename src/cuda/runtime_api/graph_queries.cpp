// Queries of the parameters of nodes (CUDA runtime API, "Graph Management").
#include "cuda/runtime/graph_queries.h"

#include "cuda/runtime_api/entry.h"

using namespace raddle::cuda;

namespace {

cudaError_t ask(cudaGraphNode_t node, const void* out, const std::function<void(Node&)>& answer) {
  return call(Cost::call, [&](Runtime&) {
    require(out != nullptr, cudaErrorInvalidValue);
    answer(node_of(node));
    return cudaSuccess;
  });
}

}  // namespace

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* p) {
  return ask(node, p, [&](Node& one) {
    const auto& work = work_of<KernelWork>(one);
    *p = {name_of(work),
          dim3(work.grid.x, work.grid.y, work.grid.z),
          dim3(work.block.x, work.block.y, work.block.z),
          work.dynamic_shared_bytes,
          arguments_of(one),
          nullptr};
  });
}
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* p) {
  return ask(node, p, [&](Node& one) { *p = shape_of(work_of<CopyWork>(one)); });
}
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* p) {
  return ask(node, p, [&](Node& one) {
    const auto& work = work_of<FillWork>(one);
    *p = {work.to.base, work.to.pitch, work.value, work.element, work.width / work.element,
          work.height};
  });
}
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return ask(node, event, [&](Node& one) {
    *event = reinterpret_cast<cudaEvent_t>(work_of<RecordWork>(one).event);
  });
}
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return ask(node, event, [&](Node& one) {
    *event = reinterpret_cast<cudaEvent_t>(work_of<WaitWork>(one).event);
  });
}
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
  return ask(node, graph, [&](Node& one) { *graph = child_of(one); });
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned flags) {
  return call(Cost::call, [&](Runtime&) {
    write_dot(*graph_of(graph), path, flags);
    return cudaSuccess;
  });
}
