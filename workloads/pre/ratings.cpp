#include "pre/ratings.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "common/options.h"
#include "common/text_scanner.h"

namespace raddle::workloads {
namespace {

/// Maps each id in `ids` to a number. Numbers are consecutive, in the order of ids.
std::map<std::uint32_t, std::uint32_t> numbered(std::vector<std::uint32_t> ids) {
  std::sort(ids.begin(), ids.end());
  std::map<std::uint32_t, std::uint32_t> numbers;
  for (const std::uint32_t id : ids) {
    numbers.try_emplace(id, static_cast<std::uint32_t>(numbers.size()));
  }
  return numbers;
}

template <class Member>
std::map<std::uint32_t, std::uint32_t> numbered(const std::vector<Rating>& ratings, Member member) {
  std::vector<std::uint32_t> ids;
  for (const Rating& rating : ratings) ids.push_back(rating.*member);
  return numbered(std::move(ids));
}

std::vector<double> lengths(const RatingTable& table) {
  std::vector<double> squares(table.num_items);
  for (std::size_t i = 0; i < table.items.size(); ++i) {
    squares[table.items[i]] += static_cast<double>(table.half_stars[i]) * table.half_stars[i];
  }
  for (double& square : squares) square = std::sqrt(square);
  return squares;
}

/// Sums over the users that have rated both of two items.
struct Overlap {
  double product = 0;  // of their ratings
  std::uint32_t users = 0;
};

/// Compares one item with every other.
class Comparison {
 public:
  explicit Comparison(const RatingTable& table) : table_(table), raters_(table.num_items) {
    for (std::uint32_t user = 0; user < table.num_users; ++user) {
      for (std::uint32_t i = table.offsets[user]; i < table.offsets[user + 1]; ++i) {
        raters_[table.items[i]].push_back({user, table.half_stars[i]});
      }
    }
  }
  std::vector<Overlap> with(std::uint32_t item) const {
    std::vector<Overlap> overlaps(table_.num_items);
    for (const auto& [user, stars] : raters_[item]) {
      for (std::uint32_t i = table_.offsets[user]; i < table_.offsets[user + 1]; ++i) {
        Overlap& overlap = overlaps[table_.items[i]];
        overlap.product += static_cast<double>(stars) * table_.half_stars[i];
        ++overlap.users;
      }
    }
    return overlaps;
  }

 private:
  const RatingTable& table_;
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> raters_;
};

}  // namespace

std::vector<Rating> read_ratings(const std::string& name, const std::string& text) {
  // Words end at blanks, so the commas become blanks.
  std::string spaced = text;
  std::replace(spaced.begin(), spaced.end(), ',', ' ');
  TextScanner scanner(name, spaced);
  scanner.next_line();  // the heading
  std::vector<Rating> ratings;
  while (!scanner.at_file_end()) {
    if (!scanner.at_line_end()) {
      const auto user = static_cast<std::uint32_t>(scanner.read_unsigned("a user", 0, 0xffffffff));
      const auto item = static_cast<std::uint32_t>(scanner.read_unsigned("an item", 0, 0xffffffff));
      const double stars = scanner.read_real("a rating from 0.5 to 5");
      if (stars < 0.5 || stars > 5 || stars * 2 != std::floor(stars * 2)) {
        scanner.fail_at_word("expected a rating from 0.5 to 5 in steps of 0.5");
      }
      ratings.push_back({user, item, static_cast<std::uint32_t>(stars * 2)});
    }
    scanner.next_line();
  }
  return ratings;
}

RatingTable make_table(std::vector<Rating> ratings, std::uint32_t least_ratings) {
  std::map<std::uint32_t, std::uint32_t> times;
  for (const Rating& rating : ratings) ++times[rating.item];
  ratings.erase(
      std::remove_if(ratings.begin(), ratings.end(),
                     [&](const Rating& rating) { return times[rating.item] < least_ratings; }),
      ratings.end());
  const auto users = numbered(ratings, &Rating::user);
  const auto items = numbered(ratings, &Rating::item);
  for (Rating& rating : ratings) {
    rating.user = users.at(rating.user);
    rating.item = items.at(rating.item);
  }
  std::sort(ratings.begin(), ratings.end(), [](const Rating& a, const Rating& b) {
    return std::tie(a.user, a.item) < std::tie(b.user, b.item);
  });
  RatingTable table;
  table.num_users = static_cast<std::uint32_t>(users.size());
  table.num_items = static_cast<std::uint32_t>(items.size());
  table.offsets.assign(table.num_users + 1, 0);
  for (const Rating& rating : ratings) {
    ++table.offsets[rating.user + 1];
    table.items.push_back(rating.item);
    table.half_stars.push_back(rating.half_stars);
  }
  std::partial_sum(table.offsets.begin(), table.offsets.end(), table.offsets.begin());
  return table;
}

std::uint32_t count_places(std::uint32_t num_active, std::uint32_t num_items) {
  const std::uint64_t places = std::uint64_t{num_active} * num_items;
  if (places > UINT32_MAX) {
    throw UsageError("--users: users times films, " + std::to_string(places) +
                     ", should be a 32-bit number");
  }
  return static_cast<std::uint32_t>(places);
}

SimilarItems similar_items(const RatingTable& table, std::uint32_t least_common) {
  constexpr std::size_t most_pairs = 1 << 28;  // 2 GiB
  const Comparison comparison(table);
  const std::vector<double> length = lengths(table);
  SimilarItems similar;
  similar.offsets.push_back(0);
  for (std::uint32_t item = 0; item < table.num_items; ++item) {
    const std::vector<Overlap> overlaps = comparison.with(item);
    for (std::uint32_t other = 0; other < table.num_items; ++other) {
      if (other == item || overlaps[other].users < least_common) continue;
      const double cosine = overlaps[other].product / (length[item] * length[other]);
      similar.items.push_back(other);
      similar.weights.push_back(std::max(1u, static_cast<std::uint32_t>(1000 * cosine)));
    }
    // A short file may give as many pairs as items squared.
    if (similar.items.size() > most_pairs) {
      throw UsageError("more than " + std::to_string(most_pairs) +
                       " pairs of films have been rated together: raise --least-common or "
                       "--least-ratings");
    }
    similar.offsets.push_back(static_cast<std::uint32_t>(similar.items.size()));
  }
  return similar;
}

}  // namespace raddle::workloads
