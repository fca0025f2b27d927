#include "pta/constraints.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "common/generators.h"
#include "common/text_scanner.h"

namespace raddle::workloads::pta {
namespace {

constexpr const char* kKinds[] = {"address", "copy", "load", "store", "offset"};

}  // namespace

Program read_program(const std::string& name, const std::string& text) {
  TextScanner scanner(name, text);
  if (!scanner.accept("nodes")) scanner.fail_expected("'nodes'");
  Program program;
  program.nodes = static_cast<std::uint32_t>(scanner.read_unsigned("number of nodes", 1, 1 << 20));
  program.fields.assign(program.nodes, 0);
  const auto node = [&] {
    return static_cast<std::uint32_t>(scanner.read_unsigned("node", 0, program.nodes - 1));
  };
  for (scanner.finish_line("number of nodes"); !scanner.at_file_end();
       scanner.finish_line("constraint")) {
    if (scanner.accept("object")) {
      const std::uint32_t object = node();
      program.fields[object] = static_cast<std::uint32_t>(
          scanner.read_unsigned("number of fields", 1, program.nodes - object));
      continue;
    }
    unsigned kind = 0;
    while (kind < 5 && !scanner.accept(kKinds[kind])) ++kind;
    if (kind == 5) scanner.fail_expected("'object' or a kind of constraint");
    Constraint constraint{static_cast<Constraint::Kind>(kind), node(), node(), 0};
    if (!scanner.at_line_end()) {
      constraint.offset =
          static_cast<std::uint32_t>(scanner.read_unsigned("offset", 0, program.nodes - 1));
    }
    program.constraints.push_back(constraint);
  }
  return program;
}

Program random_program(std::uint32_t nodes, std::uint64_t seed) {
  Random random(seed);
  const auto below = [&](std::uint64_t n) { return static_cast<std::uint32_t>(random.below(n)); };
  Program program;
  program.nodes = nodes;
  program.fields.assign(nodes, 0);
  // A fifth of the nodes are objects, of one to four fields.
  const std::uint32_t objects = std::max<std::uint32_t>(1, nodes / 5);
  for (std::uint32_t at = 0; at < objects;) {
    const std::uint32_t fields = std::min(1 + below(4) * below(2), objects - at);
    for (std::uint32_t n = 0; n < fields; ++n) program.fields[at + n] = fields - n;
    at += fields;
  }
  // Functions: few have many variables, most have few.
  for (std::uint32_t first = objects; first < nodes;) {
    const std::uint32_t draw = 1 + below(64);
    const std::uint32_t size = std::min(8 + 256 / draw, nodes - first);
    const auto variable = [&] {
      return below(16) == 0 ? objects + below(nodes - objects) : first + below(size);
    };
    const std::uint32_t constraints = size + size * size / 64;
    for (std::uint32_t n = 0; n < constraints; ++n) {
      using Kind = Constraint::Kind;
      const std::uint32_t kind = below(16);
      if (kind < 3) {
        program.constraints.push_back({Kind::address, variable(), below(objects), 0});
      } else if (kind < 10) {
        program.constraints.push_back({Kind::copy, variable(), variable(), 0});
      } else if (kind < 13) {
        program.constraints.push_back({Kind::load, variable(), variable(), below(8) == 0});
      } else if (kind < 15) {
        program.constraints.push_back({Kind::store, variable(), variable(), below(8) == 0});
      } else {
        program.constraints.push_back({Kind::offset, variable(), variable(), 1 + below(3)});
      }
    }
    first += size;
  }
  return program;
}

namespace {

/// The textbook algorithm with a worklist of nodes whose sets have grown.
class Solver {
 public:
  explicit Solver(const Program& program)
      : program_(program),
        words_(program.words()),
        sets_(std::size_t{program.nodes} * words_),
        edges_(sets_.size()),
        after_(program.nodes),
        uses_(program.nodes),
        queued_(program.nodes) {
    using Kind = Constraint::Kind;
    for (const Constraint& one : program.constraints) {
      if (one.kind == Kind::address) {
        add(sets_, one.destination, one.source);
        put(one.destination);
      } else if (one.kind == Kind::copy) {
        add_edge(one.source, one.destination);
      } else {
        uses_[one.kind == Kind::store ? one.destination : one.source].push_back(&one);
      }
    }
  }

  std::vector<std::uint32_t> solve() {
    while (!queue_.empty()) {
      const std::uint32_t node = queue_.front();
      queue_.pop_front();
      queued_[node] = false;
      for (const Constraint* use : uses_[node]) apply(*use, node);
      for (std::size_t n = 0; n < after_[node].size(); ++n) flow(node, after_[node][n]);
    }
    return std::move(sets_);
  }

 private:
  using Bits = std::vector<std::uint32_t>;
  /// Returns false if the bit was set already.
  bool add(Bits& bits, std::uint32_t row, std::uint32_t bit) const {
    std::uint32_t& word = bits[std::size_t{row} * words_ + bit / 32];
    const std::uint32_t before = std::exchange(word, word | 1u << bit % 32);
    return before != word;
  }
  void put(std::uint32_t node) {
    if (queued_[node]) return;
    queued_[node] = true;
    queue_.push_back(node);
  }
  void add_edge(std::uint32_t from, std::uint32_t to) {
    if (!add(edges_, from, to)) return;
    after_[from].push_back(to);
    flow(from, to);
  }
  void flow(std::uint32_t from, std::uint32_t to) {
    bool grown = false;
    for (std::uint32_t word = 0; word < words_; ++word) {
      std::uint32_t& own = sets_[std::size_t{to} * words_ + word];
      const std::uint32_t all = own | sets_[std::size_t{from} * words_ + word];
      grown |= std::exchange(own, all) != all;
    }
    if (grown) put(to);
  }
  void apply(const Constraint& use, std::uint32_t pointer) {
    for (std::uint32_t object = 0; object < program_.nodes; ++object) {
      if ((sets_[std::size_t{pointer} * words_ + object / 32] >> object % 32 & 1) == 0) continue;
      if (program_.fields[object] <= use.offset) continue;
      const std::uint32_t field = object + use.offset;
      if (use.kind == Constraint::Kind::load) {
        add_edge(field, use.destination);
      } else if (use.kind == Constraint::Kind::store) {
        add_edge(use.source, field);
      } else if (add(sets_, use.destination, field)) {
        put(use.destination);
      }
    }
  }

  const Program& program_;
  std::size_t words_;
  Bits sets_, edges_;
  std::vector<std::vector<std::uint32_t>> after_;
  std::vector<std::vector<const Constraint*>> uses_;
  std::vector<bool> queued_;
  std::deque<std::uint32_t> queue_;
};

}  // namespace

std::vector<std::uint32_t> solve(const Program& program) { return Solver(program).solve(); }

}  // namespace raddle::workloads::pta
