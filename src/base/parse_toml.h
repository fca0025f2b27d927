// Reading TOML files.
#pragma once

#include <toml++/toml.h>

#include <string>

namespace raddle {

/// Throws InputError with file, line and column.
toml::table parse_toml(const std::string& file);

}  // namespace raddle
