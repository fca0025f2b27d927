// What the table and the page of a profile write in their cells, from a profile document.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace raddle::report::profile {

using Json = nlohmann::ordered_json;

double number(const Json& json, const char* name);
/// "59.1 %", or "-" of nothing.
std::string share(double part, double whole);
/// "6.2", or "-" of nothing.
std::string ratio(double part, double whole);
/// The reasons for which the line's cycles were lost, `most` at most, those of 5 % and more: "memory
/// 61 %, execution 8 %".
std::string waits(const Json& line, std::size_t most);

}  // namespace raddle::report::profile
