// Messages on standard error, which may be full or closed: a message that cannot be written must
// not end the program.
#pragma once

#include <fmt/core.h>

#include <cstdio>
#include <string>
#include <utility>

#include "base/output_file.h"

namespace raddle {

/// fmt::print(stderr, ...) that neither throws nor raises SIGPIPE when writing fails.
template <class... Arguments>
void print_error(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  const std::string text = fmt::format(format, std::forward<Arguments>(arguments)...);
  const WithoutWriteSignals quiet;
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace raddle
