#include "experiment/variants.h"

#include <algorithm>

namespace raddle::experiment {
namespace {

/// A larger number is a mistake: several [[vary]] multiply.
constexpr std::size_t kMostVariants = 100'000;

Variant* find(std::vector<Variant>& variants, const std::string& name) {
  const auto at = std::find_if(variants.begin(), variants.end(),
                               [&](const Variant& variant) { return variant.name == name; });
  return at == variants.end() ? nullptr : &*at;
}

/// Adds a setting, or replaces the value of a setting that exists.
void add_setting(std::vector<Setting>& settings, const Setting& added) {
  const auto path = [](const Setting& one) { return one.text.substr(0, one.text.find('=')); };
  std::erase_if(settings, [&](const Setting& one) { return path(one) == path(added); });
  settings.push_back(added);
}

bool is_option(const std::string& word) { return word.starts_with("--"); }

/// Adds options, or replaces the values of an option that exists, in its place.
void add_arguments(std::vector<std::string>& arguments, const std::vector<std::string>& added) {
  for (std::size_t begin = 0; begin < added.size();) {
    std::size_t end = begin + 1;
    while (end < added.size() && !is_option(added[end])) ++end;
    auto first = is_option(added[begin])
                     ? std::find(arguments.begin(), arguments.end(), added[begin])
                     : arguments.end();
    if (first != arguments.end()) {
      auto last = first + 1;
      while (last != arguments.end() && !is_option(*last)) ++last;
      first = arguments.erase(first, last);
    }
    arguments.insert(first, added.begin() + static_cast<std::ptrdiff_t>(begin),
                     added.begin() + static_cast<std::ptrdiff_t>(end));
    begin = end;
  }
}

void add_mechanisms(std::vector<std::string>& mechanisms, const std::vector<std::string>& added) {
  for (const std::string& name : added) {
    if (std::count(mechanisms.begin(), mechanisms.end(), name) == 0) mechanisms.push_back(name);
  }
}

/// Fills "{variant}" and "{value}" in a name.
std::string named(std::string pattern, const std::string& variant, const std::string& value) {
  for (const auto& [word, text] : {std::pair("{variant}", variant), std::pair("{value}", value)}) {
    const std::size_t at = pattern.find(word);
    if (at != pattern.npos) pattern.replace(at, std::string_view(word).size(), text);
  }
  return pattern;
}

/// The change that a [[vary]] makes in each variant.
struct Variation {
  std::string setting, option, name;
  std::vector<std::string> values, programs;
  std::vector<Setting> settings;
  SourcePosition place;

