// Handles of graphs, kept until the program destroys them.
#pragma once

#include "cuda/runtime/graph.h"
#include "cuda_runtime_api.h"

namespace raddle::cuda {

// keep() makes a handle; the look-ups refuse handles that do not exist (cudaErrorInvalidValue).
cudaGraph_t keep(std::shared_ptr<Graph> graph);
cudaGraphExec_t keep(std::shared_ptr<ExecutableGraph> graph);
void forget(cudaGraph_t graph);
void forget(cudaGraphExec_t graph);
std::shared_ptr<Graph> graph_of(cudaGraph_t handle);
std::shared_ptr<ExecutableGraph> executable_of(cudaGraphExec_t handle);

inline cudaGraphNode_t handle(Node* node) { return reinterpret_cast<cudaGraphNode_t>(node); }
/// Nodes live in graphs that have handles, or in one that is being captured.
Node& node_of(cudaGraphNode_t handle);
/// Several nodes; if `graph` is given, refuses nodes of another graph.
std::vector<Node*> nodes_of(const cudaGraphNode_t* handles, std::size_t count,
                            const Graph* graph = nullptr);
/// The executable graph's copy of a node.
Node& node_in(cudaGraphExec_t executable, cudaGraphNode_t node);

/// Adds a node after others; the work is checked. Refuses invalid nodes (cudaErrorInvalidValue).
cudaGraphNode_t add_node(Runtime& runtime, cudaGraph_t graph, const cudaGraphNode_t* after,
                         std::size_t count, Work work);
/// Refuses a node of a graph that allocates or frees memory with cudaErrorNotSupported.
void remove_node(Node& node);
/// Replaces the work of a node by work of the same kind.
void replace_work(Runtime& runtime, Node& node, Work work);
cudaGraphNodeType type_of(const Node& node);
std::vector<Node*> all_nodes(const Graph& graph);
std::vector<Node*> root_nodes(const Graph& graph);
/// Writes the nodes to `out`. `*count`: on entry the room in `out`, on return the number written;
/// or the number of all nodes, when `out` is null.
void list(const std::vector<Node*>& nodes, cudaGraphNode_t* out, std::size_t* count);

/// Launches the graph, or adds it as a child graph when the stream is being captured.
void launch_or_capture(Runtime& runtime, Stream& stream, ExecutableGraph& graph);

/// Takes over the work of `graph` when it has the same shape as the executable graph.
cudaGraphExecUpdateResult update(ExecutableGraph& executable, const Graph& graph);

}  // namespace raddle::cuda
