// Graphs and stream capture (CUDA driver API, "Graph Management", "Stream Management").
#include "cuda/driver_api/entry.h"
#include "cuda/runtime/graph_handles.h"

using namespace raddle::cuda;

namespace {

using Make = std::function<Work(Runtime&)>;

CUresult add(CUgraphNode* out, CUgraph graph, const CUgraphNode* after, std::size_t count,
             const Make& make) {
  return driver_anywhere(Cost::call, [&](Runtime& runtime) {
    require(out != nullptr, cudaErrorInvalidValue);
    *out = add_node(runtime, graph, after, count, make(runtime));
    return cudaSuccess;
  });
}

CUresult replace(CUgraphNode node, const Make& make) {
  return driver_anywhere(Cost::call, [&](Runtime& runtime) {
    replace_work(runtime, node_of(node), make(runtime));
    return cudaSuccess;
  });
}
CUresult replace_in(CUgraphExec executable, CUgraphNode node, const Make& make) {
  return driver_anywhere(Cost::call, [&](Runtime& runtime) {
    replace_work(runtime, node_in(executable, node), make(runtime));
    return cudaSuccess;
  });
}

Make node_kernel(const CUDA_KERNEL_NODE_PARAMS* p) {
  return [p](Runtime& runtime) -> Work {
    require(p != nullptr, cudaErrorInvalidValue);
    Kernel& kernel = runtime.kernel(p->func != nullptr ? static_cast<const void*>(p->func)
                                                       : static_cast<const void*>(p->kern));
    return kernel_work(kernel,
                       {{p->gridDimX, p->gridDimY, p->gridDimZ},
                        {p->blockDimX, p->blockDimY, p->blockDimZ},
                        p->sharedMemBytes,
                        false},
                       parameters_of(kernel, p->kernelParams, p->extra));
  };
}

Make shaped_work(const CUDA_MEMCPY3D* p) {
  return [p](Runtime&) -> Work {
    require(p != nullptr, cudaErrorInvalidValue);
    return copy_work(*p);
  };
}

Make fill_work(const CUDA_MEMSET_NODE_PARAMS* p) {
  return [p](Runtime&) -> Work {
    require(p != nullptr, cudaErrorInvalidValue);
    const std::size_t width = p->width * p->elementSize;
    return FillWork{{pointer(p->dst), p->height > 1 ? p->pitch : width, p->height},
                    width,
                    p->height,
                    1,
                    p->value,
                    p->elementSize};
  };
}

Make host_work(const CUDA_HOST_NODE_PARAMS* p) {
  return [p](Runtime&) -> Work {
    require(p != nullptr && p->fn != nullptr, cudaErrorInvalidValue);
    return HostWork{p->fn, p->userData};
  };
}

}  // namespace

CUresult cuGraphCreate(CUgraph* graph, unsigned) {
  return driver_anywhere(Cost::call, [&](Runtime&) {
    require(graph != nullptr, cudaErrorInvalidValue);
    *graph = keep(std::make_shared<Graph>());
    return cudaSuccess;
  });
}
CUresult cuGraphDestroy(CUgraph graph) {
  return driver_always(Cost::call, [&](Runtime&) {
    forget(graph);
    return cudaSuccess;
  });
}
CUresult cuGraphClone(CUgraph* copy, CUgraph graph) {
  return driver_anywhere(Cost::call, [&](Runtime&) {
    require(copy != nullptr, cudaErrorInvalidValue);
    *copy = keep(clone(*graph_of(graph)));
    return cudaSuccess;
  });
}
CUresult cuGraphDestroyNode(CUgraphNode node) {
  return driver_anywhere(Cost::call, [&](Runtime&) {
    remove_node(node_of(node));
    return cudaSuccess;
  });
}
// The driver API's types of nodes have the runtime API's numbers.
CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType* type) {
  return driver_anywhere(Cost::call, [&](Runtime&) {
    require(type != nullptr, cudaErrorInvalidValue);
    *type = static_cast<CUgraphNodeType>(type_of(node_of(node)));
    return cudaSuccess;
  });
}
CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode* nodes, std::size_t* count) {
  return driver_anywhere(Cost::call, [&](Runtime&) {
    list(all_nodes(*graph_of(graph)), nodes, count);
    return cudaSuccess;
  });
}
CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode* nodes, std::size_t* count) {
  return driver_anywhere(Cost::call, [&](Runtime&) {
    list(root_nodes(*graph_of(graph)), nodes, count);
    return cudaSuccess;
  });
}

