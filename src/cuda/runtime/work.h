// Kinds of work that streams and graphs hold, as plain descriptions.
#pragma once

#include <map>
#include <optional>
#include <variant>
#include <vector>

#include "cuda/runtime/runtime.h"

namespace raddle::cuda {

struct Graph;           // runtime/graph.h
class GraphAllocation;  // runtime/graph_memory.h
class Condition;        // runtime/graph_conditionals.h

struct KernelWork {
  Kernel* kernel = nullptr;
  Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<std::byte> parameters;  // in the layout of the kernel's .param space
  bool cooperative = false;
  // runtime/launch_attributes.h:
  std::optional<int> priority;                         // else the stream's
  std::map<int, cudaLaunchAttributeValue> attributes;  // hints, which have no effect
  std::vector<Event*> events;                          // to be recorded when it has ended
};

/// One side of a copy: rows of bytes in slices. Addresses are the program's.
struct Place {
  void* base = nullptr;
  std::size_t pitch = 0;       // bytes from row to row
  std::size_t slice_rows = 0;  // rows from slice to slice
};

struct CopyWork {
  Place to, from;
  std::size_t width = 0, height = 1, depth = 1;  // bytes, rows, slices
  cudaMemcpyKind kind = cudaMemcpyDefault;
};

struct FillWork {
  Place to;
  std::size_t width = 0, height = 1, depth = 1;  // bytes, rows, slices
  std::uint32_t value = 0;
  unsigned element = 1;  // bytes: 1, 2 or 4
};

struct HostWork {
  cudaHostFn_t function = nullptr;
  void* data = nullptr;
};

struct EmptyWork {};
struct RecordWork {
  Event* event = nullptr;
  bool external = false;  // while captured: becomes a node, not an edge of the graph
};
struct WaitWork {
  Event* event = nullptr;
  bool external = false;
};
struct ChildWork {
  std::shared_ptr<Graph> graph;
};
struct FreeWork {
  void* address = nullptr;
};
struct AllocateWork {
  std::shared_ptr<GraphAllocation> memory;
};
struct ConditionalWork {
  std::shared_ptr<Condition> condition;
  cudaGraphConditionalNodeType type = cudaGraphCondTypeIf;
  std::vector<std::shared_ptr<Graph>> bodies;
};

using Work = std::variant<KernelWork, CopyWork, FillWork, HostWork, EmptyWork, RecordWork, WaitWork,
                          ChildWork, FreeWork, AllocateWork, ConditionalWork>;

/// Refuses work that is not possible, as the API call that asks for it does: launches beyond the
/// device's limits, copies outside of allocations.
void check(Runtime& runtime, const Work& work);

/// The command that runs checked work once. Not for ChildWork and ConditionalWork (runtime/graph.h
/// expands them).
Command make_command(Runtime& runtime, const Work& work);

/// Checks the work and puts it into the stream, or into the graph that the stream captures. The
/// result is null in a capture.
CompletionPtr issue(Runtime& runtime, Stream& stream, const Work& work);

/// Whether memory at `address` is ordinary host memory, unknown to CUDA.
bool pageable(Runtime& runtime, const void* address);

/// Copy and fill calls. When `async` is false, or the kind of memory requires it, the host waits as
/// CUDA's rules on synchronisation behaviour say.
void copy(Runtime& runtime, Stream& stream, const CopyWork& work, bool async);
void fill(Runtime& runtime, Stream& stream, const FillWork& work);

/// Waits for the stream; returns the error of the work that it waited for.
cudaError_t synchronize(Runtime& runtime, Stream& stream);
cudaError_t synchronize_all(Runtime& runtime);
/// Runtime::set_shared_banks() after the kernels that have been launched.
cudaError_t use_shared_banks(Runtime& runtime, unsigned bytes);

}  // namespace raddle::cuda
