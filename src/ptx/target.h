// Targets and versions of PTX (PTX ISA 11.1.1 ".version", 11.1.2 ".target").
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace raddle::ptx {

struct Version {
  unsigned major = 0, minor = 0;
  friend constexpr auto operator<=>(const Version&, const Version&) = default;
};

/// sm_90, sm_90a, sm_100f. Code for a plain target runs on it and on every later one. Code for a
/// target with an 'a' runs on this one only, with an 'f' on it and on later ones of its family.
struct Target {
  unsigned sm = 0;
  char suffix = 0;  // 'a', 'f' or none
  friend constexpr bool operator==(const Target&, const Target&) = default;
};

/// Parses "7.8"; nullopt for any other text.
constexpr std::optional<Version> version_from_name(std::string_view name);
/// Parses "sm_90a", "compute_90a" or "90a"; nullopt for any other text. Does not check whether the
/// target exists.
constexpr std::optional<Target> target_from_name(std::string_view name);
std::string name(Version);  // "7.8"
std::string name(Target);   // "sm_90a"

/// The version of PTX that introduced the target; nullopt: no such target.
std::optional<Version> first_version(Target);
/// The version of CUDA 13.0.
inline constexpr Version kNewestVersion{9, 0};
/// Whether this version of PTX exists.
bool exists(Version);
/// "sm_10, sm_11, ...": for messages.
std::string known_targets(unsigned oldest, unsigned newest);

/// Whether a module for `target` may use features that came with `feature`: with sm_80 also those
/// of sm_75, with sm_103f and sm_103a also those of sm_100f.
constexpr bool has(Target target, Target feature);
/// Whether code for `target` runs on a GPU of compute capability `sm` (35 for 3.5).
constexpr bool runs_on(unsigned sm, Target target);

// ---

/// GPUs of one family have equal numbers except for the last digit; Thor changed its number.
constexpr unsigned family(unsigned sm) { return sm == 101 ? 11 : sm / 10; }

namespace detail {
constexpr std::optional<unsigned> take_number(std::string_view& text) {
  unsigned value = 0;
  std::size_t digits = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9' && digits < 6) {
    value = 10 * value + static_cast<unsigned>(text[digits++] - '0');
  }
  if (digits == 0) return std::nullopt;
  text.remove_prefix(digits);
  return value;
}
}  // namespace detail

constexpr std::optional<Version> version_from_name(std::string_view name) {
  const auto major = detail::take_number(name);
  if (!major || !name.starts_with('.')) return std::nullopt;
  name.remove_prefix(1);
  const auto minor = detail::take_number(name);
  if (!minor || !name.empty()) return std::nullopt;
  return Version{*major, *minor};
}

constexpr std::optional<Target> target_from_name(std::string_view name) {
  for (const std::string_view prefix : {"sm_", "compute_"}) {
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  }
  const auto sm = detail::take_number(name);
  if (!sm || (!name.empty() && name != "a" && name != "f")) return std::nullopt;
  return Target{*sm, name.empty() ? '\0' : name.front()};
}

constexpr bool has(Target target, Target feature) {
  if (feature.suffix == 0) return target.sm >= feature.sm;
  if (feature.suffix == 'a') return target == feature;
  return target.suffix != 0 && family(target.sm) == family(feature.sm) && target.sm >= feature.sm;
}

constexpr bool runs_on(unsigned sm, Target target) {
  if (target.suffix == 0) return target.sm <= sm;
  if (target.suffix == 'a') return target.sm == sm;
  return family(target.sm) == family(sm) && target.sm <= sm;
}

}  // namespace raddle::ptx
