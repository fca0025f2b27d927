// Nodes of graphs that allocate and free memory (CUDA runtime API, "Graph Management").
#include "cuda/runtime/graph_memory.h"

#include "cuda/runtime_api/entry.h"

using namespace raddle::cuda;

namespace {

cudaError_t on_device(int device, const std::function<void()>& work) {
  return call(Cost::call, [&](Runtime&) {
    require(device == 0, cudaErrorInvalidDevice);
    work();
    return cudaSuccess;
  });
}

}  // namespace

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                     const cudaGraphNode_t* after, std::size_t count,
                                     cudaMemAllocNodeParams* p) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(out != nullptr && p != nullptr, cudaErrorInvalidValue);
    const auto memory = make_graph_allocation(runtime, p->bytesize, p->poolProps);
    *out = add_node(runtime, graph, after, count, AllocateWork{memory});
    p->dptr = memory->address();
    return cudaSuccess;
  });
}
cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams* p) {
  return call(Cost::call, [&](Runtime&) {
    const auto* work = std::get_if<AllocateWork>(&node_of(node).work);
    require(work != nullptr && p != nullptr, cudaErrorInvalidValue, "the node is of another type");
    *p = {work->memory->properties(), nullptr, 0, work->memory->bytes(), work->memory->address()};
    return cudaSuccess;
  });
}
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                    const cudaGraphNode_t* after, std::size_t count,
                                    void* address) {
  return call(Cost::call, [&](Runtime&) {
    require(out != nullptr, cudaErrorInvalidValue);
    *out = handle(add_free_node(*graph_of(graph), nodes_of(after, count), address));
    return cudaSuccess;
  });
}
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* address) {
  return call(Cost::call, [&](Runtime&) {
    const auto* work = std::get_if<FreeWork>(&node_of(node).work);
    require(work != nullptr && address != nullptr, cudaErrorInvalidValue,
            "the node is of another type");
    *static_cast<void**>(address) = work->address;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
  return on_device(device, [&] {
    require(value != nullptr, cudaErrorInvalidValue);
    *static_cast<unsigned long long*>(value) = graph_memory_attribute(attribute);
  });
}
cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
  return on_device(device, [&] {
    require(value != nullptr, cudaErrorInvalidValue);
    reset_graph_memory_attribute(attribute, *static_cast<const unsigned long long*>(value));
  });
}
// Does nothing: the simulator keeps no unused memory back.
cudaError_t cudaDeviceGraphMemTrim(int device) {
  return on_device(device, [] {});
}
