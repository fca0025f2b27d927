// Paths: the source tree that a built tool belongs to, and its build folder.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace raddle::cli {

/// The root of the source tree: $RADDLE_ROOT, else found upwards from the executable.
std::filesystem::path root();
/// The build folder of this executable: <root>/build/<preset>.
std::filesystem::path build();

/// The names of the bundled workloads, sorted.
std::vector<std::string> workload_names();

/// The executable of a bundled workload, if there is one of that name.
std::optional<std::filesystem::path> workload_program(const std::string& name);

}  // namespace raddle::cli
