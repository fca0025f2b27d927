// The predefined read-only registers (PTX ISA 10), as far as the syntax needs them.
#pragma once

#include <string_view>

namespace raddle::ptx {

bool is_special_scalar(std::string_view name);  // "%laneid"
bool is_special_vector(std::string_view name);  // "%tid", which has elements
/// "%tid.x" for ("%tid", 0), in static storage. Precondition: is_special_vector, element < 4.
std::string_view special_element(std::string_view name, unsigned element);

}  // namespace raddle::ptx
