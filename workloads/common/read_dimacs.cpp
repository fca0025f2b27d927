#include <algorithm>

#include "common/graph_reader.h"
#include "common/text_scanner.h"

namespace raddle::workloads {
namespace {

struct Problem {
  bool shortest_path = false;  // arcs with weights; otherwise undirected edges without
  std::uint64_t lines = 0;     // arcs or edges that the file declares
};

Problem read_problem_line(TextScanner& in, ArcList& list, std::size_t file_bytes) {
  Problem problem;
  if (in.accept("sp")) {
    problem.shortest_path = true;
  } else if (!in.accept("tw")) {
    in.fail_expected("the problem 'sp' (shortest paths) or 'tw' (treewidth)");
  }
  list.weighted = problem.shortest_path;
  list.num_vertices = read_vertex_count(in, "the number of vertices", file_bytes);
  problem.lines = in.read_unsigned("the number of arcs");
  in.finish_line("the problem line");
  return problem;
}

Vertex read_vertex(TextScanner& in, const ArcList& list) {
  return static_cast<Vertex>(in.read_unsigned("a vertex number", 1, list.num_vertices) - 1);
}

void read_arc(TextScanner& in, const Problem& problem, ArcList& list) {
  if (problem.shortest_path && !in.accept("a")) in.fail_expected("an arc line 'a U V WEIGHT'");
  const Vertex source = read_vertex(in, list);
  const Vertex target = read_vertex(in, list);
  if (problem.shortest_path) {
    list.arcs.push_back({source, target, static_cast<double>(in.read_signed("an arc's weight"))});
  } else {
    list.arcs.push_back({source, target, 1});
    if (source != target) list.arcs.push_back({target, source, 1});
  }
  in.finish_line("an arc line");
}

bool skip_to_content(TextScanner& in) {
  while (!in.at_file_end() && (in.at_line_end() || in.at_comment("c"))) in.next_line();
  return !in.at_file_end();
}

}  // namespace

ArcList read_dimacs(const std::string& name, std::string_view text) {
  TextScanner in(name, text);
  ArcList list;
  skip_to_content(in);
  if (!in.accept("p")) in.fail_expected("the problem line 'p sp N M'");
  const Problem problem = read_problem_line(in, list, text.size());
  // An arc takes four bytes at least: a huge count in a damaged file must not allocate memory.
  list.arcs.reserve(std::min<std::uint64_t>(problem.lines, text.size() / 4) *
                    (problem.shortest_path ? 1 : 2));
  std::uint64_t found = 0;
  while (skip_to_content(in)) {
    if (found == problem.lines) {
      in.fail_expected("the end of the file after " + std::to_string(found) + " arcs");
    }
    read_arc(in, problem, list);
    ++found;
  }
  if (found != problem.lines) {
    in.fail_expected("arc " + std::to_string(found + 1) + " of " + std::to_string(problem.lines));
  }
  return list;
}

}  // namespace raddle::workloads
