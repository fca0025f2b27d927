#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace raddle::workloads {

/// One rating in half stars: 1 to 10.
struct Rating {
  std::uint32_t user;
  std::uint32_t item;
  std::uint32_t half_stars;
};

/// Ratings in the order of users. The ratings of user u are at positions offsets[u] to offsets[u +
/// 1], in the order of items.
struct RatingTable {
  std::uint32_t num_users = 0;
  std::uint32_t num_items = 0;
  std::vector<std::uint32_t> offsets;
  std::vector<std::uint32_t> items;
  std::vector<std::uint32_t> half_stars;
};

/// Reads the MovieLens format: a heading line, then "user,item,stars" (further columns are
/// dropped). Throws InputError with line and column. `name` stands for the file in messages.
std::vector<Rating> read_ratings(const std::string& name, const std::string& text);

/// Users and items get consecutive numbers in the order of their ids; items with fewer than
/// `least_ratings` ratings are dropped.
RatingTable make_table(std::vector<Rating> ratings, std::uint32_t least_ratings);

/// Returns num_active * num_items: the places for every item of each active user. Throws UsageError
/// if that exceeds 32 bits.
std::uint32_t count_places(std::uint32_t num_active, std::uint32_t num_items);

/// For every item, the items that have at least `least_common` raters in common with it, and their
/// cosine similarity in 1/1000, at least 1. Those of item i are at positions offsets[i] to
/// offsets[i + 1], in the order of items. similar_items() throws UsageError when there are more
/// than 2^28.
struct SimilarItems {
  std::vector<std::uint32_t> offsets;
  std::vector<std::uint32_t> items;
  std::vector<std::uint32_t> weights;
};
SimilarItems similar_items(const RatingTable& table, std::uint32_t least_common);

}  // namespace raddle::workloads
