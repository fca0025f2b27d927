#include "isa/lower/access_words.h"

namespace raddle::isa {
namespace {

constexpr std::uint32_t kL1Eviction = 0x1f, kL2Eviction = 0xe0, kPrefetch = 0x700, kMmio = 0x800;

bool is_global(const Form& form) {
  return form.space == Space::generic || form.space == Space::global;
}

bool is_plain(const Form& form) { return form.order == Order::none || form.order == Order::weak; }

std::string_view wrong_order(const Form& form, bool hints) {
  switch (form.order) {
    case Order::none:
    case Order::weak:
      if (form.scope != Scope::none) return "a scope needs .relaxed, .acquire or .release";
      return "";
    case Order::is_volatile:
      if (form.scope != Scope::none) return ".volatile has no scope";
      if (hints) return ".volatile has no hints";
      if (!is_global(form) && form.space != Space::shared) {
        return ".volatile is for global and shared memory";
      }
      return "";
    default:
      break;
  }
  if (form.scope == Scope::none) return "this memory order needs a scope";
  if (!is_global(form) && form.space != Space::shared) {
    return "memory orders are for global and shared memory";
  }
  if ((form.extra & kMmio) == 0) return "";
  if (form.scope != Scope::sys || !is_global(form)) return ".mmio is for global memory and .sys";
  if (hints || (form.extra & kPrefetch) != 0 || form.vector > 1)
    return ".mmio has no hints and no vectors";
  return "";
}

std::string_view wrong_vector(const Form& form) {
  if (form.vector == 1) return "";
  const unsigned bits = form.vector * ptx::bits(form.type);
  if (ptx::bits(form.type) == 128) return "there are no vectors of 128-bit elements";
  if (bits > 256) return "vectors have 256 bits at most";
  if (bits < 256) return "";
  if (ptx::bits(form.type) < 32) return "vectors of 256 bits have elements of 32 or 64";
  return is_global(form) ? "" : "vectors of 256 bits are for global memory";
}

std::string_view wrong_hints(const Form& form, bool hints) {
  const bool cached = form.cache != CacheOperator::none && form.cache != CacheOperator::nc;
  if (cached && !is_plain(form)) return "cache operators are for weak accesses";
  if (cached && (form.extra & (kL1Eviction | kL2Eviction)) != 0) {
    return "a cache operator and an eviction priority do not go together";
  }
  if (form.cache == CacheOperator::nc && (form.space != Space::global || !is_plain(form))) {
    return ".nc is for weak accesses to .global";
  }
  if ((form.extra & kL2Eviction) != 0 && form.vector * ptx::bits(form.type) != 256) {
    return "an eviction priority of L2 needs a vector of 256 bits";
  }
  if ((hints || (form.extra & kPrefetch) != 0) && !is_global(form)) {
    return "eviction priorities, prefetch sizes and cache policies are for global memory";
  }
  return "";
}

}  // namespace

std::string_view wrong_access_words(const Form& form) {
  const bool hints = (form.extra & (kL1Eviction | kL2Eviction)) != 0 || form.cache_hint;
  for (const std::string_view wrong :
       {wrong_vector(form), wrong_order(form, hints), wrong_hints(form, hints)}) {
    if (!wrong.empty()) return wrong;
  }
  return "";
}

}  // namespace raddle::isa
