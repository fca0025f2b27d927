// The settings that a user's own GPU description leaves to defaults.
#pragma once

#include <string>

namespace raddle::cli {

/// A sentence about the settings that all bundled descriptions have and the file `description`
/// lacks, and about the origin of their values; "" for a bundled description, and when it lacks
/// none.
std::string left_out(const std::string& description);

}  // namespace raddle::cli
