// Graphs of work (CUDA programming guide, "CUDA Graphs"): built by hand or captured from streams.
#pragma once

#include <memory>
#include <thread>
#include <unordered_map>
#include <vector>

#include "cuda/runtime/user_objects.h"
#include "cuda/runtime/work.h"

namespace raddle::cuda {

struct Node {
  Graph* graph = nullptr;
  Work work;
  std::vector<Node*> after;  // without repetition
  Node* original = nullptr;  // of a clone
  bool enabled = true;
  std::vector<void*> arguments;     // of a kernel node: pointers for programs that asked
  std::vector<cudaGraph_t> bodies;  // of a conditional node: handles, as above
};

struct ExecutableGraph;

struct Graph {
  std::vector<std::unique_ptr<Node>> nodes;            // in order of creation
  mutable std::weak_ptr<ExecutableGraph> executable;   // the last one instantiated from this graph
  std::vector<std::shared_ptr<Condition>> conditions;  // with handles for this graph
  UserReferences user_objects;

  Node* add(Work work, std::vector<Node*> after);
  void remove(Node* node);
  /// The nodes in an order in which each follows all its predecessors; refuses a cycle.
  std::vector<Node*> in_order() const;
};

/// A graph made ready to run, with its own copy of the nodes.
struct ExecutableGraph {
  std::shared_ptr<Graph> graph;
  std::vector<Node*> order;
  std::unordered_map<const Node*, Node*> copies;  // by the original node
  unsigned long long flags = 0;
  CompletionPtr last;             // end of the last launch: launches of one graph follow each other
  std::uint32_t last_stream = 0;  // the stream of that launch
  Node* find(const Node* original) const;
};

/// How a launch puts a graph's work into streams.
struct GraphRun {
  std::uint32_t stream = 0;  // of the launch
  int priority = 0;
  bool node_priorities = false;  // cudaGraphInstantiateFlagUseNodePriority
  Nanoseconds begun = -1;        // Command::begun
};
/// Runs the nodes after all of `start`, with branches side by side. Returns the end of all nodes.
CompletionPtr run_nodes(Runtime& runtime, const std::vector<Node*>& order,
                        const std::vector<CompletionPtr>& start, const GraphRun& run);

/// A copy of a node's work, with its own copies of the graphs within.
Work copy_of(const Work& work);
/// A copy whose nodes remember their originals. Refuses a graph that allocates or frees memory with
/// cudaErrorNotSupported (CUDA runtime API, cudaGraphAddMemAllocNode).
std::shared_ptr<Graph> clone(const Graph& graph);
/// A graph with memory nodes has one executable graph at a time; a second one is refused in the
/// same way.
std::shared_ptr<ExecutableGraph> instantiate(const Graph& graph);
/// Puts all work of the graph into the stream: branches run side by side.
void launch(Runtime& runtime, Stream& stream, ExecutableGraph& graph);

/// A capture in progress, shared by the streams that have joined it.
struct Capture {
  std::shared_ptr<Graph> graph;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id thread;    // the thread that began the capture
  bool invalid = false;      // the program made a call that captures do not allow
  Stream* origin = nullptr;  // nullptr: the origin stream was destroyed
  unsigned long long id = 0;
  bool active = true;
  std::map<const Stream*, std::vector<Node*>> tails;  // the predecessors of each stream's next node
  std::vector<Node*> left;                            // last nodes of destroyed streams
};

void begin_capture(Stream& stream, std::shared_ptr<Graph> into, std::vector<Node*> after,
                   cudaStreamCaptureMode mode);
std::shared_ptr<Graph> end_capture(Runtime& runtime, Stream& stream);
/// Takes a stream that is being destroyed out of its capture. If the origin has waited for the
/// stream's branch, or waits for it later, the branch stays in the capture; otherwise end_capture()
/// returns Unjoined. When the origin itself is destroyed, the capture becomes invalid. Its other
/// streams then take no work until one of them ends the capture (which returns Invalidated) or all
/// are destroyed.
void leave_capture(Stream& stream);
cudaStreamCaptureStatus capture_status(const Stream& stream);

// Calls that captures do not allow (CUDA programming guide, "Prohibited and Unhandled Operations").
// A refused call makes the capture invalid.
/// For a wait for the stream, or a query of it. Refuses with cudaErrorStreamCaptureUnsupported.
void forbid_while_captured(const Stream& stream);
/// The same for a wait for the whole device, or a query of it.
void forbid_while_anything_is_captured();
/// For work in the legacy stream, which would wait for streams that are being captured. Refuses
/// with cudaErrorStreamCaptureImplicit.
void forbid_implicit_capture(Runtime& runtime, const Stream& stream);
/// For a wait for an event that was recorded in a capture, or a query of it. Refuses with
/// cudaErrorCapturedEvent.
void forbid_captured(const Event& event);
/// For calls that may wait for the device, such as allocations. Refuses with
/// cudaErrorStreamCaptureUnsupported if the mode of a capture, or of the thread, forbids them.
void forbid_unsafe_call();
/// cudaThreadExchangeStreamCaptureMode
cudaStreamCaptureMode exchange_capture_mode(cudaStreamCaptureMode mode);

/// Whether this work makes a stream part of a capture: it waits for an event recorded in one.
bool joins_capture(const Stream& stream, const Work& work);
/// Adds the work to the stream's capture; the work must not need a wait for memory.
Node* capture(Runtime& runtime, Stream& stream, const Work& work);

}  // namespace raddle::cuda
