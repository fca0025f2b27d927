// Nodes of graphs that allocate and free memory (CUDA driver API, "Graph Management").
#include "cuda/runtime/graph_memory.h"

#include <cstring>

#include "cuda/driver_api/entry.h"
#include "cuda/runtime/graph_handles.h"

using namespace raddle::cuda;

namespace {

CUresult on_device(CUdevice device, const std::function<void()>& work) {
  return driver_anywhere(Cost::call, [&](Runtime&) {
    require(device == 0, cudaErrorInvalidDevice);
    work();
    return cudaSuccess;
  });
}

}  // namespace

CUresult cuGraphAddMemAllocNode(CUgraphNode* out, CUgraph graph, const CUgraphNode* after,
                                std::size_t count, CUDA_MEM_ALLOC_NODE_PARAMS* p) {
  return driver_anywhere(Cost::call, [&](Runtime& runtime) {
    require(out != nullptr && p != nullptr, cudaErrorInvalidValue);
    cudaMemPoolProps properties;
    static_assert(sizeof properties == sizeof p->poolProps);
    std::memcpy(&properties, &p->poolProps, sizeof properties);
    const auto memory = make_graph_allocation(runtime, p->bytesize, properties);
    *out = add_node(runtime, graph, after, count, AllocateWork{memory});
    p->dptr = address(memory->address());
    return cudaSuccess;
  });
}
CUresult cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS* p) {
  return driver_anywhere(Cost::call, [&](Runtime&) {
    const auto* work = std::get_if<AllocateWork>(&node_of(node).work);
    require(work != nullptr && p != nullptr, cudaErrorInvalidValue, "the node is of another type");
    *p = {};
    std::memcpy(&p->poolProps, &work->memory->properties(), sizeof p->poolProps);
    p->bytesize = work->memory->bytes();
    p->dptr = address(work->memory->address());
    return cudaSuccess;
  });
}
CUresult cuGraphAddMemFreeNode(CUgraphNode* out, CUgraph graph, const CUgraphNode* after,
                               std::size_t count, CUdeviceptr one) {
  return driver_anywhere(Cost::call, [&](Runtime&) {
    require(out != nullptr && (count == 0 || after != nullptr), cudaErrorInvalidValue);
    std::vector<Node*> before;
    for (std::size_t i = 0; i < count; ++i) before.push_back(&node_of(after[i]));
    *out = handle(add_free_node(*graph_of(graph), std::move(before), pointer(one)));
    return cudaSuccess;
  });
}
CUresult cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr* out) {
  return driver_anywhere(Cost::call, [&](Runtime&) {
    const auto* work = std::get_if<FreeWork>(&node_of(node).work);
    require(work != nullptr && out != nullptr, cudaErrorInvalidValue,
            "the node is of another type");
    *out = address(work->address);
    return cudaSuccess;
  });
}

CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute,
                                      void* value) {
  return on_device(device, [&] {
    require(value != nullptr, cudaErrorInvalidValue);
    *static_cast<unsigned long long*>(value) = graph_memory_attribute(attribute);
  });
}
CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute,
                                      void* value) {
  return on_device(device, [&] {
    require(value != nullptr, cudaErrorInvalidValue);
    reset_graph_memory_attribute(attribute, *static_cast<const unsigned long long*>(value));
  });
}
// Does nothing: the simulator keeps no unused memory back.
CUresult cuDeviceGraphMemTrim(CUdevice device) {
  return on_device(device, [] {});
}
