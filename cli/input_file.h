// Input files of commands.
#pragma once

#include <filesystem>
#include <string>

namespace raddle::cli {

/// The content of the file. Throws Error naming the file when it cannot be read.
std::string content(const std::filesystem::path& file);

}  // namespace raddle::cli
