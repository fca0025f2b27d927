// The output of a kernel's printf, by the format rules of the CUDA C++ Programming Guide, 10.36.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace raddle::isa {

/// Formats one lane's printf. `arguments` is the buffer that vprintf received: each argument at its
/// natural alignment, float promoted to double, integers of less than 4 bytes to int. `text_at`
/// reads a NUL-terminated string in simulated memory for %s. As in CUDA, at most 32 arguments are
/// used. A conversion without its argument prints nothing, an unknown one prints as written.
std::string format_printf(std::string_view format, std::span<const std::byte> arguments,
                          const std::function<std::string(std::uint64_t address)>& text_at);

}  // namespace raddle::isa
