// Edges of graphs (CUDA runtime API, "Graph Management"). The _v2 forms carry edge data, which is
// zero here: any other asks for a programmatic launch and is refused. CUDA 13 has the _v2 forms
// under the old names (abi/graph_edges.cpp), so that those of before are weak.
#include <algorithm>

#include "cuda/runtime/graph_memory.h"
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
    for (std::size_t i = 0; i < count; ++i) change(&node_of(from[i]), node_of(to[i]).after);
    return cudaSuccess;
  });
}

}  // namespace

cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData* data,
                                        std::size_t count) {
  return for_each_edge(graph, from, to, data, count, [](Node* before, std::vector<Node*>& after) {
    require(std::find(after.begin(), after.end(), before) == after.end(), cudaErrorInvalidValue,
            "the graph has this edge already");
    after.push_back(before);
  });
}

cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from,
                                           const cudaGraphNode_t* to, const cudaGraphEdgeData* data,
                                           std::size_t count) {
  return for_each_edge(graph, from, to, data, count, [](Node* before, std::vector<Node*>& after) {
    require(!has_memory_nodes(*before->graph), cudaErrorNotSupported,
            "the graph allocates or frees memory: its edges cannot be removed");
    require(std::erase(after, before) == 1, cudaErrorInvalidValue,
            "the graph does not have this edge");
  });
}

cudaError_t cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                 cudaGraphEdgeData* data, std::size_t* count) {
  return call(Cost::call, [&](Runtime&) {
    require(count != nullptr, cudaErrorInvalidValue);
    std::vector<Node*> sources, targets;
    for (const auto& node : graph_of(graph)->nodes) {
      for (Node* before : node->after) {
        sources.push_back(before);
        targets.push_back(node.get());
      }
    }
    std::size_t again = *count;
    list(sources, from, count);
    list(targets, to, &again);
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
    std::vector<Node*> followers;
    for (const auto& other : node_of(node).graph->nodes) {
      if (std::find(other->after.begin(), other->after.end(), &node_of(node)) !=
          other->after.end()) {
        followers.push_back(other.get());
      }
    }
    list(followers, nodes, count);
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
