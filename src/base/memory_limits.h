// Messages for cases where memory runs out.
#pragma once

#include <exception>
#include <string>

namespace raddle {

/// What limits the memory of this process, for messages: "the process uses 310 MB, and is limited to 400
/// MB of address space (ulimit -v)".
std::string memory_limits();

/// What an exception says, for a person; std::bad_alloc says nothing by itself.
std::string reason(const std::exception& error);

}  // namespace raddle
