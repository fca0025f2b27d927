// Making, running and querying graphs (CUDA runtime API, "Graph Management").
#include "cuda/runtime/graph_queries.h"
#include "cuda/runtime_api/entry.h"

using namespace raddle::cuda;

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned) {
  return call(Cost::call, [&](Runtime&) {
    require(graph != nullptr, cudaErrorInvalidValue);
    *graph = keep(std::make_shared<Graph>());
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return call_always(Cost::call, [&](Runtime&) {
    forget(graph);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphClone(cudaGraph_t* copy, cudaGraph_t graph) {
  return call(Cost::call, [&](Runtime&) {
    require(copy != nullptr, cudaErrorInvalidValue);
    *copy = keep(clone(*graph_of(graph)));
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* found, cudaGraphNode_t original,
                                     cudaGraph_t copy) {
  return call(Cost::call, [&](Runtime&) {
    require(found != nullptr, cudaErrorInvalidValue);
    *found = handle(&find_in_clone(node_of(original), *graph_of(copy)));
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  return call(Cost::call, [&](Runtime&) {
    remove_node(node_of(node));
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  return call(Cost::call, [&](Runtime&) {
    require(type != nullptr, cudaErrorInvalidValue);
    *type = type_of(node_of(node));
    return cudaSuccess;
  });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  return call(Cost::call, [&](Runtime&) {
    list(all_nodes(*graph_of(graph)), nodes, count);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  return call(Cost::call, [&](Runtime&) {
    list(root_nodes(*graph_of(graph)), nodes, count);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long flags) {
  return call(Cost::allocate, [&](Runtime&) {
    require(executable != nullptr, cudaErrorInvalidValue);
    std::shared_ptr<ExecutableGraph> made = instantiate(*graph_of(graph));
    made->flags = flags;
    *executable = keep(std::move(made));
    return cudaSuccess;
  });
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* executable, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* parameters) {
  if (parameters == nullptr) return invalid_value("parameters != nullptr");
  const cudaError_t result = cudaGraphInstantiateWithFlags(executable, graph, parameters->flags);
  parameters->result_out =
      result == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateError;
  return result;
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t executable, unsigned long long* flags) {
  return call(Cost::call, [&](Runtime&) {
    require(flags != nullptr, cudaErrorInvalidValue);
    *flags = executable_of(executable)->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  return call(Cost::graph, [&](Runtime& runtime) {
    launch_or_capture(runtime, runtime.stream(stream), *executable_of(executable));
    return cudaSuccess;
  });
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream) {
  return call(Cost::call, [&](Runtime& runtime) {
    executable_of(executable);
    runtime.stream(stream);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return call_always(Cost::call, [&](Runtime&) {
    forget(executable);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                    unsigned enabled) {
  return call(Cost::call, [&](Runtime&) {
    node_in(executable, node).enabled = enabled != 0;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                    unsigned* enabled) {
  return call(Cost::call, [&](Runtime&) {
    require(enabled != nullptr, cudaErrorInvalidValue);
    *enabled = node_in(executable, node).enabled ? 1 : 0;
    return cudaSuccess;
  });
}