CUresult cuGraphAddKernelNode_v2(CUgraphNode* out, CUgraph graph, const CUgraphNode* after,
                                 std::size_t count, const CUDA_KERNEL_NODE_PARAMS* p) {
  return add(out, graph, after, count, node_kernel(p));
}
CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS* p) {
  return replace(node, node_kernel(p));
}
CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec executable, CUgraphNode node,
                                           const CUDA_KERNEL_NODE_PARAMS* p) {
  return replace_in(executable, node, node_kernel(p));
}
CUresult cuGraphAddMemcpyNode(CUgraphNode* out, CUgraph graph, const CUgraphNode* after,
                              std::size_t count, const CUDA_MEMCPY3D* p, CUcontext) {
  return add(out, graph, after, count, shaped_work(p));
}
CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D* p) {
  return replace(node, shaped_work(p));
}
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                        const CUDA_MEMCPY3D* p, CUcontext) {
  return replace_in(executable, node, shaped_work(p));
}
CUresult cuGraphAddMemsetNode(CUgraphNode* out, CUgraph graph, const CUgraphNode* after,
                              std::size_t count, const CUDA_MEMSET_NODE_PARAMS* p, CUcontext) {
  return add(out, graph, after, count, fill_work(p));
}
CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS* p) {
  return replace(node, fill_work(p));
}
CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                        const CUDA_MEMSET_NODE_PARAMS* p, CUcontext) {
  return replace_in(executable, node, fill_work(p));
}
CUresult cuGraphAddHostNode(CUgraphNode* out, CUgraph graph, const CUgraphNode* after,
                            std::size_t count, const CUDA_HOST_NODE_PARAMS* p) {
  return add(out, graph, after, count, host_work(p));
}
CUresult cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS* p) {
  return replace(node, host_work(p));
}
CUresult cuGraphExecHostNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                      const CUDA_HOST_NODE_PARAMS* p) {
  return replace_in(executable, node, host_work(p));
}
CUresult cuGraphAddChildGraphNode(CUgraphNode* out, CUgraph graph, const CUgraphNode* after,
                                  std::size_t count, CUgraph child) {
  return add(out, graph, after, count,
             [&](Runtime&) -> Work { return ChildWork{clone(*graph_of(child))}; });
}
CUresult cuGraphAddEmptyNode(CUgraphNode* out, CUgraph graph, const CUgraphNode* after,
                             std::size_t count) {
  return add(out, graph, after, count, [](Runtime&) -> Work { return EmptyWork{}; });
}
CUresult cuGraphAddEventRecordNode(CUgraphNode* out, CUgraph graph, const CUgraphNode* after,
                                   std::size_t count, CUevent event) {
  return add(out, graph, after, count,
             [&](Runtime& runtime) -> Work { return RecordWork{&runtime.event(event)}; });
}
CUresult cuGraphAddEventWaitNode(CUgraphNode* out, CUgraph graph, const CUgraphNode* after,
                                 std::size_t count, CUevent event) {
  return add(out, graph, after, count,
             [&](Runtime& runtime) -> Work { return WaitWork{&runtime.event(event)}; });
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec* executable, CUgraph graph,
                                     unsigned long long flags) {
  return driver_anywhere(Cost::allocate, [&](Runtime&) {
    require(executable != nullptr, cudaErrorInvalidValue);
    std::shared_ptr<ExecutableGraph> made = instantiate(*graph_of(graph));
    made->flags = flags;
    *executable = keep(std::move(made));
    return cudaSuccess;
  });
}
CUresult cuGraphInstantiateWithParams(CUgraphExec* executable, CUgraph graph,
                                      CUDA_GRAPH_INSTANTIATE_PARAMS* p) {
  if (p == nullptr) return invalid_argument("p != nullptr");
  const CUresult result = cuGraphInstantiateWithFlags(executable, graph, p->flags);
  p->result_out =
      result == CUDA_SUCCESS ? CUDA_GRAPH_INSTANTIATE_SUCCESS : CUDA_GRAPH_INSTANTIATE_ERROR;
  return result;
}
CUresult cuGraphExecUpdate_v2(CUgraphExec executable, CUgraph graph,
                              CUgraphExecUpdateResultInfo* info) {
  return driver_anywhere(Cost::call, [&](Runtime&) {
    const cudaGraphExecUpdateResult outcome = update(*executable_of(executable), *graph_of(graph));
    if (info != nullptr) *info = {static_cast<CUgraphExecUpdateResult>(outcome), nullptr, nullptr};
    return outcome == cudaGraphExecUpdateSuccess ? cudaSuccess : cudaErrorGraphExecUpdateFailure;
  });
}
CUresult cuGraphLaunch(CUgraphExec executable, CUstream stream) {
  return driver_anywhere(Cost::graph, [&](Runtime& runtime) {
    launch_or_capture(runtime, runtime.stream(stream), *executable_of(executable));
    return cudaSuccess;
  });
}
CUresult cuGraphUpload(CUgraphExec executable, CUstream stream) {
  return driver_anywhere(Cost::call, [&](Runtime& runtime) {
    executable_of(executable);
    runtime.stream(stream);
    return cudaSuccess;
  });
}
CUresult cuGraphExecDestroy(CUgraphExec executable) {
  return driver_always(Cost::call, [&](Runtime&) {
    forget(executable);
    return cudaSuccess;
  });
}

CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode) {
  return driver_anywhere(Cost::call, [&](Runtime& runtime) {
    require(mode >= CU_STREAM_CAPTURE_MODE_GLOBAL && mode <= CU_STREAM_CAPTURE_MODE_RELAXED,
            cudaErrorInvalidValue);
    begin_capture(runtime.stream(stream), std::make_shared<Graph>(), {},
                  static_cast<cudaStreamCaptureMode>(mode));
    return cudaSuccess;
  });
}
CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
  return driver_anywhere(Cost::call, [&](Runtime& runtime) {
    if (graph != nullptr) *graph = nullptr;
    auto captured = end_capture(runtime, runtime.stream(stream));
    if (graph != nullptr) *graph = keep(std::move(captured));
    return cudaSuccess;
  });
}
