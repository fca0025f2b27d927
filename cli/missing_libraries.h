// Why a program could not be loaded.
#pragma once

#include <string>

namespace raddle::cli {

/// The LD_LIBRARY_PATH with which programs find raddle's libraries first.
std::string library_path();

/// What to do about NVIDIA's libraries that the program needs and that are nowhere, one line each;
/// "" when there are none.
std::string about_missing_libraries(const std::string& program);

}  // namespace raddle::cli
