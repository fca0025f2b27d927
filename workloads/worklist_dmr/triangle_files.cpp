#include "worklist_dmr/triangle_files.h"

#include <algorithm>

#include "common/text_scanner.h"

namespace raddle::workloads::dmr {
namespace {

class Reader {
 public:
  Reader(const std::string& name, std::string_view text) : in_(name, text), bytes_(text.size()) {}

  /// Goes to the next line that is not empty or a comment.
  void next_record() {
    while (!in_.at_file_end() && (in_.at_line_end() || in_.at_comment("#"))) in_.next_line();
  }
  bool at_end() {
    next_record();
    return in_.at_file_end();
  }
  std::size_t count(const char* what) {
    next_record();
    // A record takes four bytes at least. A huge count in a damaged file must not allocate memory.
    return static_cast<std::size_t>(in_.read_unsigned(what, 0, std::min(bytes_ / 4, kMost)));
  }

  void points(Drawing& drawing) {
    const std::size_t points = count("the number of points");
    if (in_.read_unsigned("the dimension", 2, 2) != 2) return;
    in_.next_line();
    for (std::size_t i = 0; i < points; ++i) {
      record(i, first_);
      const double x = in_.read_real("a point's x");
      drawing.points.push_back({x, in_.read_real("a point's y")});
      in_.next_line();
    }
  }
  void segments(Drawing& drawing) {
    const std::size_t segments = count("the number of segments");
    in_.next_line();
    std::uint64_t first = 0;
    const auto end = [&] {
      return static_cast<int>(
          in_.read_unsigned("a segment's end", first_, first_ + drawing.points.size() - 1) -
          first_);
    };
    for (std::size_t i = 0; i < segments; ++i) {
      record(i, first);
      const int from = end();
      drawing.segments.push_back({from, end()});
      in_.next_line();
    }
  }
  void holes(Drawing& drawing) {
    const std::size_t holes = count("the number of holes");
    in_.next_line();
    std::uint64_t first = 0;
    for (std::size_t i = 0; i < holes; ++i) {
      record(i, first);
      const double x = in_.read_real("a hole's x");
      drawing.holes.push_back({x, in_.read_real("a hole's y")});
      in_.next_line();
    }
  }
  void finish() {
    if (!at_end()) in_.fail_expected("the end of the file");
  }

  /// The number of the first point, 0 or 1.
  std::uint64_t first_ = 0;

 private:
  static constexpr std::size_t kMost = 1 << 22;

  /// Records are numbered one after the other, from 0 or 1.
  void record(std::size_t index, std::uint64_t& first) {
    next_record();
    if (index == 0) {
      first = in_.read_unsigned("the number 0 or 1", 0, 1);
    } else {
      in_.read_unsigned("the next record's number", first + index, first + index);
    }
  }

  TextScanner in_;
  std::size_t bytes_;
};

/// `node` is the file with the points, if the .poly has none.
Drawing read_poly_with(const std::string& name, std::string_view text, const std::string& node) {
  Drawing drawing;
  Reader in(name, text);
  in.points(drawing);
  if (drawing.points.empty() && !node.empty()) {
    const std::string points = read_file(node);
    Reader other(node, points);
    other.points(drawing);
    other.finish();
    in.first_ = other.first_;
  }
  if (drawing.points.empty()) throw InputError(name + ": no points");
  in.segments(drawing);
  if (drawing.segments.empty()) throw InputError(name + ": no segments");
  in.holes(drawing);
  return drawing;  // regional attributes and areas may follow; they are not needed
}

}  // namespace

Drawing read_node(const std::string& name, std::string_view text) {
  Drawing drawing;
  Reader in(name, text);
  in.points(drawing);
  in.finish();
  return drawing;
}

Drawing read_poly(const std::string& name, std::string_view text) {
  return read_poly_with(name, text, "");
}

Drawing read_drawing(const std::string& path) {
  const std::string text = read_file(path);
  if (path.ends_with(".node")) return read_node(path, text);
  if (!path.ends_with(".poly")) throw InputError(path + ": expected a .node or .poly file");
  return read_poly_with(path, text, path.substr(0, path.size() - 5) + ".node");
}

}  // namespace raddle::workloads::dmr
