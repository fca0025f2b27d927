#include "isa/lower/constant_pool.h"

#include <bit>
#include <cstring>

namespace raddle::isa {

Ref ConstantPool::constant(std::uint64_t low, unsigned bytes, std::uint64_t high) {
  const unsigned width = bytes <= 4 ? 4 : bytes;
  if (bytes < 8) low &= (std::uint64_t{1} << (8 * bytes)) - 1;
  auto& known = known_[std::countr_zero(width)];
  const auto [found, is_new] = known.try_emplace({low, high}, Slot{0});
  if (is_new) {
    auto& pool = out_.constants;
    found->second = static_cast<Slot>(pool.size()) | kConstantBit;
    if (width <= 8) values_.emplace(found->second, low);
    const std::size_t at = pool.size();
    pool.resize(at + width * kWarpSize);
    for (unsigned l = 0; l < kWarpSize; ++l) {
      if (width == 16) {
        std::memcpy(&pool[at + 8 * l], &low, 8);
        std::memcpy(&pool[at + 8 * (kWarpSize + l)], &high, 8);
      } else {
        std::memcpy(&pool[at + width * l], &low, width);
      }
    }
  }
  return Ref::constant(found->second);
}

std::optional<std::uint64_t> ConstantPool::value(const Ref& ref) const {
  if (ref.kind != Ref::Kind::constant) return std::nullopt;
  const auto found = values_.find(ref.id);
  if (found != values_.end()) return found->second;
  return std::nullopt;
}

Ref ConstantPool::list_row() {
  const auto slot = static_cast<Slot>(out_.constants.size()) | kConstantBit;
  out_.constants.resize(out_.constants.size() + kRowBytes);
  return Ref::constant(slot);
}

}  // namespace raddle::isa
