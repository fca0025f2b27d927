// Memory that graphs allocate (CUDA programming guide, "Graph Memory Nodes"): its address is fixed
// when the node is made, its values are there from a launch of the graph until it is freed, by the
// graph itself, by another one, or by the program.
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
  /// From `at` to its end; 0 outside of it.
  std::size_t bytes_from(Address at) const {
    return at - base_ < bytes_ ? bytes_ - (at - base_) : 0;
  }
  const cudaMemPoolProps& properties() const { return properties_; }

  /// Whether the program's calls so far allocate it without freeing it.
  bool allocated() const { return allocated_; }
  void set_allocated(bool allocated) { allocated_ = allocated; }

  /// A launch that allocates it comes, one that frees it has come so far: between them there are
  /// values. Refuses with cudaErrorMemoryAllocation when the device is full.
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

/// Refuses no bytes, and memory of other places than this device, with cudaErrorInvalidValue.
std::shared_ptr<GraphAllocation> make_graph_allocation(Runtime& runtime, std::size_t bytes,
                                                       const cudaMemPoolProps& properties);
/// The one that holds the address; nullptr for none.
std::shared_ptr<GraphAllocation> find_graph_allocation(const void* address);

/// Frees what a graph has allocated, in the stream's order or when it is captured. False: the
/// address is none of these. Refuses one that is not its first byte, or is not allocated.
bool free_graph_allocation(Runtime& runtime, Stream& stream, void* address);

/// cudaDeviceGetGraphMemAttribute: bytes.
std::size_t graph_memory_attribute(int attribute);
/// Sets the high-water mark to what is in use; refuses other attributes and values but 0.
void reset_graph_memory_attribute(int attribute, std::size_t value);
std::size_t graph_memory_in_use();

// What a graph's memory nodes ask for.
/// Whether it has any, so that it is not cloned, and has one executable graph at a time.
bool has_memory_nodes(const Graph& graph);
/// Adds a node that frees memory; refuses what no graph allocates, or this one frees already.
Node* add_free_node(Graph& graph, std::vector<Node*> after, void* address);
/// Before a launch. Refuses with cudaErrorInvalidValue when the memory of an earlier launch has not
/// been freed, unless the graph was made to free it then.
void claim_memory(Runtime& runtime, Stream& stream, const ExecutableGraph& graph);

}  // namespace raddle::cuda
