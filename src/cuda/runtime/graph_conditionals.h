// Conditional nodes of graphs. A value that kernels set decides whether, and how often, a body runs
// (CUDA programming guide, "Conditional Graph Nodes").
#pragma once

#include "cuda/runtime/graph.h"

namespace raddle::isa {
class BuiltinCall;
}  // namespace raddle::isa

namespace raddle::cuda {

/// The value that a conditional node reads: four bytes of simulated memory. Their address is the
/// handle, so that a kernel's writes to it are ordered as all its other writes are.
class Condition {
 public:
  /// Refuses with cudaErrorMemoryAllocation when the device is full.
  Condition(Runtime& runtime, unsigned value, bool at_each_launch);
  ~Condition();
  Condition(const Condition&) = delete;
  Condition& operator=(const Condition&) = delete;

  cudaGraphConditionalHandle handle() const { return address_; }
  unsigned value() const;
  /// Called when a launch of the graph begins.
  void begin() const;

  bool used = false;  // a node uses it

 private:
  Runtime& runtime_;
  Address address_ = 0;
  unsigned at_launch_;
  bool at_each_launch_;
};

/// The graph's condition with this handle, for a new node. Refuses other handles, and a condition
/// that has a node already (cudaErrorInvalidValue).
std::shared_ptr<Condition> condition_for_node(const Graph& graph,
                                              cudaGraphConditionalHandle handle);

/// Work with `count` empty bodies. Refuses unknown types and wrong counts.
ConditionalWork conditional_work(std::shared_ptr<Condition> condition,
                                 cudaGraphConditionalNodeType type, unsigned count);

/// The conditions of this graph, of the graphs within it and of the bodies of its nodes.
std::vector<std::shared_ptr<Condition>> conditions_of(const Graph& graph);
/// Refuses graphs that cannot run: with handles that have no node, or bodies that allocate memory.
void check_conditionals(const Graph& graph);

/// Decides when all of `after` has ended, and runs the body that the value chooses.
CompletionPtr run_conditional(Runtime& runtime, const ConditionalWork& work,
                              std::vector<CompletionPtr> after, const GraphRun& run);

/// void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value)
void set_conditional(const isa::BuiltinCall& call);

}  // namespace raddle::cuda
