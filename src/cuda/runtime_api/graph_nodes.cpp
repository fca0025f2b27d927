// Nodes of graphs and their parameters (CUDA runtime API, "Graph Management").
#include <fmt/core.h>

#include "cuda/runtime/graph_conditionals.h"
#include "cuda/runtime/graph_queries.h"
#include "cuda/runtime_api/entry.h"

using namespace raddle::cuda;

#pragma weak cudaGraphAddNode  // differs in CUDA 13: abi/graph_edges.cpp

namespace {

cudaError_t add(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after,
                std::size_t count, const std::function<Work(Runtime&)>& make) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(out != nullptr, cudaErrorInvalidValue);
    *out = add_node(runtime, graph, after, count, make(runtime));
    return cudaSuccess;
  });
}

/// Replaces the work of a node by work of the same kind.
cudaError_t replace(const std::function<Node&()>& find, const std::function<Work(Runtime&)>& make) {
  return call(Cost::call, [&](Runtime& runtime) {
    replace_work(runtime, find(), make(runtime));
    return cudaSuccess;
  });
}

auto in_graph(cudaGraphNode_t node) {
  return [node]() -> Node& { return node_of(node); };
}
auto in_executable(cudaGraphExec_t executable, cudaGraphNode_t node) {
  return [executable, node]() -> Node& { return node_in(executable, node); };
}

auto node_kernel(const cudaKernelNodeParams* p) {
  return [p](Runtime& runtime) -> Work {
    require(p != nullptr, cudaErrorInvalidValue);
    Kernel& kernel = runtime.kernel(p->func);
    require(p->kernelParams != nullptr || kernel.function->parameters.empty(),
            cudaErrorInvalidValue);
    return kernel_work(kernel, {shape(p->gridDim), shape(p->blockDim), p->sharedMemBytes, false},
                       gather(kernel, p->kernelParams));
  };
}

auto fill_work(const cudaMemsetParams* p) {
  return [p](Runtime&) -> Work {
    require(p != nullptr, cudaErrorInvalidValue);
    const std::size_t width = p->width * p->elementSize;
    return FillWork{{p->dst, p->height > 1 ? p->pitch : width, p->height},
                    width,
                    p->height,
                    1,
                    p->value,
                    p->elementSize};
  };
}

auto host_work(const cudaHostNodeParams* p) {
  return [p](Runtime&) -> Work {
    require(p != nullptr && p->fn != nullptr, cudaErrorInvalidValue);
    return HostWork{p->fn, p->userData};
  };
}

auto copy_work(const cudaMemcpy3DParms* p) {
  return [p](Runtime&) -> Work {
    require(p != nullptr, cudaErrorInvalidValue);
    return copy_of(*p);
  };
}

auto linear_work(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return [=](Runtime&) -> Work {
    return CopyWork{{to, bytes, 1}, {const_cast<void*>(from), bytes, 1}, bytes, 1, 1, kind};
  };
}

auto symbol_work(const void* symbol, void* other, std::size_t bytes, std::size_t offset,
                 cudaMemcpyKind kind, bool to_symbol) {
  return [=](Runtime& runtime) -> Work {
    const auto& variable = runtime.variable(symbol);
    require(offset <= variable.size && bytes <= variable.size - offset, cudaErrorInvalidValue,
            fmt::format("bytes {} to {} of a variable of {} bytes", offset, offset + bytes,
                        variable.size));
    const Place inside{reinterpret_cast<void*>(variable.address + offset), bytes, 1};
    const Place outside{other, bytes, 1};
    return to_symbol ? CopyWork{inside, outside, bytes, 1, 1, kind}
                     : CopyWork{outside, inside, bytes, 1, 1, kind};
  };
}

auto event_work(cudaEvent_t event, bool record) {
  return [=](Runtime& runtime) -> Work {
    Event* one = &runtime.event(event);
    return record ? Work(RecordWork{one}) : Work(WaitWork{one});
  };
}

