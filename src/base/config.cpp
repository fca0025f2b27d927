#include "base/config.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>

namespace raddle {

FieldBase::FieldBase(ConfigGroup& group, const char* name, const char* unit, const char* meaning,
                     const char* source)
    : group_(group), name_(name), unit_(unit), meaning_(meaning), source_(source) {
  group.fields_.push_back(this);
}

std::string FieldBase::path() const {
  std::string prefix = group_.path();
  return prefix.empty() ? name_ : prefix + "." + name_;
}

namespace {

template <class T>
T parse_number(const FieldBase& field, std::string_view text) {
  if constexpr (std::is_same_v<T, bool>) {
    if (text == "true" || text == "1" || text == "on") return true;
    if (text == "false" || text == "0" || text == "off") return false;
    fail("{} = {}: should be true or false", field.path(), text);
  } else {
    T value{};
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    // A whole number may be written as "1e6" only for fields that hold fractions.
    if (error != std::errc{} || end != text.data() + text.size()) {
      fail("{} = {}: should be a number in {}", field.path(), text, field.admits());
    }
    return value;
  }
}

template <class T>
void check_range(const FieldBase& field, T value, Range<T> range) {
  if (!(value >= range.least && value <= range.most)) {
    fail("{} = {}: out of range, should be in {}", field.path(), value, field.admits());
  }
}

}  // namespace

template <class T>
Field<T>& Field<T>::operator=(T value) {
  check_range(*this, value, range_);
  value_ = value;
  return *this;
}

template <class T>
void Field<T>::set(std::string_view text) {
  *this = parse_number<T>(*this, text);
}

template <class T>
std::string Field<T>::text() const {
  return fmt::format("{}", value_);
}

template <class T>
std::string Field<T>::admits() const {
  if constexpr (std::is_same_v<T, bool>) {
    return "true | false";
  } else {
    const bool unbounded = range_.most == std::numeric_limits<T>::max();
    return unbounded ? fmt::format("{}..", range_.least)
                     : fmt::format("{}..{}", range_.least, range_.most);
  }
}

template class Field<bool>;
template class Field<int>;
template class Field<std::uint32_t>;
template class Field<std::uint64_t>;
template class Field<double>;

void TextField::set(std::string_view text) {
  std::string_view rest = choices_;
  bool admitted = rest.empty();
  while (!rest.empty() && !admitted) {
    std::size_t bar = rest.find('|');
    admitted = rest.substr(0, bar) == text;
    rest = bar == std::string_view::npos ? std::string_view{} : rest.substr(bar + 1);
  }
  if (!admitted) fail("{} = {}: should be one of {}", path(), text, admits());
  value_ = text;
}

std::string TextField::admits() const { return *choices_ == '\0' ? "any text" : choices_; }

ConfigGroup::ConfigGroup(ConfigGroup& parent, std::string name)
    : name_(std::move(name)), parent_(&parent) {
  parent.groups_.push_back(this);
}

std::string ConfigGroup::path() const {
  if (parent_ == nullptr) return "";
  std::string prefix = parent_->path();
  return prefix.empty() ? name_ : prefix + "." + name_;
}

namespace {

/// The names near to a wrong one; all of them when none is.
std::string suggestion(std::string_view wrong, const std::vector<std::string>& known) {
  std::string list;
  for (const std::string& name : near_names(wrong, known)) {
    list += (list.empty() ? "" : ", ") + name;
  }
  if (!list.empty()) return "; did you mean: " + list + "?";
  for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
  return list.empty() ? "" : "; there are: " + list;
}

}  // namespace

FieldBase& ConfigGroup::field(std::string_view path) {
  const std::size_t dot = path.find('.');
  std::vector<std::string> known;
  if (dot == std::string_view::npos) {
    for (FieldBase* field : fields_) {
      if (field->name() == path) return *field;
      known.emplace_back(field->name());
    }
    for (ConfigGroup* group : groups_) known.push_back(group->name() + ".");
  } else {
    for (ConfigGroup* group : groups_) {
      if (group->name() == path.substr(0, dot)) return group->field(path.substr(dot + 1));
      known.push_back(group->name() + ".");
    }
  }
  const std::string here = this->path();
  const std::string_view word = dot == std::string_view::npos ? path : path.substr(0, dot + 1);
  fail("unknown setting '{}{}{}'{}", here, here.empty() ? "" : ".", path, suggestion(word, known));
}

void ConfigGroup::set(std::string_view path, std::string_view value) { field(path).set(value); }

namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

/// In small letters, without what people put between the parts of a name: "RTX_4090" is "rtx4090".
std::string folded(std::string_view name) {
  std::string text;
  for (const char letter : name) {
    if (letter == '-' || letter == '_' || letter == ' ') continue;
    text += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  return text;
}

}  // namespace

std::vector<std::string> near_names(std::string_view wrong, const std::vector<std::string>& known) {
  std::vector<std::pair<std::size_t, std::string>> ranked;
  const std::string word = folded(wrong);
  for (const std::string& name : known) {
    const std::string other = folded(name);
    if (other == word && !word.empty()) return {name};
    const std::size_t distance = edit_distance(word, other);
    const bool begins = !word.empty() && other.starts_with(word);
    if (begins || distance <= std::max<std::size_t>(2, word.size() / 3)) {
      ranked.emplace_back(begins ? 0 : distance, name);
    }
  }
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::string> names;
  for (const auto& [distance, name] : ranked) {
    if (names.size() < 4) names.push_back(name);
  }
  return names;
}

}  // namespace raddle
