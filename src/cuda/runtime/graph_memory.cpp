#include "cuda/runtime/graph_memory.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>

#include "cuda/runtime/memory.h"

namespace raddle::cuda {

namespace {

// Runtime::mutex() guards all of it.
struct Known {
  std::map<Address, GraphAllocation*> by_base;
  std::size_t in_use = 0, most_in_use = 0;  // bytes of allocations that have values
};

Known& known() {
  static auto* all = new Known;
  return *all;
}

const AllocateWork* allocation(const Node& node) { return std::get_if<AllocateWork>(&node.work); }

bool frees(const Node& node, const void* address) {
  const auto* free = std::get_if<FreeWork>(&node.work);
  return free != nullptr && free->address == address;
}

bool freed_in(const Graph& graph, const void* address) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                     [&](const auto& node) { return frees(*node, address); });
}

}  // namespace

GraphAllocation::GraphAllocation(Runtime& runtime, std::size_t bytes,
                                 const cudaMemPoolProps& properties)
    : bytes_(bytes),
      name_(runtime.next_name("memory of a graph")),
      properties_(properties),
      values_(nullptr, std::free) {
  constexpr std::uint64_t granule = VirtualMemory::kGranularity;
  require(bytes <= runtime.space().capacity(), cudaErrorMemoryAllocation);
  reserved_ = (bytes + granule - 1) / granule * granule;
  base_ = runtime.virtual_memory().reserve(reserved_, 0, 0);
  known().by_base[base_] = this;
}

GraphAllocation::~GraphAllocation() {
  if (base_ == 0) return;
  known().by_base.erase(base_);
  Runtime::instance().virtual_memory().free(base_, reserved_);
}

void GraphAllocation::claim(Runtime& runtime) {
  if (claims_++ != 0) return;
  const MemoryInfo memory = memory_info(runtime);
  auto* values = bytes_ > memory.free ? nullptr : std::calloc(1, bytes_);
  if (values == nullptr) --claims_;
  require(values != nullptr, cudaErrorMemoryAllocation);
  values_.reset(static_cast<std::byte*>(values));
  runtime.space().map(base_, bytes_, memory::Kind::device, name_, values_.get());
  known().in_use += bytes_;
  known().most_in_use = std::max(known().most_in_use, known().in_use);
  self_ = shared_from_this();
}

void GraphAllocation::release(Runtime& runtime) {
  if (claims_ == 0 || --claims_ != 0) return;
  runtime.space().unmap(base_, true);
  known().in_use -= bytes_;
  values_.reset();
  self_.reset();  // may delete this object
}

void forget_graph_allocations(Runtime& runtime) {
  for (const auto& [base, one] : std::map(known().by_base)) {
    const std::shared_ptr<GraphAllocation> alive = one->shared_from_this();
    if (alive->claims_ > 1) alive->claims_ = 1;
    alive->release(runtime);
    alive->base_ = 0;  // the reset clears virtual memory, too
  }
  known() = {};
}

std::shared_ptr<GraphAllocation> make_graph_allocation(Runtime& runtime, std::size_t bytes,
                                                       const cudaMemPoolProps& properties) {
  static const bool registered = [&] {
    runtime.at_reset([&runtime] { forget_graph_allocations(runtime); });
    return true;
  }();
  static_cast<void>(registered);
  const bool here = properties.location.type == cudaMemLocationTypeDevice;
  require(bytes != 0 && properties.allocType == cudaMemAllocationTypePinned && here,
          cudaErrorInvalidValue, "it needs a size, and pinned memory of a device");
  require(properties.location.id == 0, cudaErrorInvalidDevice);
  return std::make_shared<GraphAllocation>(runtime, bytes, properties);
}

std::shared_ptr<GraphAllocation> find_graph_allocation(const void* address) {
  if (known().by_base.empty()) return nullptr;
  const auto at = reinterpret_cast<Address>(address);
  const auto next = known().by_base.upper_bound(at);
  if (next == known().by_base.begin()) return nullptr;
  GraphAllocation& one = *std::prev(next)->second;
  return one.bytes_from(at) != 0 ? one.shared_from_this() : nullptr;
}