auto child_work(cudaGraph_t child) {
  return [=](Runtime&) -> Work { return ChildWork{clone(*graph_of(child))}; };
}

}  // namespace

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, std::size_t count,
                                   const cudaKernelNodeParams* p) {
  return add(out, graph, after, count, node_kernel(p));
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* p) {
  return replace(in_graph(node), node_kernel(p));
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* p) {
  return replace(in_executable(executable, node), node_kernel(p));
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, std::size_t count,
                                   const cudaMemcpy3DParms* p) {
  return add(out, graph, after, count, copy_work(p));
}
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* p) {
  return replace(in_graph(node), copy_work(p));
}
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* p) {
  return replace(in_executable(executable, node), copy_work(p));
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* out, cudaGraph_t graph,
                                     const cudaGraphNode_t* after, std::size_t count, void* to,
                                     const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return add(out, graph, after, count, linear_work(to, from, bytes, kind));
}
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from,
                                           std::size_t bytes, cudaMemcpyKind kind) {
  return replace(in_graph(node), linear_work(to, from, bytes, kind));
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               void* to, const void* from, std::size_t bytes,
                                               cudaMemcpyKind kind) {
  return replace(in_executable(executable, node), linear_work(to, from, bytes, kind));
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* out, cudaGraph_t graph,
                                           const cudaGraphNode_t* after, std::size_t count,
                                           const void* symbol, const void* from, std::size_t bytes,
                                           std::size_t offset, cudaMemcpyKind kind) {
  return add(out, graph, after, count,
             symbol_work(symbol, const_cast<void*>(from), bytes, offset, kind, true));
}
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* out, cudaGraph_t graph,
                                             const cudaGraphNode_t* after, std::size_t count,
                                             void* to, const void* symbol, std::size_t bytes,
                                             std::size_t offset, cudaMemcpyKind kind) {
  return add(out, graph, after, count, symbol_work(symbol, to, bytes, offset, kind, false));
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void* symbol,
                                                 const void* from, std::size_t bytes,
                                                 std::size_t offset, cudaMemcpyKind kind) {
  return replace(in_graph(node),
                 symbol_work(symbol, const_cast<void*>(from), bytes, offset, kind, true));
}
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to,
                                                   const void* symbol, std::size_t bytes,
                                                   std::size_t offset, cudaMemcpyKind kind) {
  return replace(in_graph(node), symbol_work(symbol, to, bytes, offset, kind, false));
}
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t executable,
                                                     cudaGraphNode_t node, const void* symbol,
                                                     const void* from, std::size_t bytes,
                                                     std::size_t offset, cudaMemcpyKind kind) {
  return replace(in_executable(executable, node),
                 symbol_work(symbol, const_cast<void*>(from), bytes, offset, kind, true));
}
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t executable,
                                                       cudaGraphNode_t node, void* to,
                                                       const void* symbol, std::size_t bytes,
                                                       std::size_t offset, cudaMemcpyKind kind) {
  return replace(in_executable(executable, node),
                 symbol_work(symbol, to, bytes, offset, kind, false));
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, std::size_t count,
                                   const cudaMemsetParams* p) {
  return add(out, graph, after, count, fill_work(p));
}
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* p) {
  return replace(in_graph(node), fill_work(p));
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemsetParams* p) {
  return replace(in_executable(executable, node), fill_work(p));
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                 const cudaGraphNode_t* after, std::size_t count,
                                 const cudaHostNodeParams* p) {
  return add(out, graph, after, count, host_work(p));
}
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* p) {
  return call(Cost::call, [&](Runtime&) {
    require(p != nullptr, cudaErrorInvalidValue);
    const auto& work = work_of<HostWork>(node_of(node));
    *p = {work.function, work.data};
    return cudaSuccess;
  });
}
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* p) {
  return replace(in_graph(node), host_work(p));
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const cudaHostNodeParams* p) {
  return replace(in_executable(executable, node), host_work(p));
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                       const cudaGraphNode_t* after, std::size_t count,
                                       cudaGraph_t child) {
  return add(out, graph, after, count, child_work(child));
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                  const cudaGraphNode_t* after, std::size_t count) {
  return add(out, graph, after, count, [](Runtime&) -> Work { return EmptyWork{}; });
}
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                        const cudaGraphNode_t* after, std::size_t count,
                                        cudaEvent_t event) {
  return add(out, graph, after, count, event_work(event, true));
}
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                      const cudaGraphNode_t* after, std::size_t count,
                                      cudaEvent_t event) {
  return add(out, graph, after, count, event_work(event, false));
}
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return replace(in_graph(node), event_work(event, true));
}
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return replace(in_graph(node), event_work(event, false));
}
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                 cudaEvent_t event) {
  return replace(in_executable(executable, node), event_work(event, true));
}
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               cudaEvent_t event) {
  return replace(in_executable(executable, node), event_work(event, false));
}
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                 cudaGraph_t child) {
  return call(Cost::call, [&](Runtime&) {
    replace_child(node_in(executable, node), *graph_of(child));
    return cudaSuccess;
  });
}

