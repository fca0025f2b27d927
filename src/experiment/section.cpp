#include "experiment/section.h"

#include "base/config.h"

namespace raddle::experiment {

std::string Section::text(const char* key, const std::string& otherwise) {
  const toml::node* node = look(key);
  return node == nullptr ? otherwise : text_of(key, *node);
}

std::string Section::text(const char* key) {
  if (look(key) == nullptr) fail_at(place(), "{} has no '{}'", what_, key);
  return text(key, "");
}

Formula Section::formula(const char* key) {
  const std::string text = this->text(key);
  try {
    return Formula(text);
  } catch (const Error& error) {
    throw InputError(place(key), error.what());
  }
}

double Section::number(const char* key, double otherwise) {
  const toml::node* node = look(key);
  return node == nullptr ? otherwise : number_of(key, *node);
}

bool Section::truth(const char* key, bool otherwise) {
  const toml::node* node = look(key);
  if (node == nullptr) return otherwise;
  if (const auto* value = node->as_boolean()) return value->get();
  fail_at(place(*node), "'{}' should be true or false", key);
}

std::vector<std::string> Section::texts(const char* key) {
  std::vector<std::string> list;
  const toml::node* node = look(key);
  if (node == nullptr) return list;
  const toml::array* array = node->as_array();
  if (array == nullptr) fail_at(place(*node), "'{}' should be a list", key);
  for (const toml::node& element : *array) list.push_back(text_of(key, element));
  return list;
}

std::vector<std::string> Section::text_or_texts(const char* key) {
  const toml::node* node = look(key);
  if (node == nullptr || node->is_array()) return texts(key);
  return {text_of(key, *node)};
}

std::vector<Setting> Section::settings(const char* key) {
  std::vector<Setting> list;
  for (std::string& text : texts(key)) {
    const toml::node& node = *table_.get(key)->as_array()->get(list.size());
    list.push_back({std::move(text), place(node)});
  }
  return list;
}

std::map<std::string, double> Section::numbers(const char* key) {
  std::map<std::string, double> map;
  const toml::node* node = look(key);
  if (node == nullptr) return map;
  const toml::table* table = node->as_table();
  if (table == nullptr) fail_at(place(*node), "'{}' should be {{ name = number, ... }}", key);
  for (const auto& [name, value] : *table) {
    map[std::string(name.str())] = number_of(std::string(name.str()), value);
  }
  return map;
}

std::vector<Section> Section::sections(const char* key) {
  std::vector<Section> list;
  const toml::node* node = look(key);
  if (node == nullptr) return list;
  const toml::array* array = node->as_array();
  if (array == nullptr || !array->is_homogeneous<toml::table>()) {
    fail_at(place(*node), "'{}' should be written [[{}]]", key, key);
  }
  for (const toml::node& element : *array) {
    list.emplace_back(file_, *element.as_table(), "this [[" + std::string(key) + "]]");
  }
  return list;
}

void Section::finish() const {
  for (const auto& [key, node] : table_) {
    const std::string name(key.str());
    if (known_.count(name) != 0) continue;
    const auto begin = key.source().begin;
    const std::vector<std::string> near = near_names(name, {known_.begin(), known_.end()});
    throw InputError(
        {file_, begin.line, begin.column},
        fmt::format("{} knows no '{}'{}{}", what_, name, near.empty() ? "" : "; did you mean ",
                    near.empty() ? "" : near.front()));
  }
}

std::string Section::text_of(const std::string& key, const toml::node& node) const {
  if (const auto* value = node.as_string()) return value->get();
  if (const auto* value = node.as_integer()) return fmt::format("{}", value->get());
  if (const auto* value = node.as_floating_point()) return fmt::format("{}", value->get());
  if (const auto* value = node.as_boolean()) return value->get() ? "true" : "false";
  fail_at(place(node), "'{}' should be a string, a number, true or false", key);
}

double Section::number_of(const std::string& key, const toml::node& node) const {
  if (const auto* value = node.as_floating_point()) return value->get();
  if (const auto* value = node.as_integer()) return static_cast<double>(value->get());
  fail_at(place(node), "'{}' should be a number", key);
}

}  // namespace raddle::experiment
