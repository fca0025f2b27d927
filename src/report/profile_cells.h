// The texts of the cells in the table and the page of a profile, from a profile document.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace raddle::report::profile {

using Json = nlohmann::ordered_json;

double number(const Json& json, const char* name);
/// "59.1 %"; "-" if `whole` is 0.
std::string share(double part, double whole);
/// "6.2"; "-" if `whole` is 0.
std::string ratio(double part, double whole);
/// The reasons for the line's lost cycles, at most `most` of them, each with 5 % or more: "memory
/// 61 %, execution 8 %".
std::string waits(const Json& line, std::size_t most);

}  // namespace raddle::report::profile
