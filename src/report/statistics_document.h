// Reads statistics documents and checks their contents before use.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace raddle::report {

/// The statistics document (docs/reference/statistics.md) in `text`. An older version, which lacks
/// members, is accepted. Throws Error with the wrong member (of another type, present twice, a
/// negative count), or with the position from which the text is not JSON.
nlohmann::ordered_json statistics_document(const std::string& text);

/// Throws Error: the member should be `wanted`.
[[noreturn]] void fail_member(const std::string& member, const std::string& wanted);

}  // namespace raddle::report
