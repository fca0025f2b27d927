// What the lines of the source cost: a JSON document, and the table that people read.
#pragma once

#include <string>

#include "machine/profile.h"
#include "report/run_report.h"

namespace raddle::report {

/// The profile document as JSON text. Lines come hottest first: by scheduler cycles, of a
/// functional run by warp instructions.
std::string profile_json(const Run& run, const machine::Profile& profile);

/// The table of the `lines` hottest lines, from a profile document.
std::string profile_table(const std::string& json_text, unsigned lines, bool colour);

/// A page of the source lines, coloured by what they cost, with what they wait for, from a profile
/// document: all in one, without scripts. The source is read where the document says it is.
std::string profile_html(const std::string& json_text);

}  // namespace raddle::report
