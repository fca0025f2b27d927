// Attributes of kernel nodes, and user objects (CUDA driver API, "Graph Management").
#include "cuda/driver_api/entry.h"
#include "cuda/runtime/graph_handles.h"
#include "cuda/runtime/graph_queries.h"
#include "cuda/runtime/launch_attributes.h"

using namespace raddle::cuda;

CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUkernelNodeAttrID attribute,
                                       const CUkernelNodeAttrValue* value) {
  return driver_anywhere(Cost::call, [&](Runtime& runtime) {
    require(value != nullptr, cudaErrorInvalidValue);
    KernelWork work = work_of<KernelWork>(node_of(node));
    set_node_attribute(runtime, work, attribute, runtime_value(*value));
    check(runtime, work);
    node_of(node).work = std::move(work);
    return cudaSuccess;
  });
}

CUresult cuGraphKernelNodeGetAttribute(CUgraphNode node, CUkernelNodeAttrID attribute,
                                       CUkernelNodeAttrValue* value) {
  return driver_anywhere(Cost::call, [&](Runtime&) {
    require(value != nullptr, cudaErrorInvalidValue);
    const cudaLaunchAttributeValue found =
        attribute_of(work_of<KernelWork>(node_of(node)), attribute);
    std::memcpy(value, &found, sizeof found);
    return cudaSuccess;
  });
}

CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode to, CUgraphNode from) {
  return driver_anywhere(Cost::call, [&](Runtime& runtime) {
    KernelWork work = work_of<KernelWork>(node_of(to));
    copy_attributes(work, work_of<KernelWork>(node_of(from)));
    check(runtime, work);
    node_of(to).work = std::move(work);
    return cudaSuccess;
  });
}

CUresult cuUserObjectCreate(CUuserObject* object, void* data, CUhostFn destroy, unsigned references,
                            unsigned flags) {
  return driver_anywhere(Cost::call, [&](Runtime&) {
    require(object != nullptr, cudaErrorInvalidValue);
    *object = make_user_object(data, destroy, references, flags);
    return cudaSuccess;
  });
}

CUresult cuUserObjectRetain(CUuserObject object, unsigned count) {
  return driver_anywhere(Cost::call, [&](Runtime&) {
    retain(user_object(object), count);
    return cudaSuccess;
  });
}

CUresult cuUserObjectRelease(CUuserObject object, unsigned count) {
  return driver_always(Cost::call, [&](Runtime&) {
    release(user_object(object), count);
    return cudaSuccess;
  });
}

CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned count,
                                 unsigned flags) {
  return driver_anywhere(Cost::call, [&](Runtime&) {
    graph_of(graph)->user_objects.take(user_object(object), count, flags);
    return cudaSuccess;
  });
}

CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned count) {
  return driver_always(Cost::call, [&](Runtime&) {
    graph_of(graph)->user_objects.give_up(user_object(object), count);
    return cudaSuccess;
  });
}
