// Parts of graphs besides nodes and edges: attributes of kernel nodes, conditional handles and user
// objects (CUDA runtime API, "Graph Management").
#include "cuda/runtime/graph_conditionals.h"
#include "cuda/runtime/graph_queries.h"
#include "cuda/runtime/launch_attributes.h"
#include "cuda/runtime_api/entry.h"

using namespace raddle::cuda;

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            const cudaLaunchAttributeValue* value) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(value != nullptr, cudaErrorInvalidValue);
    KernelWork work = work_of<KernelWork>(node_of(node));
    set_node_attribute(runtime, work, attribute, *value);
    check(runtime, work);
    node_of(node).work = std::move(work);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            cudaLaunchAttributeValue* value) {
  return call(Cost::call, [&](Runtime&) {
    require(value != nullptr, cudaErrorInvalidValue);
    *value = attribute_of(work_of<KernelWork>(node_of(node)), attribute);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
  return call(Cost::call, [&](Runtime& runtime) {
    KernelWork work = work_of<KernelWork>(node_of(to));
    copy_attributes(work, work_of<KernelWork>(node_of(from)));
    check(runtime, work);
    node_of(to).work = std::move(work);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                             unsigned value, unsigned flags) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(handle != nullptr && flags <= cudaGraphCondAssignDefault, cudaErrorInvalidValue);
    auto& conditions = graph_of(graph)->conditions;
    conditions.push_back(std::make_shared<Condition>(runtime, value, flags != 0));
    *handle = conditions.back()->handle();
    return cudaSuccess;
  });
}

cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void* data, cudaHostFn_t destroy,
                                 unsigned references, unsigned flags) {
  return call(Cost::call, [&](Runtime&) {
    require(object != nullptr, cudaErrorInvalidValue);
    *object = make_user_object(data, destroy, references, flags);
    return cudaSuccess;
  });
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned count) {
  return call(Cost::call, [&](Runtime&) {
    retain(user_object(object), count);
    return cudaSuccess;
  });
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count) {
  return call_always(Cost::call, [&](Runtime&) {
    release(user_object(object), count);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count,
                                      unsigned flags) {
  return call(Cost::call, [&](Runtime&) {
    graph_of(graph)->user_objects.take(user_object(object), count, flags);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count) {
  return call_always(Cost::call, [&](Runtime&) {
    graph_of(graph)->user_objects.give_up(user_object(object), count);
    return cudaSuccess;
  });
}
