#include "cuda/runtime/graph_handles.h"

#include <fmt/core.h>

#include <algorithm>

#include "cuda/runtime/graph_memory.h"
#include "cuda/runtime/launch_attributes.h"

namespace raddle::cuda {

namespace {

template <class T>
std::map<const void*, std::shared_ptr<T>>& table() {
  static auto* all = forgotten_at_reset(new std::map<const void*, std::shared_ptr<T>>);
  return *all;
}

template <class Handle, class T>
Handle keep_in(std::shared_ptr<T> one) {
  auto* address = one.get();
  table<T>()[address] = std::move(one);
  return reinterpret_cast<Handle>(address);
}

/// Why a handle is refused.
template <class T>
std::string unknown(const void* handle) {
  const bool plain = std::is_same_v<T, Graph>;
  return fmt::format("{} is not {} graph, or was destroyed", handle, plain ? "a" : "an executable");
}

template <class T>
void forget_in(const void* handle) {
  require(table<T>().erase(handle) == 1, cudaErrorInvalidValue, unknown<T>(handle));
}

template <class T>
std::shared_ptr<T> find_in(const void* handle) {
  const auto found = table<T>().find(handle);
  require(found != table<T>().end(), cudaErrorInvalidValue, unknown<T>(handle));
  return found->second;
}

}  // namespace

cudaGraph_t keep(std::shared_ptr<Graph> graph) { return keep_in<cudaGraph_t>(std::move(graph)); }
cudaGraphExec_t keep(std::shared_ptr<ExecutableGraph> graph) {
  return keep_in<cudaGraphExec_t>(std::move(graph));
}
void forget(cudaGraph_t graph) { forget_in<Graph>(graph); }
void forget(cudaGraphExec_t graph) { forget_in<ExecutableGraph>(graph); }
std::shared_ptr<Graph> graph_of(cudaGraph_t handle) { return find_in<Graph>(handle); }
std::shared_ptr<ExecutableGraph> executable_of(cudaGraphExec_t handle) {
  return find_in<ExecutableGraph>(handle);
}

Node& node_of(cudaGraphNode_t handle) {
  require(handle != nullptr, cudaErrorInvalidValue, "the node is null");
  return *reinterpret_cast<Node*>(handle);
}

std::vector<Node*> nodes_of(const cudaGraphNode_t* handles, std::size_t count, const Graph* graph) {
  require(count == 0 || handles != nullptr, cudaErrorInvalidValue);
  std::vector<Node*> nodes;
  for (std::size_t i = 0; i < count; ++i) {
    nodes.push_back(&node_of(handles[i]));
    require(graph == nullptr || nodes.back()->graph == graph, cudaErrorInvalidValue,
            "a node is of another graph");
  }
  return nodes;
}

Node& node_in(cudaGraphExec_t executable, cudaGraphNode_t node) {
  Node* copy = executable_of(executable)->find(&node_of(node));
  require(copy != nullptr, cudaErrorInvalidValue, "the executable graph does not have this node");
  return *copy;
}

cudaGraphNode_t add_node(Runtime& runtime, cudaGraph_t graph, const cudaGraphNode_t* after,
                         std::size_t count, Work work) {
  const std::shared_ptr<Graph> into = graph_of(graph);
  std::vector<Node*> before = nodes_of(after, count);
  check(runtime, work);
  return handle(into->add(std::move(work), std::move(before)));
}

void replace_work(Runtime& runtime, Node& node, Work work) {
  require(node.work.index() == work.index(), cudaErrorInvalidValue, "the node is of another type");
  if (auto* kernel = std::get_if<KernelWork>(&work)) {
    copy_attributes(*kernel, std::get<KernelWork>(node.work));
  }
  check(runtime, work);
  node.work = std::move(work);
}

cudaGraphNodeType type_of(const Node& node) {
  // In the order of Work's alternatives.
  constexpr cudaGraphNodeType kTypes[] = {
      cudaGraphNodeTypeKernel,    cudaGraphNodeTypeMemcpy,     cudaGraphNodeTypeMemset,
      cudaGraphNodeTypeHost,      cudaGraphNodeTypeEmpty,      cudaGraphNodeTypeEventRecord,
      cudaGraphNodeTypeWaitEvent, cudaGraphNodeTypeGraph,      cudaGraphNodeTypeMemFree,
      cudaGraphNodeTypeMemAlloc,  cudaGraphNodeTypeConditional};
  return kTypes[node.work.index()];
}

std::vector<Node*> all_nodes(const Graph& graph) {
  std::vector<Node*> all;
  for (const auto& node : graph.nodes) all.push_back(node.get());
  return all;
}

std::vector<Node*> root_nodes(const Graph& graph) {
  std::vector<Node*> roots;
  for (const auto& node : graph.nodes) {
    if (node->after.empty()) roots.push_back(node.get());
  }
  return roots;
}

void list(const std::vector<Node*>& nodes, cudaGraphNode_t* out, std::size_t* count) {
  require(count != nullptr, cudaErrorInvalidValue);
  if (out != nullptr) {
    for (std::size_t i = 0; i < *count; ++i) out[i] = i < nodes.size() ? handle(nodes[i]) : nullptr;
  }
  *count = out == nullptr ? nodes.size() : std::min(*count, nodes.size());
}

void launch_or_capture(Runtime& runtime, Stream& stream, ExecutableGraph& graph) {
  if (stream.capture != nullptr) {
    issue(runtime, stream, ChildWork{clone(*graph.graph)});
  } else {
    launch(runtime, stream, graph);
  }
}

void remove_node(Node& node) {
  require(!has_memory_nodes(*node.graph), cudaErrorNotSupported,
          "the graph allocates or frees memory: its nodes cannot be removed");
  node.graph->remove(&node);
}

cudaGraphExecUpdateResult update(ExecutableGraph& executable, const Graph& graph) {
  const std::vector<Node*> order = graph.in_order();
  if (order.size() != executable.order.size()) return cudaGraphExecUpdateErrorTopologyChanged;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Node &old = *executable.order[i], &now = *order[i];
    if (old.after.size() != now.after.size()) return cudaGraphExecUpdateErrorTopologyChanged;
    if (old.work.index() != now.work.index()) return cudaGraphExecUpdateErrorNodeTypeChanged;
  }
  std::unordered_map<const Node*, Node*> copies;
  for (std::size_t i = 0; i < order.size(); ++i) {
    executable.order[i]->work = copy_of(order[i]->work);
    executable.order[i]->original = order[i];
    copies[order[i]] = executable.order[i];
  }
  executable.copies = std::move(copies);
  return cudaGraphExecUpdateSuccess;
}

}  // namespace raddle::cuda
