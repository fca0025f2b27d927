// Commands as people type them in a shell.
#pragma once

#include <string>
#include <vector>

namespace raddle {

/// The word with quotes where a shell needs them.
std::string quoted_for_shell(const std::string& word);

/// Words, quoted, with blanks between them.
std::string shell_command(const std::vector<std::string>& words);

}  // namespace raddle
