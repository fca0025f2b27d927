// Conditional nodes of graphs: bodies that run when, and as often as, a value says that kernels set
// (CUDA programming guide, "Conditional Graph Nodes").
#pragma once

#include "cuda/runtime/graph.h"

namespace raddle::isa {
class BuiltinCall;
}  // namespace raddle::isa

namespace raddle::cuda {

/// The value that a conditional node looks at: four bytes of simulated memory, whose address is the
/// handle, so that a kernel's writes are ordered as all its others are.
class Condition {
 public:
  /// Refuses with cudaErrorMemoryAllocation when the device is full.
  Condition(Runtime& runtime, unsigned value, bool at_each_launch);
  ~Condition();
  Condition(const Condition&) = delete;
  Condition& operator=(const Condition&) = delete;

  cudaGraphConditionalHandle handle() const { return address_; }
  unsigned value() const;
  /// A launch of the graph begins.
  void begin() const;

  bool used = false;  // by a node

 private:
  Runtime& runtime_;
  Address address_ = 0;
  unsigned at_launch_;
  bool at_each_launch_;
};

/// The one of the graph's that has the handle, for a new node. Refuses others, and one that has a
/// node already (cudaErrorInvalidValue).
std::shared_ptr<Condition> condition_for_node(const Graph& graph,
                                              cudaGraphConditionalHandle handle);

/// `count` bodies, empty as yet. Refuses numbers and types that do not exist.
ConditionalWork conditional_work(std::shared_ptr<Condition> condition,
                                 cudaGraphConditionalNodeType type, unsigned count);

/// Of this graph, the graphs within it and the bodies of its nodes.
std::vector<std::shared_ptr<Condition>> conditions_of(const Graph& graph);
/// Refuses what cannot run: handles without a node, and bodies that allocate memory.
void check_conditionals(const Graph& graph);

/// Decides when all of `after` has ended, and runs the body that is due.
CompletionPtr run_conditional(Runtime& runtime, const ConditionalWork& work,
                              std::vector<CompletionPtr> after, const GraphRun& run);

/// void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value)
void set_conditional(const isa::BuiltinCall& call);

}  // namespace raddle::cuda
