// Edges of graphs (CUDA runtime API, "Graph Management"). The _v2 forms carry edge data, which must
// be zero: other data asks for a programmatic launch and is refused. CUDA 13 has the _v2 forms
// under the old names (abi/graph_edges.cpp), so that the functions with the old names here are
// weak.
#include <algorithm>

#include "cuda/runtime/graph_queries.h"
#include "cuda/runtime_api/entry.h"

using namespace raddle::cuda;

#pragma weak cudaGraphAddDependencies
#pragma weak cudaGraphRemoveDependencies
#pragma weak cudaGraphGetEdges
#pragma weak cudaGraphNodeGetDependencies
#pragma weak cudaGraphNodeGetDependentNodes

namespace {

void clear(cudaGraphEdgeData* data, std::size_t count) {
  if (data != nullptr) std::fill_n(data, count, cudaGraphEdgeData{});
}

/// Runs `change` for each pair of nodes, unless an edge has data.
template <class Change>
cudaError_t for_each_edge(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                          const cudaGraphEdgeData* data, std::size_t count, Change change) {
  for (std::size_t i = 0; data != nullptr && i < count; ++i) {
    if (data[i].from_port != 0 || data[i].to_port != 0 || data[i].type != 0) {
      return not_supported("a graph's edge with a port or a type (programmatic launch)");
    }
  }
  return call(Cost::call, [&](Runtime&) {
    graph_of(graph);
    require((from != nullptr && to != nullptr) || count == 0, cudaErrorInvalidValue);
    for (std::size_t i = 0; i < count; ++i) change(node_of(from[i]), node_of(to[i]));
    return cudaSuccess;
  });
}

}  // namespace

cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData* data,
                                        std::size_t count) {
  return for_each_edge(graph, from, to, data, count, add_edge);
}

cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from,
                                           const cudaGraphNode_t* to, const cudaGraphEdgeData* data,
                                           std::size_t count) {
  return for_each_edge(graph, from, to, data, count, remove_edge);
}

cudaError_t cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                 cudaGraphEdgeData* data, std::size_t* count) {
  return call(Cost::call, [&](Runtime&) {
    require(count != nullptr, cudaErrorInvalidValue);
    list_edges(*graph_of(graph), from, to, count);
    if (from != nullptr) clear(data, *count);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                            cudaGraphEdgeData* data, std::size_t* count) {
  return call(Cost::call, [&](Runtime&) {
    require(count != nullptr, cudaErrorInvalidValue);
    list(node_of(node).after, nodes, count);
    if (nodes != nullptr) clear(data, *count);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                              cudaGraphEdgeData* data, std::size_t* count) {
  return call(Cost::call, [&](Runtime&) {
    require(count != nullptr, cudaErrorInvalidValue);
    list(followers_of(node_of(node)), nodes, count);
    if (nodes != nullptr) clear(data, *count);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, std::size_t count) {
  return cudaGraphAddDependencies_v2(graph, from, to, nullptr, count);
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, std::size_t count) {
  return cudaGraphRemoveDependencies_v2(graph, from, to, nullptr, count);
}
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              std::size_t* count) {
  return cudaGraphGetEdges_v2(graph, from, to, nullptr, count);
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                         std::size_t* count) {
  return cudaGraphNodeGetDependencies_v2(node, nodes, nullptr, count);
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                           std::size_t* count) {
  return cudaGraphNodeGetDependentNodes_v2(node, nodes, nullptr, count);
}
