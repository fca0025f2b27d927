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

/// Finds which monomers coincide when all kinks (a bond followed by its opposite) lie on the
/// branches of a tree. Returns the number of the tree's node for every monomer.
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

/// The number of a state. Walks with the same pattern of ups, downs and coinciding monomers are one
/// state. The pattern as a number has coincidences of distant monomers first, then those of nearer
/// ones, then the downs. A polymer has two such numbers, one from each end. The smaller one is the
/// state's number.
std::uint64_t state_number(const Bonds& bonds, unsigned num_bonds) {
  const auto nodes = tree_nodes(bonds, num_bonds);
  std::uint64_t forwards = 0;
  std::uint64_t backwards = 0;
  for (unsigned apart = num_bonds / 2 * 2; apart >= 2; apart -= 2) {
    const unsigned last = num_bonds - apart;
    for (unsigned i = 0; i <= last; ++i) {
      forwards = 2 * forwards + (nodes[i] == nodes[i + apart]);
      backwards = 2 * backwards + (nodes[last - i] == nodes[num_bonds - i]);
    }
  }
  for (unsigned bond = 0; bond < num_bonds; ++bond) {
    forwards = 2 * forwards + !is_up(bonds[bond]);
    backwards = 2 * backwards + is_up(bonds[num_bonds - 1 - bond]);  // up becomes down
  }
  return std::min(forwards, backwards);
}

/// A state that follows another, and the number of moves up and down the field that lead to it.
struct Transition {
  std::uint32_t state;
  std::uint16_t up;
  std::uint16_t down;
};

class Cage {
 public:
  explicit Cage(unsigned monomers) : num_bonds_(monomers - 1) {
    find(Bonds{});  // the straight polymer; every other state can be reached from it
    for (std::uint32_t state = 0; state < walks_.size(); ++state) explore(state);
    first_.push_back(transitions_.size());
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
    list.arcs.reserve(transitions_.size());
    for (Vertex from = 0; from < list.num_vertices; ++from) {
      const std::size_t first = list.arcs.size();
      const std::uint32_t state = by_number[from];
      for (std::size_t i = first_[state]; i < first_[state + 1]; ++i) {
        list.arcs.push_back({rank[transitions_[i].state], from, probability(transitions_[i])});
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
    }
    return entry->second;
  }

  /// Adds a transition of the state that is being explored. Its transitions are the last ones.
  void add(std::uint32_t to, unsigned up, unsigned down) {
    auto known = transitions_.begin() + static_cast<std::ptrdiff_t>(first_.back());
    while (known != transitions_.end() && known->state != to) ++known;
    if (known == transitions_.end()) known = transitions_.insert(known, {to, 0, 0});
    known->up = static_cast<std::uint16_t>(known->up + up);
    known->down = static_cast<std::uint16_t>(known->down + down);
  }

  /// Adds the transitions of a state. Every monomer is drawn with the same probability, and gets
  /// one of six new places. Only an end or the tip of a kink can move; the others stay.
  void explore(std::uint32_t state) {
    first_.push_back(transitions_.size());
    const Bonds bonds = walks_[state];
    unsigned staying = 0;
    for (unsigned bond = 0; bond + 1 < num_bonds_; ++bond) {
      if (bonds[bond + 1] != opposite(bonds[bond])) {
        ++staying;
        continue;
      }
      move(bonds, bond, bond + 1);
    }
    if (staying != 0) add(state, 3 * staying, 3 * staying);
    move(bonds, none, 0);
    move(bonds, num_bonds_ - 1, none);
  }

  /// Adds all moves of the monomer between two bonds. An end has only one bond.
  void move(const Bonds& bonds, unsigned before, unsigned behind) {
    for (unsigned direction = 0; direction < num_directions; ++direction) {
      Bonds moved = bonds;
      if (before != none) moved[before] = static_cast<std::uint8_t>(direction);
      if (behind != none) moved[behind] = static_cast<std::uint8_t>(opposite(direction));
      add(find(moved), is_up(direction), !is_up(direction));
    }
  }

  /// A place up the field is e^0.2 times as likely as one down the field.
  double probability(const Transition& transition) const {
    const double up = std::exp(0.2) / (1 + std::exp(0.2));
    return (transition.up * up + transition.down * (1 - up)) / (3 * (num_bonds_ + 1));
  }

  static constexpr unsigned none = most_cage_monomers;
  unsigned num_bonds_;
  std::unordered_map<std::uint64_t, std::uint32_t> index_;  // by state number; never iterated
  std::vector<Bonds> walks_;                                // one walk of each state
  std::vector<std::uint64_t> numbers_;
  std::vector<Transition> transitions_;  // those of state i begin at first_[i]
  std::vector<std::size_t> first_;
};

}  // namespace

ArcList cage_graph(unsigned monomers) { return Cage(monomers).transitions(); }

}  // namespace raddle::workloads