bool free_graph_allocation(Runtime& runtime, Stream& stream, void* address) {
  const std::shared_ptr<GraphAllocation> one = find_graph_allocation(address);
  if (one == nullptr) return false;
  require(
      one->address() == address, cudaErrorInvalidValue,
      fmt::format("free of {}: only the start of memory that a graph allocates ({}) can be freed",
                  address, one->address()));
  if (stream.capture != nullptr) {
    std::vector<Node*>& tails = stream.capture->tails[&stream];
    tails = {add_free_node(*stream.capture->graph, tails, address)};
    return true;
  }
  require(one->allocated(), cudaErrorInvalidValue,
          fmt::format("free of {}: memory of a graph that has not been launched since it was freed",
                      address));
  issue(runtime, stream, FreeWork{address});
  one->set_allocated(false);
  return true;
}

std::size_t graph_memory_in_use() { return known().in_use; }

std::size_t graph_memory_attribute(int attribute) {
  switch (attribute) {
    case cudaGraphMemAttrUsedMemCurrent:
    case cudaGraphMemAttrReservedMemCurrent:
      return known().in_use;
    case cudaGraphMemAttrUsedMemHigh:
    case cudaGraphMemAttrReservedMemHigh:
      return known().most_in_use;
    default:
      refuse(cudaErrorInvalidValue);
  }
}

void reset_graph_memory_attribute(int attribute, std::size_t value) {
  require(
      (attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh) &&
          value == 0,
      cudaErrorInvalidValue);
  known().most_in_use = known().in_use;
}

bool has_memory_nodes(const Graph& graph) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const auto& node) {
    return allocation(*node) != nullptr || std::holds_alternative<FreeWork>(node->work);
  });
}

Node* add_free_node(Graph& graph, std::vector<Node*> after, void* address) {
  const std::shared_ptr<GraphAllocation> one = find_graph_allocation(address);
  require(
      one != nullptr && one->address() == address && !freed_in(graph, address),
      cudaErrorInvalidValue,
      fmt::format(
          "free of {}: no graph allocates memory at this address, or this graph frees it already",
          address));
  return graph.add(FreeWork{address}, std::move(after));
}

void claim_memory(Runtime& runtime, Stream& stream, const ExecutableGraph& graph) {
  std::vector<GraphAllocation*> made;
  for (const Node* node : graph.order) {
    if (const AllocateWork* one = allocation(*node)) made.push_back(one->memory.get());
  }
  const bool frees_at_launch = (graph.flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) != 0;
  for (const GraphAllocation* one : made) {
    require(!one->allocated() || frees_at_launch, cudaErrorInvalidValue,
            fmt::format(
                "memory that the graph allocates at {} has not been freed since its last launch",
                one->address()));
  }
  std::vector<std::shared_ptr<GraphAllocation>> freed;
  for (const Node* node : graph.order) {
    const auto* free = std::get_if<FreeWork>(&node->work);
    if (free == nullptr) continue;
    freed.push_back(find_graph_allocation(free->address));
    const GraphAllocation* one = freed.back().get();
    require(one != nullptr &&
                (one->allocated() || std::find(made.begin(), made.end(), one) != made.end()),
            cudaErrorInvalidValue,
            fmt::format("memory that the graph frees at {} is not allocated", free->address));
  }
  for (GraphAllocation* one : made) {
    if (one->allocated()) free_graph_allocation(runtime, stream, one->address());
  }
  for (std::size_t i = 0; i < made.size(); ++i) {
    try {
      made[i]->claim(runtime);
    } catch (const Refusal&) {
      while (i-- != 0) made[i]->release(runtime);
      throw;
    }
  }
  for (GraphAllocation* one : made) one->set_allocated(true);
  for (const auto& one : freed) one->set_allocated(false);
}

}  // namespace raddle::cuda
