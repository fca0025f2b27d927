#include <fmt/core.h>

#include "base/config.h"
#include "base/parse_toml.h"

namespace raddle {
namespace {

SourcePosition place(const std::string& file, const toml::node& node) {
  return {file, node.source().begin.line, node.source().begin.column};
}

/// A scalar as the text that FieldBase::set takes.
std::string scalar_text(const std::string& file, const toml::node& node) {
  if (const auto* value = node.as_string()) return value->get();
  if (const auto* value = node.as_integer()) return fmt::format("{}", value->get());
  if (const auto* value = node.as_floating_point()) return fmt::format("{}", value->get());
  if (const auto* value = node.as_boolean()) return value->get() ? "true" : "false";
  fail_at(place(file, node), "should be a number, a text, or true or false");
}

void read_value(FieldBase& field, const std::string& file, const toml::node& node) {
  const toml::node* value = &node;
  if (const auto* pair = node.as_table()) {
    for (const auto& [key, part] : *pair) {
      if (key == "value") {
        value = &part;
      } else if (key == "source" && part.is_string()) {
        field.set_source(part.as_string()->get());
      } else {
        fail_at(place(file, part), "'{}': a setting is written {{ value = ..., source = \"...\" }}",
                key.str());
      }
    }
    if (value == &node) fail_at(place(file, node), "{}: has no value", field.path());
  }
  try {
    field.set(scalar_text(file, *value));
  } catch (const InputError&) {
    throw;
  } catch (const Error& error) {
    throw InputError(place(file, *value), error.what());
  }
}

ConfigGroup* group_named(const ConfigGroup& group, std::string_view name) {
  for (ConfigGroup* child : group.groups()) {
    if (child->name() == name) return child;
  }
  return nullptr;
}

void read_table(ConfigGroup& group, const std::string& file, const toml::table& table) {
  for (const auto& [key, node] : table) {
    ConfigGroup* child = node.is_table() ? group_named(group, key.str()) : nullptr;
    if (child != nullptr) {
      read_table(*child, file, *node.as_table());
      continue;
    }
    FieldBase* field = nullptr;
    try {
      field = &group.field(key.str());
    } catch (const Error& error) {
      const auto begin = key.source().begin;
      throw InputError({file, begin.line, begin.column}, error.what());
    }
    read_value(*field, file, node);
  }
}

}  // namespace

toml::table parse_toml(const std::string& file) {
  try {
    return toml::parse_file(file);
  } catch (const toml::parse_error& error) {
    const auto begin = error.source().begin;
    throw InputError({file, begin.line, begin.column}, std::string(error.description()));
  }
}

void read_toml(ConfigGroup& root, const std::string& file) {
  read_table(root, file, parse_toml(file));
}

}  // namespace raddle
