// Which rows of the TaskTable's columns are free, as far as the host knows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "table.cuh"

namespace raddle::tasks::detail {

/// All but row 0 of each column at first, which is where its first entry will arrive.
class FreeRows {
 public:
  explicit FreeRows(unsigned columns)
      : bits_(columns, ~1u),
        counts_(columns, kRows - 1),
        room_(std::size_t{columns} * (kRows - 1)) {
    columns_with_[kRows - 1] = columns;
  }

  /// Of all columns.
  std::size_t room() const { return room_; }
  bool is_free(unsigned column, unsigned row) const { return (bits_[column] >> row & 1) != 0; }
  /// Those that are not, a bit each.
  std::uint32_t taken(unsigned column) const { return ~bits_[column]; }

  /// The column with the most free rows, in turn among equals; there must be room. A GPU of 132
  /// multiprocessors has 264 columns: to look at all of them for each task would cost more than all
  /// else that the host does.
  unsigned emptiest() {
    while (columns_with_[most_] == 0) --most_;
    unsigned column = turn_;
    while (counts_[column] != most_) column = after(column);
    turn_ = after(column);
    return column;
  }

  unsigned take(unsigned column) {
    const auto row = static_cast<unsigned>(__builtin_ctz(bits_[column]));
    bits_[column] &= ~(1u << row);
    --room_;
    --columns_with_[counts_[column]];
    ++columns_with_[--counts_[column]];
    return row;
  }
  void give(unsigned column, unsigned row) {
    bits_[column] |= 1u << row;
    ++room_;
    --columns_with_[counts_[column]];
    const std::uint8_t count = ++counts_[column];
    ++columns_with_[count];
    if (count > most_) most_ = count;
  }

 private:
  unsigned after(unsigned column) const { return column + 1 == bits_.size() ? 0 : column + 1; }

  std::vector<std::uint32_t> bits_;  // by column
  std::vector<std::uint8_t> counts_;
  std::array<unsigned, kRows + 1> columns_with_ = {};  // by how many rows are free
  unsigned most_ = kRows - 1;                          // none has more
  std::size_t room_;
  unsigned turn_ = 0;
};

}  // namespace raddle::tasks::detail