namespace {

/// cudaGraphNodeSetParams and cudaGraphExecNodeSetParams, for node types with parameters that can
/// change.
cudaError_t set_any(const std::function<Node&()>& find, const cudaGraphNodeParams* p) {
  if (p == nullptr) return invalid_value("nodeParams != nullptr");
  switch (p->type) {
    case cudaGraphNodeTypeKernel: {
      const auto& k = p->kernel;
      const cudaKernelNodeParams plain{k.func,           k.gridDim,      k.blockDim,
                                       k.sharedMemBytes, k.kernelParams, k.extra};
      return replace(find, node_kernel(&plain));
    }
    case cudaGraphNodeTypeMemcpy:
      return replace(find, copy_work(&p->memcpy.copyParams));
    case cudaGraphNodeTypeMemset: {
      const auto& m = p->memset;
      const cudaMemsetParams plain{m.dst, m.pitch, m.value, m.elementSize, m.width, m.height};
      return replace(find, fill_work(&plain));
    }
    case cudaGraphNodeTypeHost: {
      const cudaHostNodeParams plain{p->host.fn, p->host.userData};
      return replace(find, host_work(&plain));
    }
    case cudaGraphNodeTypeEventRecord:
      return replace(find, event_work(p->eventRecord.event, true));
    case cudaGraphNodeTypeWaitEvent:
      return replace(find, event_work(p->eventWait.event, false));
    default:
      return invalid_value("a type of node whose parameters can change");
  }
}

}  // namespace

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* p) {
  return set_any(in_graph(node), p);
}
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                       cudaGraphNodeParams* p) {
  return set_any(in_executable(executable, node), p);
}

namespace {

/// The bodies belong to the node; only the program knows where it keeps their handles.
cudaError_t add_conditional(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after,
                            std::size_t count, cudaConditionalNodeParams& p) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(out != nullptr, cudaErrorInvalidValue);
    const std::vector<Node*> before = nodes_of(after, count, graph_of(graph).get());
    ConditionalWork work =
        conditional_work(condition_for_node(*graph_of(graph), p.handle), p.type, p.size);
    const auto bodies = work.bodies;
    *out = add_node(runtime, graph, after, count, std::move(work));
    Node& node = node_of(*out);
    for (const auto& body : bodies) node.bodies.push_back(keep(body));
    p.phGraph_out = node.bodies.data();
    return cudaSuccess;
  });
}

cudaError_t add_any(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after,
                    std::size_t count, cudaGraphNodeParams* p) {
  if (p == nullptr) return invalid_value("p != nullptr");
  switch (p->type) {
    case cudaGraphNodeTypeKernel: {
      const auto& k = p->kernel;
      const cudaKernelNodeParams plain{k.func,           k.gridDim,      k.blockDim,
                                       k.sharedMemBytes, k.kernelParams, k.extra};
      return cudaGraphAddKernelNode(out, graph, after, count, &plain);
    }
    case cudaGraphNodeTypeMemcpy:
      return cudaGraphAddMemcpyNode(out, graph, after, count, &p->memcpy.copyParams);
    case cudaGraphNodeTypeMemset: {
      const auto& m = p->memset;
      const cudaMemsetParams plain{m.dst, m.pitch, m.value, m.elementSize, m.width, m.height};
      return cudaGraphAddMemsetNode(out, graph, after, count, &plain);
    }
    case cudaGraphNodeTypeHost: {
      const cudaHostNodeParams plain{p->host.fn, p->host.userData};
      return cudaGraphAddHostNode(out, graph, after, count, &plain);
    }
    case cudaGraphNodeTypeGraph:
      return cudaGraphAddChildGraphNode(out, graph, after, count, p->graph.graph);
    case cudaGraphNodeTypeEmpty:
      return cudaGraphAddEmptyNode(out, graph, after, count);
    case cudaGraphNodeTypeEventRecord:
      return cudaGraphAddEventRecordNode(out, graph, after, count, p->eventRecord.event);
    case cudaGraphNodeTypeMemAlloc: {
      auto& m = p->alloc;
      cudaMemAllocNodeParams plain{m.poolProps, m.accessDescs, m.accessDescCount, m.bytesize,
                                   nullptr};
      const cudaError_t added = cudaGraphAddMemAllocNode(out, graph, after, count, &plain);
      m.dptr = plain.dptr;
      return added;
    }
    case cudaGraphNodeTypeMemFree:
      return cudaGraphAddMemFreeNode(out, graph, after, count, p->free.dptr);
    case cudaGraphNodeTypeWaitEvent:
      return cudaGraphAddEventWaitNode(out, graph, after, count, p->eventWait.event);
    case cudaGraphNodeTypeConditional:
      return add_conditional(out, graph, after, count, p->conditional);
    default:
      return not_supported("cudaGraphAddNode for this type of node");
  }
}

}  // namespace

cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t* out, cudaGraph_t graph,
                                const cudaGraphNode_t* after, const cudaGraphEdgeData* data,
                                std::size_t count, cudaGraphNodeParams* p) {
  for (std::size_t i = 0; data != nullptr && i < count; ++i) {
    if (data[i].from_port != 0 || data[i].to_port != 0 || data[i].type != 0) {
      return not_supported("a graph's edge with a port or a type (programmatic launch)");
    }
  }
  return add_any(out, graph, after, count, p);
}
cudaError_t cudaGraphAddNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after,
                             std::size_t count, cudaGraphNodeParams* p) {
  return add_any(out, graph, after, count, p);
}
