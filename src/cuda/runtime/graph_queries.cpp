#include "cuda/runtime/graph_queries.h"

#include <algorithm>

#include "cuda/runtime/arrays.h"
#include "cuda/runtime/graph_handles.h"
#include "cuda/runtime/graph_memory.h"

namespace raddle::cuda {

Edges edges_of(const Graph& graph) {
  Edges edges;
  for (const auto& node : graph.nodes) {
    for (Node* before : node->after) {
      edges.from.push_back(before);
      edges.to.push_back(node.get());
    }
  }
  return edges;
}

void list_edges(const Graph& graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                std::size_t* count) {
  const Edges edges = edges_of(graph);
  std::size_t again = *count;
  list(edges.from, from, count);
  list(edges.to, to, &again);
}

std::vector<Node*> followers_of(const Node& node) {
  std::vector<Node*> followers;
  for (const auto& other : node.graph->nodes) {
    const auto& after = other->after;
    if (std::find(after.begin(), after.end(), &node) != after.end()) {
      followers.push_back(other.get());
    }
  }
  return followers;
}

void add_edge(Node& before, Node& after) {
  require(before.graph == after.graph, cudaErrorInvalidValue, "the nodes are of different graphs");
  require(std::find(after.after.begin(), after.after.end(), &before) == after.after.end(),
          cudaErrorInvalidValue, "the graph has this edge already");
  after.after.push_back(&before);
}

void remove_edge(Node& before, Node& after) {
  require(!has_memory_nodes(*before.graph), cudaErrorNotSupported,
          "the graph allocates or frees memory: its edges cannot be removed");
  require(std::erase(after.after, &before) == 1, cudaErrorInvalidValue,
          "the graph does not have this edge");
}

Node& find_in_clone(const Node& original, const Graph& graph) {
  for (const auto& node : graph.nodes) {
    if (node->original == &original) return *node;
  }
  refuse(cudaErrorInvalidValue, "the graph has no copy of this node");
}

void** arguments_of(Node& node) {
  auto* work = std::get_if<KernelWork>(&node.work);
  require(work != nullptr, cudaErrorInvalidValue, "the node is of another type");
  node.arguments.clear();
  for (const isa::Parameter& parameter : work->kernel->function->parameters) {
    node.arguments.push_back(work->parameters.data() + parameter.offset);
  }
  return node.arguments.empty() ? nullptr : node.arguments.data();
}

void* name_of(const KernelWork& work) {
  return const_cast<void*>(Runtime::registry().name_of(work.kernel));
}

namespace {

struct Named {
  const Array* array = nullptr;
  cudaPos at = {};
  cudaPitchedPtr pointer = {};
};

Named named(const Place& place, std::size_t width) {
  Named side;
  side.array = array_at(place.base);
  if (side.array == nullptr) {
    side.pointer = {place.base, place.pitch, width, place.slice_rows};
    return side;
  }
  const auto offset = static_cast<std::size_t>(static_cast<std::byte*>(place.base) -
                                               static_cast<std::byte*>(side.array->base));
  const std::size_t row = offset / side.array->pitch();
  side.at = {offset % side.array->pitch() / side.array->element, row % side.array->rows(),
             row / side.array->rows()};
  return side;
}

cudaArray_t handle(const Array* array) {
  return reinterpret_cast<cudaArray_t>(const_cast<Array*>(array));
}

}  // namespace

cudaMemcpy3DParms shape_of(const CopyWork& work) {
  const Named from = named(work.from, work.width), to = named(work.to, work.width);
  const Array* one = from.array != nullptr ? from.array : to.array;
  const std::size_t element = one == nullptr ? 1 : one->element;
  return {handle(from.array),
          from.at,
          from.pointer,
          handle(to.array),
          to.at,
          to.pointer,
          {work.width / element, work.height, work.depth},
          work.kind};
}

cudaGraph_t child_of(const Node& node) { return keep(work_of<ChildWork>(node).graph); }

void replace_child(Node& node, const Graph& child) {
  const std::vector<Node*> was = work_of<ChildWork>(node).graph->in_order();
  const std::vector<Node*> is = child.in_order();
  bool alike = was.size() == is.size();
  for (std::size_t i = 0; alike && i < is.size(); ++i) {
    alike =
        was[i]->work.index() == is[i]->work.index() && was[i]->after.size() == is[i]->after.size();
  }
  // The code of an NVIDIA H200 with CUDA 13.0.
  require(alike, cudaErrorGraphExecUpdateFailure, "the graph has another shape than the node's");
  node.work = ChildWork{clone(child)};
}

void update_capture(Stream& stream, const std::vector<Node*>& after, bool add) {
  require(stream.capture != nullptr && !stream.capture->invalid, cudaErrorIllegalState,
          "the stream is not capturing");
  for (const Node* node : after) {
    require(node->graph == stream.capture->graph.get(), cudaErrorInvalidValue,
            "a node is not of the graph that is being captured");
  }
  std::vector<Node*>& tails = stream.capture->tails[&stream];
  if (!add) tails.clear();
  for (Node* node : after) {
    if (std::find(tails.begin(), tails.end(), node) == tails.end()) tails.push_back(node);
  }
}

}  // namespace raddle::cuda
