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
  std::vector<void*> arguments;     // of a kernel, as a program that asked for them has them
  std::vector<cudaGraph_t> bodies;  // of a conditional node, the same
};

struct ExecutableGraph;

struct Graph {
  std::vector<std::unique_ptr<Node>> nodes;            // in order of creation
  mutable std::weak_ptr<ExecutableGraph> executable;   // the last that was made of it
  std::vector<std::shared_ptr<Condition>> conditions;  // whose handles were made for it
  UserReferences user_objects;

  Node* add(Work work, std::vector<Node*> after);
  void remove(Node* node);
  /// Every node after all that it follows; refuses a cycle.
  std::vector<Node*> in_order() const;
};

/// A graph made ready to run: its own copy.
struct ExecutableGraph {
  std::shared_ptr<Graph> graph;
  std::vector<Node*> order;
  std::unordered_map<const Node*, Node*> copies;  // by what they were copied from
  unsigned long long flags = 0;
  CompletionPtr last;             // of the last launch: launches of one graph follow each other
  std::uint32_t last_stream = 0;  // where that was
  Node* find(const Node* original) const;
};

/// How the work of a graph's launch is put into streams.
struct GraphRun {
  std::uint32_t stream = 0;  // of the launch
  int priority = 0;
  bool node_priorities = false;  // cudaGraphInstantiateFlagUseNodePriority
  Nanoseconds begun = -1;        // Command::begun
};
/// Runs the nodes after all of `start`, branches side by side; the end of all.
CompletionPtr run_nodes(Runtime& runtime, const std::vector<Node*>& order,
                        const std::vector<CompletionPtr>& start, const GraphRun& run);

/// A copy of a node's work, with its own copies of the graphs within.
Work copy_of(const Work& work);
/// A copy whose nodes remember what they were copied from. Refuses a graph that allocates or frees
/// memory with cudaErrorNotSupported (CUDA runtime API, cudaGraphAddMemAllocNode).
std::shared_ptr<Graph> clone(const Graph& graph);
/// Of a graph with such nodes there is one at a time; another is refused in the same way.
std::shared_ptr<ExecutableGraph> instantiate(const Graph& graph);
/// Puts all its work into the stream: branches run side by side.
void launch(Runtime& runtime, Stream& stream, ExecutableGraph& graph);

/// A capture in progress, shared by the streams that have joined it.
struct Capture {
  std::shared_ptr<Graph> graph;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id thread;    // that began it
  bool invalid = false;      // a call that it does not allow was made
  Stream* origin = nullptr;  // nullptr: destroyed since
  unsigned long long id = 0;
  bool active = true;
  std::map<const Stream*, std::vector<Node*>> tails;  // what a stream's next node follows
  std::vector<Node*> left;                            // last nodes of streams destroyed since
};

void begin_capture(Stream& stream, std::shared_ptr<Graph> into, std::vector<Node*> after,
                   cudaStreamCaptureMode mode);
std::shared_ptr<Graph> end_capture(Runtime& runtime, Stream& stream);
/// The stream goes. A branch that the origin has waited for, or waits for later, is captured as if
/// its stream still were; one that nobody waits for makes end_capture() say Unjoined. Without the
/// origin nobody can end the capture: it is invalid, and the other streams take no work until one of
/// them ends it (which says Invalidated) or they go too.
void leave_capture(Stream& stream);
cudaStreamCaptureStatus capture_status(const Stream& stream);

// What captures do not allow (CUDA programming guide, "Prohibited and Unhandled Operations"). A
// call that is refused makes the capture invalid.
/// A wait for the stream, or a look at it. cudaErrorStreamCaptureUnsupported
void forbid_while_captured(const Stream& stream);
/// The same of everything on the device.
void forbid_while_anything_is_captured();
/// Work in the legacy stream while streams are captured that it waits for.
/// cudaErrorStreamCaptureImplicit
void forbid_implicit_capture(Runtime& runtime, const Stream& stream);
/// A wait for an event that was recorded while captured, or a look at it. cudaErrorCapturedEvent
void forbid_captured(const Event& event);
/// Calls that may wait for the device, as allocations: not where a capture's mode, or the thread's,
/// says so. cudaErrorStreamCaptureUnsupported
void forbid_unsafe_call();
/// cudaThreadExchangeStreamCaptureMode
cudaStreamCaptureMode exchange_capture_mode(cudaStreamCaptureMode mode);

/// Whether this work makes a stream part of a capture: a wait for an event recorded in one.
bool joins_capture(const Stream& stream, const Work& work);
/// Adds the work to the stream's capture; memory must not be waited for there.
Node* capture(Runtime& runtime, Stream& stream, const Work& work);

}  // namespace raddle::cuda