  Variant of(const Variant& variant, const std::string& value) const {
    Variant varied = variant;
    varied.name = named(name, variant.name, value);
    for (const Setting& one : settings) add_setting(varied.settings, one);
    if (!setting.empty()) add_setting(varied.settings, {setting + "=" + value, place});
    if (!option.empty()) add_arguments(varied.arguments, {option, value});
    if (!programs.empty()) varied.programs = programs;
    varied.place = place;
    return varied;
  }
};

Variation read_variation(Section& section) {
  Variation variation;
  variation.place = section.place();
  variation.setting = section.text("setting", "");
  variation.option = section.text("option", "");
  if (variation.setting.empty() == variation.option.empty()) {
    fail_at(section.place(), "a [[vary]] has either a 'setting' or an 'option'");
  }
  const std::string changed =
      variation.setting.empty() ? variation.option.substr(2) : variation.setting;
  if (!variation.option.empty() && !is_option(variation.option)) {
    fail_at(section.place("option"), "an option begins with two dashes");
  }
  variation.name = section.text("name", "{variant}," + changed + "={value}");
  variation.values = section.texts("values");
  if (variation.values.empty()) {
    fail_at(section.place(), "'values' should be a list of the values to try");
  }
  if (variation.values.size() > 1 && variation.name.find("{value}") == std::string::npos) {
    fail_at(section.place("name"), "variants of several values need a name with {{value}}");
  }
  variation.programs = section.texts("programs");
  variation.settings = section.settings("set");
  return variation;
}

}  // namespace

void read_variant(Section& section, const std::string& gpu, std::vector<Variant>& variants) {
  const std::string name = section.text("name");
  const std::string like = section.text("like", "");
  Variant* const before = find(variants, name);
  const Variant* const other = like.empty() ? nullptr : find(variants, like);
  if (!like.empty() && other == nullptr) {
    fail_at(section.place("like"), "there is no variant '{}' before this one", like);
  }
  if (before != nullptr && before->place.file == section.place().file) {
    fail_at(section.place(), "two variants are called {}", name);
  }
  Variant variant = other != nullptr ? *other : before != nullptr ? *before : Variant();
  variant.name = name;
  variant.place = section.place();
  const auto arguments = section.texts("arguments"), mechanisms = section.texts("with");
  const auto settings = section.settings("set");
  if (other != nullptr) {
    add_arguments(variant.arguments, arguments);
    add_mechanisms(variant.mechanisms, mechanisms);
    for (const Setting& one : settings) add_setting(variant.settings, one);
  } else {
    if (section.has("arguments")) variant.arguments = arguments;
    if (section.has("with")) variant.mechanisms = mechanisms;
    if (section.has("set")) variant.settings = settings;
  }
  if (section.has("gpu")) {
    variant.gpu = section.text("gpu");
    variant.names_gpu = true;
  } else if (!variant.names_gpu) {
    variant.gpu = gpu;
  }
  if (section.has("programs")) variant.programs = section.texts("programs");
  section.finish();
  if (before != nullptr) {
    *before = std::move(variant);
  } else {
    variants.push_back(std::move(variant));
  }
}

void vary(Section& section, std::vector<Variant>& variants) {
  const Variation variation = read_variation(section);
  std::vector<std::string> names;
  for (const std::string& pattern : section.texts("variants")) {
    const std::vector<std::string> meant = matching(pattern, variants);
    if (meant.empty()) fail_at(section.place("variants"), "there is no variant '{}'", pattern);
    names.insert(names.end(), meant.begin(), meant.end());
  }
  const bool in_addition = section.has("variants");
  section.finish();
  const std::size_t number = in_addition ? names.size() : variants.size();
  if (number * variation.values.size() > kMostVariants) {
    fail_at(section.place(), "{} variants with {} values each: at most {} variants are possible",
            number, variation.values.size(), kMostVariants);
  }
  std::vector<Variant> varied;
  for (const Variant& variant : variants) {
    if (in_addition && std::count(names.begin(), names.end(), variant.name) == 0) continue;
    for (const std::string& value : variation.values)
      varied.push_back(variation.of(variant, value));
  }
  if (!in_addition) variants.clear();
  variants.insert(variants.end(), varied.begin(), varied.end());
}

std::optional<std::string> star_of(const std::string& pattern, const std::string& name) {
  const std::size_t star = pattern.find('*');
  if (star == pattern.npos) return pattern == name ? std::optional<std::string>("") : std::nullopt;
  const std::string before = pattern.substr(0, star), behind = pattern.substr(star + 1);
  if (name.size() < before.size() + behind.size() || !name.starts_with(before) ||
      !name.ends_with(behind)) {
    return std::nullopt;
  }
  return name.substr(star, name.size() - before.size() - behind.size());
}

std::string with_star(const std::string& pattern, const std::string& text) {
  const std::size_t star = pattern.find('*');
  return star == pattern.npos ? pattern : pattern.substr(0, star) + text + pattern.substr(star + 1);
}

std::vector<std::string> matching(const std::string& pattern,
                                  const std::vector<Variant>& variants) {
  std::vector<std::string> names;
  for (const Variant& variant : variants) {
    if (star_of(pattern, variant.name)) names.push_back(variant.name);
  }
  return names;
}

}  // namespace raddle::experiment
