#include "cuda/runtime/graph.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "cuda/runtime/graph_conditionals.h"
#include "cuda/runtime/graph_memory.h"

namespace raddle::cuda {

Node* Graph::add(Work work, std::vector<Node*> after) {
  auto node = std::make_unique<Node>();
  node->graph = this;
  node->work = std::move(work);
  std::unordered_set<const Node*> known;
  for (Node* before : after) {
    if (known.insert(before).second) node->after.push_back(before);
  }
  nodes.push_back(std::move(node));
  return nodes.back().get();
}

void Graph::remove(Node* node) {
  for (auto& other : nodes) std::erase(other->after, node);
  std::erase_if(nodes, [&](const auto& one) { return one.get() == node; });
}

std::vector<Node*> Graph::in_order() const {
  std::unordered_map<const Node*, std::size_t> index;
  for (std::size_t i = 0; i < nodes.size(); ++i) index[nodes[i].get()] = i;
  std::vector<std::size_t> missing(nodes.size());  // predecessors not placed yet
  std::vector<std::vector<std::size_t>> followers(nodes.size());
  std::set<std::size_t> ready;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    missing[i] = nodes[i]->after.size();
    for (const Node* before : nodes[i]->after) {
      const auto found = index.find(before);
      require(found != index.end(), cudaErrorInvalidValue,
              "a node follows one that is not in the graph");
      followers[found->second].push_back(i);
    }
    if (missing[i] == 0) ready.insert(i);
  }
  // Rounds in order of creation: a node that becomes ready before its turn is placed in the same
  // round.
  std::vector<Node*> order;
  std::size_t turn = 0;
  while (!ready.empty()) {
    auto next = ready.lower_bound(turn);
    if (next == ready.end()) next = ready.begin();
    const std::size_t placed = *next;
    ready.erase(next);
    turn = placed + 1;
    order.push_back(nodes[placed].get());
    for (const std::size_t follower : followers[placed]) {
      if (--missing[follower] == 0) ready.insert(follower);
    }
  }
  require(order.size() == nodes.size(), cudaErrorInvalidValue, "the graph has a cycle");
  return order;
}

Node* ExecutableGraph::find(const Node* original) const {
  const auto found = copies.find(original);
  return found == copies.end() ? nullptr : found->second;
}

namespace {

std::shared_ptr<Graph> copy(const Graph& graph) {
  auto made_graph = std::make_shared<Graph>();
  std::unordered_map<const Node*, Node*> made;
  for (Node* node : graph.in_order()) {
    std::vector<Node*> after;
    for (const Node* before : node->after) after.push_back(made[before]);
    Node* made_node = made_graph->add(copy_of(node->work), std::move(after));
    made_node->original = node;
    made_node->enabled = node->enabled;
    made[node] = made_node;
  }
  made_graph->conditions = graph.conditions;
  made_graph->user_objects = graph.user_objects;
  return made_graph;
}

}  // namespace

Work copy_of(const Work& work) {
  Work made = work;
  if (auto* child = std::get_if<ChildWork>(&made)) child->graph = copy(*child->graph);
  if (auto* conditional = std::get_if<ConditionalWork>(&made)) {
    for (auto& body : conditional->bodies) body = copy(*body);
  }
  return made;
}

std::shared_ptr<Graph> clone(const Graph& graph) {
  require(!has_memory_nodes(graph), cudaErrorNotSupported,
          "the graph allocates or frees memory: it cannot be cloned or be part of another graph");
  return copy(graph);
}

std::shared_ptr<ExecutableGraph> instantiate(const Graph& graph) {
  require(graph.executable.expired() || !has_memory_nodes(graph), cudaErrorNotSupported,
          "the graph allocates or frees memory: it can have one executable graph at a time, and "
          "the one that was made of it still exists");
  check_conditionals(graph);
  auto executable = std::make_shared<ExecutableGraph>();
  graph.executable = executable;
  executable->graph = copy(graph);
  executable->order = executable->graph->in_order();
  for (Node* node : executable->order) executable->copies[node->original] = node;
  return executable;
}

namespace {

/// Runs the command on a stream of its own, which is destroyed when the command has ended.
CompletionPtr submit_alone(Device& device, Command command, const GraphRun& run) {
  command.begun = run.begun;
  Stream* stream = device.create_stream(cudaStreamNonBlocking, run.priority);
  CompletionPtr end = device.submit(*stream, std::move(command));
  device.destroy_stream(stream);
  return end;
}

CompletionPtr run_node(Runtime& runtime, const Node& node, std::vector<CompletionPtr> after,
                       const GraphRun& run) {
  if (const auto* child = std::get_if<ChildWork>(&node.work); child != nullptr && node.enabled) {
    return run_nodes(runtime, child->graph->in_order(), after, run);
  }
  if (const auto* work = std::get_if<ConditionalWork>(&node.work);
      work != nullptr && node.enabled) {
    return run_conditional(runtime, *work, std::move(after), run);
  }
  Device& device = runtime.device();
  Command command = make_command(runtime, node.enabled ? node.work : Work(EmptyWork{}));
  if (command.engine == Engine::sms) {
    const auto& own = std::get<KernelWork>(node.work).priority;
    command.launch.stream = run.stream;
    command.launch.priority = run.node_priorities ? own.value_or(kLeastPriority) : run.priority;
  }
  if (std::holds_alternative<CopyWork>(node.work) && command.action) {
    // No call waits for the copy and could return its error.
    command.action = [&device, copy = command.action, done = command.completion.get()] {
      copy();
      if (!done->failure.empty()) device.fail(isa::Fault::Kind::out_of_bounds, done->failure);
    };
  }
  command.after.insert(command.after.end(), after.begin(), after.end());
  return submit_alone(device, std::move(command), run);
}

}  // namespace

CompletionPtr run_nodes(Runtime& runtime, const std::vector<Node*>& order,
                        const std::vector<CompletionPtr>& start, const GraphRun& run) {
  std::unordered_map<const Node*, CompletionPtr> ends;
  Command join;
  join.after = start;
  for (const Node* node : order) {
    std::vector<CompletionPtr> after = start;
    for (const Node* before : node->after) after.push_back(ends[before]);
    ends[node] = run_node(runtime, *node, std::move(after), run);
    join.after.push_back(ends[node]);
  }
  return submit_alone(runtime.device(), std::move(join), run);
}

void launch(Runtime& runtime, Stream& stream, ExecutableGraph& graph) {
  claim_memory(runtime, stream, graph);
  Command first;
  if (graph.last != nullptr && graph.last_stream != stream.id) first.after.push_back(graph.last);
  if (auto conditions = conditions_of(*graph.graph); !conditions.empty()) {
    first.action = [conditions = std::move(conditions)] {
      for (const auto& condition : conditions) condition->begin();
    };
  }
  const CompletionPtr start = runtime.device().submit(stream, std::move(first));
  GraphRun run{stream.id, stream.priority};
  run.node_priorities = (graph.flags & cudaGraphInstantiateFlagUseNodePriority) != 0;
  Command end;
  end.after.push_back(run_nodes(runtime, graph.order, {start}, run));
  end.action = [user_objects = graph.graph->user_objects] {};  // the objects stay until then
  graph.last = runtime.device().submit(stream, std::move(end));
  graph.last_stream = stream.id;
}

}  // namespace raddle::cuda
