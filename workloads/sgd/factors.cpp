#include "sgd/factors.h"

#include <algorithm>

#include "common/generators.h"

namespace raddle::workloads::sgd {

Cells make_cells(const RatingTable& table, unsigned groups) {
  Cells cells;
  cells.groups = groups;
  const auto group = [groups](std::uint32_t number, std::uint32_t all) {
    return static_cast<unsigned>(std::uint64_t{number} * groups / all);
  };
  struct Placed {
    std::uint64_t cell;
    Cells::Entry entry;
  };
  std::vector<Placed> placed;
  for (std::uint32_t user = 0; user < table.num_users; ++user) {
    for (std::uint32_t at = table.offsets[user]; at < table.offsets[user + 1]; ++at) {
      const std::uint64_t cell = std::uint64_t{group(user, table.num_users)} * groups +
                                 group(table.items[at], table.num_items);
      placed.push_back(
          {cell, {user, table.items[at], static_cast<float>(table.half_stars[at]) / 2}});
    }
  }
  std::stable_sort(placed.begin(), placed.end(),
                   [](const Placed& a, const Placed& b) { return a.cell < b.cell; });
  cells.offsets.assign(std::size_t{groups} * groups + 1, 0);
  for (const Placed& one : placed) {
    ++cells.offsets[one.cell + 1];
    cells.entries.push_back(one.entry);
  }
  for (std::size_t n = 1; n < cells.offsets.size(); ++n) cells.offsets[n] += cells.offsets[n - 1];
  return cells;
}

Factors first_factors(std::uint32_t users, std::uint32_t items, std::uint64_t seed) {
  return {random_floats(std::size_t{users} * kFactors, 0.0f, 0.9f, seed),
          random_floats(std::size_t{items} * kFactors, 0.0f, 0.9f, seed + 1)};
}

void descend(Factors& factors, const Cells& cells, unsigned epochs) {
  for (unsigned step = 0; step < epochs * cells.groups; ++step) {
    for (unsigned user = 0; user < cells.groups; ++user) {
      const unsigned cell = user * cells.groups + (user + step) % cells.groups;
      for (std::uint32_t at = cells.offsets[cell]; at < cells.offsets[cell + 1]; ++at) {
        const Cells::Entry& entry = cells.entries[at];
        float* const p = &factors.users[std::size_t{entry.user} * kFactors];
        float* const q = &factors.items[std::size_t{entry.item} * kFactors];
        float products[kFactors];
        for (unsigned n = 0; n < kFactors; ++n) products[n] = p[n] * q[n];
        const float error = entry.stars - sum_in_pairs(products);
        for (unsigned n = 0; n < kFactors; ++n) {
          const float before = p[n];
          p[n] = moved(before, q[n], error);
          q[n] = moved(q[n], before, error);
        }
      }
    }
  }
}

double error_of(const Factors& factors, const Cells& cells) {
  double sum = 0;
  for (const Cells::Entry& entry : cells.entries) {
    double product = 0;
    for (unsigned n = 0; n < kFactors; ++n) {
      product += double{factors.users[std::size_t{entry.user} * kFactors + n]} *
                 double{factors.items[std::size_t{entry.item} * kFactors + n]};
    }
    sum += (entry.stars - product) * (entry.stars - product);
  }
  return cells.entries.empty() ? 0 : std::sqrt(sum / static_cast<double>(cells.entries.size()));
}

}  // namespace raddle::workloads::sgd
