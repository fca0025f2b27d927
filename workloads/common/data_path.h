#pragma once

#include <string>

namespace raddle::workloads {

/// Returns the path of an input file: `file` itself if it exists, otherwise the bundled input of
/// that name, such as "graphs/internet.mtx". Bundled inputs are in $RADDLE_ROOT/data if that is
/// set, otherwise in the data folder of the source tree that the program was built from.
std::string find_input(const std::string& file);

}  // namespace raddle::workloads
