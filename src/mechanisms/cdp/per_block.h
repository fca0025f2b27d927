// A value for each running block, made when one of its threads first needs it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "isa/block_context.h"

namespace raddle::mechanisms::cdp {

template <class T>
class PerBlock {
 public:
  T& of(const isa::BlockContext& block) { return all_[key_of(block)]; }
  /// nullptr if the block never had a value.
  T* find(const isa::BlockContext& block) {
    const auto found = all_.empty() ? all_.end() : all_.find(key_of(block));
    return found == all_.end() ? nullptr : &found->second;
  }
  /// Takes the value of a block that has ended; none if it never had one.
  std::optional<T> take(const isa::BlockContext& block) {
    if (all_.empty()) return {};
    auto taken = all_.extract(key_of(block));
    if (taken.empty()) return {};
    return std::move(taken.mapped());
  }

 private:
  /// The block's grid or group, and its linear index there.
  using Key = std::pair<const isa::GridContext*, std::uint64_t>;
  static Key key_of(const isa::BlockContext& block) {
    const Dim3& size = block.grid->grid;
    const Dim3& at = block.index;
    return {block.grid, at.x + std::uint64_t{size.x} * (at.y + std::uint64_t{size.y} * at.z)};
  }

  std::map<Key, T> all_;
};

}  // namespace raddle::mechanisms::cdp
