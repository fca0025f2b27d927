// What a result says of where it comes from: the member "run" of documents, and a line of it for
// people. It differs from run to run of the same thing: comparisons of results leave it out.
#pragma once

#include <string>

#include "report/run_report.h"

namespace raddle::report {

/// {"command", "raddle", "commit", "date", "host"}, as far as who started the program says so;
/// {"program", "arguments", "description", "settings", "ended", "fault"}, the last if a kernel faulted.
/// One line of JSON.
std::string run_json(const Run& run);

/// Of a document's text: "raddle run bfs: raddle 0.1.0 (commit 0123456789ab), 2026-01-31T12:34:56Z on
/// a-host", with a newline; "" if the document does not say.
std::string run_line(const std::string& document);

/// Of a document's text: "cut off (SIGINT): these are the results until then", "a kernel faulted ...", or
/// both, a line each; "" for a run that ended by itself.
std::string ending_line(const std::string& document);
/// The same of a run that has not left a document yet.
std::string ending_line(const Run& run, bool interrupted);

/// Of a statistics document's text, what a result made of it says of where it comes from: the member
/// "run" with "gpu", "functional", "mechanisms" and "interrupted". JSON.
std::string origin_json(const std::string& document);

}  // namespace raddle::report
