#include "cuda/runtime/graph.h"

#include <algorithm>

namespace raddle::cuda {

Node* Graph::add(Work work, std::vector<Node*> after) {
  auto node = std::make_unique<Node>();
  node->graph = this;
  node->work = std::move(work);
  for (Node* before : after) {
    if (std::find(node->after.begin(), node->after.end(), before) == node->after.end()) {
      node->after.push_back(before);
    }
  }
  nodes.push_back(std::move(node));
  return nodes.back().get();
}

void Graph::remove(Node* node) {
  for (auto& other : nodes) std::erase(other->after, node);
  std::erase_if(nodes, [&](const auto& one) { return one.get() == node; });
}

std::vector<Node*> Graph::in_order() const {
  std::vector<Node*> order;
  while (order.size() < nodes.size()) {
    const std::size_t before = order.size();
    for (const auto& node : nodes) {
      const auto placed = [&](const Node* one) {
        return std::find(order.begin(), order.end(), one) != order.end();
      };
      if (!placed(node.get()) && std::all_of(node->after.begin(), node->after.end(), placed)) {
        order.push_back(node.get());
      }
    }
    require(order.size() != before, cudaErrorInvalidValue);
  }
  return order;
}

Node* ExecutableGraph::find(const Node* original) const {
  for (const auto& node : graph->nodes) {
    if (node->original == original) return node.get();
  }
  return nullptr;
}

std::shared_ptr<Graph> clone(const Graph& graph) {
  auto copy = std::make_shared<Graph>();
  std::map<const Node*, Node*> made;
  for (Node* node : graph.in_order()) {
    std::vector<Node*> after;
    for (const Node* before : node->after) after.push_back(made[before]);
    Work work = node->work;
    if (auto* child = std::get_if<ChildWork>(&work)) child->graph = clone(*child->graph);
    Node* made_node = copy->add(std::move(work), std::move(after));
    made_node->original = node;
    made_node->enabled = node->enabled;
    made[node] = made_node;
  }
  return copy;
}

std::shared_ptr<ExecutableGraph> instantiate(const Graph& graph) {
  auto executable = std::make_shared<ExecutableGraph>();
  executable->graph = clone(graph);
  executable->order = executable->graph->in_order();
  return executable;
}

namespace {

CompletionPtr run_nodes(Runtime& runtime, const std::vector<Node*>& order,
                        const std::vector<CompletionPtr>& start, Stream& like);

/// A node's work on a stream of its own, which goes when the work has ended.
CompletionPtr run_node(Runtime& runtime, const Node& node, std::vector<CompletionPtr> after,
                       Stream& like) {
  if (const auto* child = std::get_if<ChildWork>(&node.work); child != nullptr && node.enabled) {
    return run_nodes(runtime, child->graph->in_order(), after, like);
  }
  Device& device = runtime.device();
  Command command = make_command(runtime, node.enabled ? node.work : Work(EmptyWork{}));
  if (command.engine == Engine::sms) {
    command.launch.stream = like.id;
    command.launch.priority = like.priority;
  }
  if (std::holds_alternative<CopyWork>(node.work) && command.action) {
    // Nobody waits for it who could return the error.
    command.action = [&device, copy = command.action, done = command.completion.get()] {
      copy();
      if (!done->failure.empty()) device.fail(isa::Fault::Kind::out_of_bounds, done->failure);
    };
  }
  command.after.insert(command.after.end(), after.begin(), after.end());
  Stream* stream = device.create_stream(cudaStreamNonBlocking, like.priority);
  CompletionPtr end = device.submit(*stream, std::move(command));
  device.destroy_stream(stream);
  return end;
}

CompletionPtr run_nodes(Runtime& runtime, const std::vector<Node*>& order,
                        const std::vector<CompletionPtr>& start, Stream& like) {
  std::map<const Node*, CompletionPtr> ends;
  Command join;
  join.after = start;
  for (const Node* node : order) {
    std::vector<CompletionPtr> after = start;
    for (const Node* before : node->after) after.push_back(ends[before]);
    ends[node] = run_node(runtime, *node, std::move(after), like);
    join.after.push_back(ends[node]);
  }
  Device& device = runtime.device();
  Stream* stream = device.create_stream(cudaStreamNonBlocking, like.priority);
  CompletionPtr end = device.submit(*stream, std::move(join));
  device.destroy_stream(stream);
  return end;
}

}  // namespace

void launch(Runtime& runtime, Stream& stream, const ExecutableGraph& graph) {
  const CompletionPtr start = runtime.device().submit(stream, Command{});
  Command end;
  end.after.push_back(run_nodes(runtime, graph.order, {start}, stream));
  runtime.device().submit(stream, std::move(end));
}

void begin_capture(Stream& stream, std::shared_ptr<Graph> into, std::vector<Node*> after) {
  static unsigned long long next_id = 1;
  require(stream.capture == nullptr, cudaErrorIllegalState);
  require(stream.id != 0, cudaErrorStreamCaptureUnsupported);
  auto capture = std::make_shared<Capture>();
  capture->graph = std::move(into);
  capture->origin = &stream;
  capture->id = next_id++;
  capture->tails[&stream] = std::move(after);
  stream.capture = std::move(capture);
}

std::shared_ptr<Graph> end_capture(Runtime& runtime, Stream& stream) {
  const std::shared_ptr<Capture> capture = stream.capture;
  require(capture != nullptr, cudaErrorIllegalState);
  require(capture->origin == &stream, cudaErrorStreamCaptureUnmatched);
  // Every branch must have been waited for by the origin: its last nodes are before the origin's.
  std::vector<Node*> reached = capture->tails[&stream];
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (Node* before : reached[i]->after) {
      if (std::find(reached.begin(), reached.end(), before) == reached.end()) {
        reached.push_back(before);
      }
    }
  }
  bool joined = true;
  for (const auto& [other, tails] : capture->tails) {
    for (Node* tail : tails) {
      joined &= std::find(reached.begin(), reached.end(), tail) != reached.end();
    }
  }
  runtime.device().leave_capture(capture);
  capture->active = false;
  require(joined, cudaErrorStreamCaptureUnjoined);
  return capture->graph;
}

bool joins_capture(const Stream&, const Work& work) {
  const auto* wait = std::get_if<WaitWork>(&work);
  return wait != nullptr && wait->event->capture != nullptr && wait->event->capture->active;
}

Node* capture(Runtime&, Stream& stream, const Work& work) {
  if (const auto* wait = std::get_if<WaitWork>(&work)) {
    require(wait->event->capture != nullptr || stream.capture == nullptr,
            cudaErrorStreamCaptureIsolation);
    if (stream.capture == nullptr) stream.capture = wait->event->capture;
    require(stream.capture == wait->event->capture, cudaErrorStreamCaptureMerge);
    std::vector<Node*>& tails = stream.capture->tails[&stream];
    for (void* node : wait->event->captured) tails.push_back(static_cast<Node*>(node));
    return nullptr;
  }
  std::vector<Node*>& tails = stream.capture->tails[&stream];
  if (const auto* record = std::get_if<RecordWork>(&work)) {
    record->event->capture = stream.capture;
    record->event->captured.assign(tails.begin(), tails.end());
    return nullptr;
  }
  Node* node = stream.capture->graph->add(work, tails);
  tails = {node};
  return node;
}

}  // namespace raddle::cuda
