// What a GPU description of the user's own leaves to defaults.
#pragma once

#include <string>

namespace raddle::cli {

/// A sentence about the settings that all bundled descriptions have and the file `description` has not,
/// and where their values come from; "" for a bundled one and when none is left out.
std::string left_out(const std::string& description);

}  // namespace raddle::cli
