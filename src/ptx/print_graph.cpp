#include "ptx/print_graph.h"

#include <fmt/core.h>

namespace raddle::ptx {
namespace {

/// Escapes quotes and backslashes for a DOT string.
std::string escape(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string block_name(std::uint32_t block) {
  return block == kExitBlock ? "exit" : fmt::format("B{}", block);
}

}  // namespace

std::string print_graph(const ControlFlowGraph& cfg, const InstructionText& text_of) {
  const std::vector<std::uint32_t> meets = immediate_post_dominators(cfg);
  std::string text;
  for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b) {
    const ControlFlowGraph::Block& block = cfg.blocks[b];
    text += fmt::format("{}:\n", block_name(b));
    for (std::uint32_t i = block.first; i < block.end; ++i) {
      text += fmt::format("  {:5}  {}\n", i, text_of(i));
    }
    const char* separator = "  -> ";
    for (const std::uint32_t next : block.successors) {
      text.append(separator).append(block_name(next));
      separator = ", ";
    }
    if (block.exits) text.append(separator).append("exit");
    if (block.successors.size() + block.exits > 1) {
      text += fmt::format("  (reconverge at {})", block_name(meets[b]));
    }
    text += '\n';
  }
  return text;
}

std::string print_graph_dot(const std::string& name, const ControlFlowGraph& cfg,
                            const InstructionText& text_of) {
  const std::vector<std::uint32_t> meets = immediate_post_dominators(cfg);
  std::string text =
      fmt::format("digraph \"{}\" {{\n  node [shape=box, fontname=monospace];\n", escape(name));
  for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b) {
    const ControlFlowGraph::Block& block = cfg.blocks[b];
    std::string body = block_name(b) + "\\l";
    for (std::uint32_t i = block.first; i < block.end; ++i) body += escape(text_of(i)) + "\\l";
    text += fmt::format("  {} [label=\"{}\"];\n", block_name(b), body);
    for (const std::uint32_t next : block.successors) {
      text += fmt::format("  {} -> {};\n", block_name(b), block_name(next));
    }
    if (block.exits) text += fmt::format("  {} -> exit;\n", block_name(b));
    if (block.successors.size() + block.exits > 1) {  // where diverged threads reconverge
      text += fmt::format("  {} -> {} [style=dotted, constraint=false];\n", block_name(b),
                          block_name(meets[b]));
    }
  }
  return text + "}\n";
}

}  // namespace raddle::ptx
