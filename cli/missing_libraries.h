// Explains why a program could not be loaded.
#pragma once

#include <string>

namespace raddle::cli {

/// The LD_LIBRARY_PATH that makes programs find raddle's libraries first.
std::string library_path();

/// Advice for each of NVIDIA's libraries that the program needs and that the loader does not find,
/// one line each; "" when there are none.
std::string about_missing_libraries(const std::string& program);

}  // namespace raddle::cli
