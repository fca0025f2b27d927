// Queries of graphs and their nodes (CUDA runtime API, "Graph Management"), for both APIs.
#pragma once

#include <string>
#include <vector>

#include "cuda/runtime/graph.h"

namespace raddle::cuda {

struct Edges {
  std::vector<Node*> from, to;
};
/// The edges, in the order in which the nodes at their ends (`to`) were made.
Edges edges_of(const Graph& graph);
/// Writes both ends of each edge, as far as the arrays have room for *count (graph_handles.h,
/// list()).
void list_edges(const Graph& graph, cudaGraphNode_t* from, cudaGraphNode_t* to, std::size_t* count);
std::vector<Node*> followers_of(const Node& node);
/// Refuses an edge that is there already, or across graphs (cudaErrorInvalidValue).
void add_edge(Node& before, Node& after);
/// Refuses an edge that does not exist, and graphs that allocate memory (cudaErrorNotSupported).
void remove_edge(Node& before, Node& after);
/// The node of `graph` that was copied from `original`; refuses when there is none.
Node& find_in_clone(const Node& original, const Graph& graph);

/// A node's work as T; refuses a node of another type with cudaErrorInvalidValue.
template <class T>
const T& work_of(const Node& node) {
  const T* work = std::get_if<T>(&node.work);
  require(work != nullptr, cudaErrorInvalidValue, "the node is of another type");
  return *work;
}

/// Pointers to a kernel node's arguments, which the node owns until it changes.
void** arguments_of(Node& node);
/// The program's name for the kernel: the host's function, or a handle.
void* name_of(const KernelWork& work);
/// Extents in elements if an array takes part, else in bytes; the pointer includes positions within
/// plain memory.
cudaMemcpy3DParms shape_of(const CopyWork& work);

/// The graph within a child node; its handle is the same each time.
cudaGraph_t child_of(const Node& node);
/// In an executable graph: puts in another child of the same shape.
void replace_child(Node& node, const Graph& child);

/// Sets the predecessors of the next node of a stream that is captured: `after` added to the
/// present ones (`add`), or `after` alone.
void update_capture(Stream& stream, const std::vector<Node*>& after, bool add);

/// Writes the graph in the language of Graphviz; `flags`: cudaGraphDebugDotFlags. Refuses with
/// cudaErrorOperatingSystem if the file cannot be written.
void write_dot(const Graph& graph, const char* path, unsigned flags);

}  // namespace raddle::cuda
