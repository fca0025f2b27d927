// Graphs in the language of Graphviz (CUDA runtime API, cudaGraphDebugDotPrint).
#include <fmt/core.h>

#include <cstdio>
#include <memory>

#include "cuda/runtime/graph_conditionals.h"
#include "cuda/runtime/graph_handles.h"
#include "cuda/runtime/graph_memory.h"
#include "cuda/runtime/graph_queries.h"
#include "isa/kernel_name.h"

namespace raddle::cuda {

namespace {

/// The text as one line of a label; \n in a label separates lines.
std::string quoted(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string size_text(const Dim3& d) { return fmt::format("({},{},{})", d.x, d.y, d.z); }

/// The parts of a node's label that `flags` ask for, besides its type.
class Label {
 public:
  explicit Label(unsigned flags) : flags_(flags) {}

  std::string of(const Node& node) {
    std::visit([&](const auto& work) { add(work); }, node.work);
    if (wants(cudaGraphDebugDotFlagsHandles)) {
      lines_ += fmt::format("\\nnode {}", static_cast<const void*>(&node));
    }
    return lines_;
  }

 private:
  bool wants(unsigned flag) const { return (flags_ & (flag | cudaGraphDebugDotFlagsVerbose)) != 0; }
  void add(const KernelWork& work) {
    lines_ = "KERNEL\\n" + quoted(isa::kernel_name(work.kernel->name));
    if (!wants(cudaGraphDebugDotFlagsKernelNodeParams)) return;
    lines_ += fmt::format("\\ngrid {} block {}\\n{} bytes of dynamic shared memory",
                          size_text(work.grid), size_text(work.block), work.dynamic_shared_bytes);
  }
  void add(const CopyWork& work) {
    lines_ = "MEMCPY";
    if (!wants(cudaGraphDebugDotFlagsMemcpyNodeParams)) return;
    lines_ += fmt::format("\\nto {} from {}\\n{} bytes, {} rows, {} slices", work.to.base,
                          work.from.base, work.width, work.height, work.depth);
  }
  void add(const FillWork& work) {
    lines_ = "MEMSET";
    if (!wants(cudaGraphDebugDotFlagsMemsetNodeParams)) return;
    lines_ += fmt::format("\\nat {} value {:#x}\\n{} bytes, {} rows", work.to.base, work.value,
                          work.width, work.height);
  }
  void add(const HostWork& work) {
    lines_ = "HOST";
    if (!wants(cudaGraphDebugDotFlagsHostNodeParams)) return;
    lines_ +=
        fmt::format("\\nfunction {} data {}", reinterpret_cast<void*>(work.function), work.data);
  }
  void add(const EmptyWork&) { lines_ = "EMPTY"; }
  void add(const RecordWork& work) { event("EVENT_RECORD", work.event); }
  void add(const WaitWork& work) { event("WAIT_EVENT", work.event); }
  void add(const ChildWork&) { lines_ = "GRAPH"; }
  void add(const FreeWork& work) { lines_ = fmt::format("MEM_FREE\\n{}", work.address); }
  void add(const AllocateWork& work) {
    lines_ =
        fmt::format("MEM_ALLOC\\n{} bytes at {}", work.memory->bytes(), work.memory->address());
  }
  void add(const ConditionalWork& work) {
    lines_ = "CONDITIONAL";
    if (!wants(cudaGraphDebugDotFlagsConditionalNodeParams)) return;
    lines_ += fmt::format("\\nhandle {:#x}\\n{} of {} graphs", work.condition->handle(),
                          work.type == cudaGraphCondTypeIf      ? "if"
                          : work.type == cudaGraphCondTypeWhile ? "while"
                                                                : "switch",
                          work.bodies.size());
  }
  void event(const char* type, const Event* event) {
    lines_ = type;
    if (!wants(cudaGraphDebugDotFlagsEventNodeParams)) return;
    lines_ += fmt::format("\\nevent {}", static_cast<const void*>(event));
  }

  unsigned flags_;
  std::string lines_;
};

class DotWriter {
 public:
  explicit DotWriter(unsigned flags) : flags_(flags) {}

  /// Writes the graph as a cluster. A child graph is a cluster of its own; an edge leads to it.
  void write(const Graph& graph) {
    const unsigned number = ++graphs_;
    std::unordered_map<const Node*, std::string> names;
    text_ += fmt::format("subgraph cluster_{0} {{\nlabel=\"graph_{0}\" graph[style=\"dashed\"];\n",
                         number);
    for (const auto& node : graph.nodes) {
      const std::string name = fmt::format("graph_{}_node_{}", number, names.size());
      text_ += fmt::format("\"{}\"[style=\"solid\" shape=\"rectangle\" label=\"{}\\n{}\"];\n", name,
                           names.size(), Label(flags_).of(*node));
      names[node.get()] = name;
    }
    const Edges edges = edges_of(graph);
    for (std::size_t i = 0; i < edges.from.size(); ++i) {
      text_ += fmt::format("\"{}\" -> \"{}\";\n", names[edges.from[i]], names[edges.to[i]]);
    }
    text_ += "}\n";
    for (const auto& node : graph.nodes) {
      if (const auto* child = std::get_if<ChildWork>(&node->work)) {
        write_inner(names[node.get()], *child->graph);
      }
      if (const auto* conditional = std::get_if<ConditionalWork>(&node->work)) {
        for (const auto& body : conditional->bodies) write_inner(names[node.get()], *body);
      }
    }
  }

  std::string whole() const { return "digraph dot {\n" + text_ + "}\n"; }

 private:
  void write_inner(const std::string& node, const Graph& graph) {
    const unsigned first = graphs_ + 1;
    write(graph);
    if (graph.nodes.empty()) return;
    text_ += fmt::format("\"{}\" -> \"graph_{}_node_0\"[style=\"dotted\"];\n", node, first);
  }

  unsigned flags_;
  unsigned graphs_ = 0;
  std::string text_;
};

}  // namespace

void write_dot(const Graph& graph, const char* path, unsigned flags) {
  require(path != nullptr, cudaErrorInvalidValue);
  DotWriter writer(flags);
  writer.write(graph);
  const std::string text = writer.whole();
  std::FILE* file = std::fopen(path, "w");
  const bool opened = file != nullptr;
  const bool written = opened && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const bool closed = opened && std::fclose(file) == 0;
  require(written && closed, cudaErrorOperatingSystem, fmt::format("cannot write {}", path));
}

}  // namespace raddle::cuda
