// Names of files when several processes write the same one.
#pragma once

#include <string>

namespace raddle {

/// `file` for number 1, else with the number before its endings: "a.2.json", "a.2.json.gz", "a.2".
/// Pipes, devices and files without a name have no numbers: all write to the same.
std::string numbered_file(const std::string& file, unsigned number);

}  // namespace raddle
