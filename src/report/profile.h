// The cost of source lines: a JSON document, and the table that people read.
#pragma once

#include <string>

#include "machine/profile.h"
#include "report/run_report.h"

namespace raddle::report {

/// The profile document as JSON text. The hottest lines come first: by scheduler cycles, or in a
/// functional run by warp instructions.
std::string profile_json(const Run& run, const machine::Profile& profile);

/// The table of the `lines` hottest lines, from a profile document.
std::string profile_table(const std::string& json_text, unsigned lines, bool colour);

/// An HTML page of the source lines, coloured by their cost, with the reasons for waiting, from a
/// profile document. The page needs no other file and no scripts. The source is read from the paths
/// in the document.
std::string profile_html(const std::string& json_text);

}  // namespace raddle::report
