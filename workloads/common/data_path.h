#pragma once

#include <string>

namespace raddle::workloads {

/// Where an input file is: `file` itself when there is one of that name, else the bundled input of
/// that name, such as "graphs/internet.mtx". Those are under $RADDLE_ROOT/data when that is set,
/// else in the data folder of the source tree that the program was built from.
std::string find_input(const std::string& file);

}  // namespace raddle::workloads
