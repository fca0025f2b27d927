// Files that a command is to read.
#pragma once

#include <filesystem>
#include <string>

namespace raddle::cli {

/// The whole file. Throws Error, which names it, when it cannot be read.
std::string content(const std::filesystem::path& file);

}  // namespace raddle::cli
