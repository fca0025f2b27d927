// Kernel names in tables: templates and namespaces make them longer than a line.
#pragma once

#include <cstddef>
#include <string>

namespace raddle::report {

/// The readable form (isa::kernel_name) of a PTX name, in at most `width` characters (at least 4).
/// A longer name loses its namespaces, also in its template arguments; if it is still too long,
/// "..." replaces its end.
std::string short_kernel_name(const std::string& name, std::size_t width);

}  // namespace raddle::report
