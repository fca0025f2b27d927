#pragma once

#include <string>

namespace raddle::workloads {

/// The path of a bundled input such as "graphs/internet.mtx": under $RADDLE_ROOT/data when that is
/// set, else in the data folder of the source tree that the program was built from.
std::string data_path(const std::string& file);

}  // namespace raddle::workloads
