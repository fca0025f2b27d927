// Messages for cases where memory runs out.
#pragma once

#include <exception>
#include <string>

namespace raddle {

/// The memory limits of this process, for messages: "the process uses 310 MB, and is limited to 400
/// MB of address space (ulimit -v)".
std::string memory_limits();

/// The text of an exception for people; std::bad_alloc has no useful text of its own.
std::string reason(const std::exception& error);

}  // namespace raddle
