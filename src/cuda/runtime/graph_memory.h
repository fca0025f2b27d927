// Memory that graphs allocate (CUDA programming guide, "Graph Memory Nodes"). Making the node fixes
// the address. The memory has values from a launch of the graph until it is freed: by the graph
// itself, by another graph, or by the program.
#pragma once

#include <memory>

#include "cuda/runtime/graph.h"
#include "cuda/runtime/runtime.h"

namespace raddle::cuda {

class GraphAllocation : public std::enable_shared_from_this<GraphAllocation> {
 public:
  GraphAllocation(Runtime& runtime, std::size_t bytes, const cudaMemPoolProps& properties);
  ~GraphAllocation();
  GraphAllocation(const GraphAllocation&) = delete;
  GraphAllocation& operator=(const GraphAllocation&) = delete;

  void* address() const { return reinterpret_cast<void*>(base_); }
  std::size_t bytes() const { return bytes_; }
  /// Bytes from `at` to the end of the allocation; 0 outside of it.
  std::size_t bytes_from(Address at) const {
    return at - base_ < bytes_ ? bytes_ - (at - base_) : 0;
  }
  const cudaMemPoolProps& properties() const { return properties_; }

  /// Whether the program's calls so far allocate it without freeing it.
  bool allocated() const { return allocated_; }
  void set_allocated(bool allocated) { allocated_ = allocated; }

  /// claim(): a launch that allocates the memory is put into a stream. release(): work that frees
  /// it has run. The memory has values in between. claim() refuses with cudaErrorMemoryAllocation
  /// when the device is full.
  void claim(Runtime& runtime);
  void release(Runtime& runtime);

 private:
  friend void forget_graph_allocations(Runtime& runtime);
  Address base_ = 0;
  std::size_t bytes_, reserved_ = 0;
  std::string name_;
  cudaMemPoolProps properties_;
  bool allocated_ = false;
  unsigned claims_ = 0;
  std::unique_ptr<std::byte, void (*)(void*)> values_;
  std::shared_ptr<GraphAllocation> self_;  // while it has values
};

/// Refuses an allocation of 0 bytes, or in other places than this device, with
/// cudaErrorInvalidValue.
std::shared_ptr<GraphAllocation> make_graph_allocation(Runtime& runtime, std::size_t bytes,
                                                       const cudaMemPoolProps& properties);
/// The allocation that holds the address; nullptr when there is none.
std::shared_ptr<GraphAllocation> find_graph_allocation(const void* address);

/// Frees memory that a graph has allocated, in the stream's order or as a node of a capture.
/// Returns false for other addresses. Refuses an address that is not the first byte, or is not
/// allocated.
bool free_graph_allocation(Runtime& runtime, Stream& stream, void* address);

/// The value of cudaDeviceGetGraphMemAttribute in bytes.
std::size_t graph_memory_attribute(int attribute);
/// Sets the high-water mark to the bytes in use; refuses other attributes, and values other than 0.
void reset_graph_memory_attribute(int attribute, std::size_t value);
std::size_t graph_memory_in_use();

// Requests of a graph's memory nodes.
/// Whether the graph has memory nodes. Such a graph is not cloned, and has one executable graph at
/// a time.
bool has_memory_nodes(const Graph& graph);
/// Adds a node that frees memory; refuses memory that no graph allocates, or that this graph frees
/// already.
Node* add_free_node(Graph& graph, std::vector<Node*> after, void* address);
/// Called before a launch. Refuses with cudaErrorInvalidValue when the memory of an earlier launch
/// is not freed yet, unless the graph was instantiated to free it at a launch.
void claim_memory(Runtime& runtime, Stream& stream, const ExecutableGraph& graph);

}  // namespace raddle::cuda
