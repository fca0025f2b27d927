// Reading statistics documents: what a file holds is checked before anything is made of it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace raddle::report {

/// The statistics document (docs/reference/statistics.md) in `text`, also one of an older version, which
/// lacks members. Throws Error with the member that is not as it should be: of another type, twice there,
/// a negative count; or with the place from which on the text is no JSON.
nlohmann::ordered_json statistics_document(const std::string& text);

/// Throws Error: the member should be `wanted`.
[[noreturn]] void fail_member(const std::string& member, const std::string& wanted);

}  // namespace raddle::report
