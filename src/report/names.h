// Kernel names in tables: templates and namespaces make them longer than a line.
#pragma once

#include <cstddef>
#include <string>

namespace raddle::report {

/// The readable form (isa::kernel_name) of a name in PTX, in at most `width` characters, which are
/// four or more: a longer one loses its namespaces, those of its template arguments too, and then
/// its end, for "...".
std::string short_kernel_name(const std::string& name, std::size_t width);

}  // namespace raddle::report
