// Commands as people type them.
#pragma once

#include <string>
#include <vector>

namespace raddle {

/// A word as a shell reads it: between quotes where it needs them.
std::string quoted_for_shell(const std::string& word);

/// Words, quoted, with blanks between them.
std::string shell_command(const std::vector<std::string>& words);

}  // namespace raddle
