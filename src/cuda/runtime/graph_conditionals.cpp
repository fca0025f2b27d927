#include "cuda/runtime/graph_conditionals.h"

#include <bit>
#include <cstring>

#include "cuda/runtime/graph_memory.h"
#include "isa/builtins/builtins.h"

namespace raddle::cuda {

Condition::Condition(Runtime& runtime, unsigned value, bool at_each_launch)
    : runtime_(runtime), at_launch_(value), at_each_launch_(at_each_launch) {
  address_ = runtime.space().allocate(sizeof value, memory::Kind::runtime, "a graph's condition");
  require(address_ != 0, cudaErrorMemoryAllocation);
  std::memset(runtime.space().values(address_, sizeof value), 0, sizeof value);
}

Condition::~Condition() { runtime_.space().free(address_); }

unsigned Condition::value() const {
  unsigned value = 0;
  const std::byte* at = runtime_.space().values(address_, sizeof value);
  if (at != nullptr) std::memcpy(&value, at, sizeof value);
  return value;
}

void Condition::begin() const {
  if (!at_each_launch_) return;
  std::byte* at = runtime_.space().values(address_, sizeof at_launch_);
  if (at != nullptr) std::memcpy(at, &at_launch_, sizeof at_launch_);
}

std::shared_ptr<Condition> condition_for_node(const Graph& graph,
                                              cudaGraphConditionalHandle handle) {
  for (const auto& condition : graph.conditions) {
    if (condition->handle() != handle) continue;
    require(!condition->used, cudaErrorInvalidValue, "the handle has a conditional node already");
    condition->used = true;
    return condition;
  }
  refuse(cudaErrorInvalidValue, "the graph has no such conditional handle");
}

ConditionalWork conditional_work(std::shared_ptr<Condition> condition,
                                 cudaGraphConditionalNodeType type, unsigned count) {
  const unsigned most = type == cudaGraphCondTypeIf ? 2 : type == cudaGraphCondTypeWhile ? 1 : ~0u;
  require(type >= cudaGraphCondTypeIf && type <= cudaGraphCondTypeSwitch, cudaErrorInvalidValue,
          "no such type of conditional node");
  require(count != 0 && count <= most, cudaErrorInvalidValue,
          "a conditional node of this type does not have as many bodies");
  ConditionalWork work{std::move(condition), type, {}};
  for (unsigned i = 0; i < count; ++i) work.bodies.push_back(std::make_shared<Graph>());
  return work;
}

namespace {

/// Calls f for each graph within this one.
template <class F>
void for_inner(const Graph& graph, F f) {
  for (const auto& node : graph.nodes) {
    if (const auto* child = std::get_if<ChildWork>(&node->work)) f(*child->graph, false);
    if (const auto* work = std::get_if<ConditionalWork>(&node->work)) {
      for (const auto& body : work->bodies) f(*body, true);
    }
  }
}

}  // namespace

std::vector<std::shared_ptr<Condition>> conditions_of(const Graph& graph) {
  std::vector<std::shared_ptr<Condition>> all = graph.conditions;
  for_inner(graph, [&](const Graph& inner, bool) {
    const auto more = conditions_of(inner);
    all.insert(all.end(), more.begin(), more.end());
  });
  return all;
}

void check_conditionals(const Graph& graph) {
  for (const auto& condition : graph.conditions) {
    require(condition->used, cudaErrorInvalidValue,
            "the graph has a conditional handle without a node");
  }
  for_inner(graph, [](const Graph& inner, bool body) {
    require(!body || !has_memory_nodes(inner), cudaErrorNotSupported,
            "the body of a conditional node allocates or frees memory");
    check_conditionals(inner);
  });
}

namespace {

/// A launch of a conditional node: decides, runs a body, and decides again.
class Decision : public std::enable_shared_from_this<Decision> {
 public:
  Decision(Runtime& runtime, const ConditionalWork& work, const GraphRun& run)
      : runtime_(runtime), work_(work), run_(run) {}

  /// The node's end.
  CompletionPtr end() const { return end_; }

  void decide_after(std::vector<CompletionPtr> after) {
    Command command;
    command.after = std::move(after);
    const auto decided = command.completion;
    command.action = [self = shared_from_this(), point = decided.get()] {
      self->run_.begun = point->time;
      self->decide();
    };
    submit(std::move(command));
  }

 private:
  void submit(Command command) {
    Device& device = runtime_.device();
    command.begun = run_.begun;
    Stream* stream = device.create_stream(cudaStreamNonBlocking, run_.priority);
    device.submit(*stream, std::move(command));
    device.destroy_stream(stream);
  }

  /// The body that the value chooses; nullptr: none.
  const Graph* due(unsigned value) const {
    std::size_t body = value;
    if (work_.type == cudaGraphCondTypeIf) body = value != 0 ? 0 : 1;
    if (work_.type == cudaGraphCondTypeWhile) body = value != 0 ? 0 : 1;
    return body < work_.bodies.size() ? work_.bodies[body].get() : nullptr;
  }

  void decide() {
    const Graph* body = due(work_.condition->value());
    const bool again = body != nullptr && work_.type == cudaGraphCondTypeWhile;
    if (again && body->nodes.empty()) {
      return fail(isa::Fault::Kind::deadlock,
                  "a conditional node never ends: its body is empty, so that its condition stays");
    }
    std::vector<CompletionPtr> after;
    try {
      if (body != nullptr) after = {run_nodes(runtime_, body->in_order(), {}, run_)};
    } catch (const Refusal& refusal) {
      return fail(isa::Fault::Kind::out_of_bounds,
                  "the body of a conditional node cannot run: " + refusal.why);
    }
    if (again) return decide_after(after);
    Command last;
    last.after = std::move(after);
    last.completion = end_;
    submit(std::move(last));
  }

  /// Makes a fault: no call waits for the node and could return the error.
  void fail(isa::Fault::Kind kind, const std::string& why) {
    runtime_.device().fail(kind, why);
    Command last;
    last.completion = end_;
    submit(std::move(last));
  }

  Runtime& runtime_;
  const ConditionalWork work_;
  GraphRun run_;
  const CompletionPtr end_ = std::make_shared<Completion>();
};

}  // namespace

CompletionPtr run_conditional(Runtime& runtime, const ConditionalWork& work,
                              std::vector<CompletionPtr> after, const GraphRun& run) {
  const auto decision = std::make_shared<Decision>(runtime, work, run);
  const CompletionPtr end = decision->end();
  decision->decide_after(std::move(after));
  return end;
}

void set_conditional(const isa::BuiltinCall& call) {
  for (LaneMask rest = call.lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const auto value = call.argument<std::uint32_t>(lane, 1);
    std::byte* to = call.access(lane, call.argument<std::uint64_t>(lane, 0), sizeof value,
                                isa::MemoryAccess::Type::store);
    if (to != nullptr) std::memcpy(to, &value, sizeof value);
  }
}

}  // namespace raddle::cuda
