#include "common/cage_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace raddle::workloads {
namespace {

// A polymer is a walk of monomers - 1 bonds on the cubic lattice. The field lies along (1, 1, 1),
// so that a bond goes up it (three directions) or down it (three). Directions 0 to 2 are up.
constexpr unsigned num_directions = 6;
unsigned opposite(unsigned direction) { return (direction + 3) % num_directions; }
bool is_up(unsigned direction) { return direction < 3; }

using Bonds = std::array<std::uint8_t, most_cage_monomers - 1>;

/// Which monomers coincide once all kinks (a bond and its opposite behind it) are taken to lie on
/// the branches of a tree: the number of the tree's node for every monomer.
std::array<std::uint8_t, most_cage_monomers> tree_nodes(const Bonds& bonds, unsigned num_bonds) {
  constexpr std::uint8_t none = 0xff;
  std::array<std::array<std::uint8_t, num_directions>, most_cage_monomers> next;
  next[0].fill(none);
  std::array<std::uint8_t, most_cage_monomers> nodes{};
  std::uint8_t known = 1;
  for (unsigned bond = 0; bond < num_bonds; ++bond) {
    const std::uint8_t here = nodes[bond];
    std::uint8_t& there = next[here][bonds[bond]];
    if (there == none) {
      there = known++;
      next[there].fill(none);
      next[there][opposite(bonds[bond])] = here;
    }
    nodes[bond + 1] = there;
  }
  return nodes;
}

/// Walks with the same pattern of ups and downs and of coinciding monomers behave alike. The
/// pattern as a number: coincidences of monomers far apart first, then nearer ones, then the downs.
std::uint64_t pattern(const Bonds& bonds, unsigned num_bonds) {
  const auto nodes = tree_nodes(bonds, num_bonds);
  std::uint64_t number = 0;
  for (unsigned apart = num_bonds / 2 * 2; apart >= 2; apart -= 2) {
    for (unsigned i = 0; i + apart <= num_bonds; ++i) {
      number = 2 * number + (nodes[i] == nodes[i + apart]);
    }
  }
  for (unsigned bond = 0; bond < num_bonds; ++bond) number = 2 * number + !is_up(bonds[bond]);
  return number;
}

/// The polymer looked at from its other end.
Bonds reversed(const Bonds& bonds, unsigned num_bonds) {
  Bonds other{};
  for (unsigned bond = 0; bond < num_bonds; ++bond) {
    other[bond] = static_cast<std::uint8_t>(opposite(bonds[num_bonds - 1 - bond]));
  }
  return other;
}

/// The number of a state: it has no first and last end.
std::uint64_t state_number(const Bonds& bonds, unsigned num_bonds) {
  return std::min(pattern(bonds, num_bonds), pattern(reversed(bonds, num_bonds), num_bonds));
}

/// How often each state is reached by moves that go up and down the field.
struct Moves {
  unsigned up = 0;
  unsigned down = 0;
};

class Cage {
 public:
  explicit Cage(unsigned monomers) : num_bonds_(monomers - 1) {
    find(Bonds{});  // the straight polymer; every other state can be reached from it
    for (std::size_t state = 0; state < walks_.size(); ++state) explore(state);
  }

  ArcList transitions() const {
    std::vector<std::uint32_t> by_number(numbers_.size());
    for (std::uint32_t i = 0; i < by_number.size(); ++i) by_number[i] = i;
    std::sort(by_number.begin(), by_number.end(),
              [&](auto a, auto b) { return numbers_[a] < numbers_[b]; });
    std::vector<std::uint32_t> rank(by_number.size());
    for (std::uint32_t i = 0; i < by_number.size(); ++i) rank[by_number[i]] = i;

    ArcList list;
    list.num_vertices = static_cast<Vertex>(by_number.size());
    list.weighted = true;
    for (Vertex from = 0; from < list.num_vertices; ++from) {
      const std::size_t first = list.arcs.size();
      for (const auto& [to, moves] : reached_[by_number[from]]) {
        list.arcs.push_back({rank[to], from, probability(moves)});
      }
      std::sort(list.arcs.begin() + static_cast<std::ptrdiff_t>(first), list.arcs.end(),
                [](const Arc& a, const Arc& b) { return a.source < b.source; });
    }
    return list;
  }

 private:
  std::uint32_t find(const Bonds& bonds) {
    const std::uint64_t number = state_number(bonds, num_bonds_);
    const auto [entry, added] =
        index_.try_emplace(number, static_cast<std::uint32_t>(walks_.size()));
    if (added) {
      walks_.push_back(bonds);
      numbers_.push_back(number);
      reached_.emplace_back();
    }
    return entry->second;
  }

  void add(std::size_t state, const Bonds& bonds, bool up) {
    const std::uint32_t to = find(bonds);
    for (auto& [known, moves] : reached_[state]) {
      if (known == to) return count(moves, up);
    }
    reached_[state].push_back({to, {}});
    count(reached_[state].back().second, up);
  }
  static void count(Moves& moves, bool up) { ++(up ? moves.up : moves.down); }

  /// Every monomer is drawn as often as any other, and gets one of six new places. Only an end and
  /// the tip of a kink have a place to go to.
  void explore(std::size_t state) {
    const Bonds bonds = walks_[state];
    for (unsigned direction = 0; direction < num_directions; ++direction) {
      const bool up = is_up(direction);
      const auto there = static_cast<std::uint8_t>(direction);
      const auto back = static_cast<std::uint8_t>(opposite(direction));
      Bonds moved = bonds;
      moved[0] = back;  // the first monomer itself moves along `direction`
      add(state, moved, up);
      moved = bonds;
      moved[num_bonds_ - 1] = there;
      add(state, moved, up);
      for (unsigned bond = 0; bond + 1 < num_bonds_; ++bond) {
        moved = bonds;
        if (bonds[bond + 1] == opposite(bonds[bond])) {
          moved[bond] = there;
          moved[bond + 1] = back;
        }
        add(state, moved, up);
      }
    }
  }

  /// A place up the field is taken e^0.2 times as often as one down it.
  double probability(const Moves& moves) const {
    const double up = std::exp(0.2) / (1 + std::exp(0.2));
    return (moves.up * up + moves.down * (1 - up)) / (3 * (num_bonds_ + 1));
  }

  unsigned num_bonds_;
  std::unordered_map<std::uint64_t, std::uint32_t> index_;  // by state number; never walked over
  std::vector<Bonds> walks_;                                // one walk of each state
  std::vector<std::uint64_t> numbers_;
  std::vector<std::vector<std::pair<std::uint32_t, Moves>>> reached_;
};

}  // namespace

ArcList cage_graph(unsigned monomers) { return Cage(monomers).transitions(); }

}  // namespace raddle::workloads
