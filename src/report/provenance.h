// The origin of a result: the member "run" of documents, and a line of it for people. It differs
// between runs of the same thing, so that comparisons of results leave it out.
#pragma once

#include <string>

#include "report/run_report.h"

namespace raddle::report {

/// One line of JSON: {"command", "raddle", "commit", "date", "host"} if the process that started
/// the program gave them, and {"program", "arguments", "description", "settings", "ended",
/// "fault"}. "fault" only if a kernel faulted.
std::string run_json(const Run& run);

/// From a document's text: "raddle run bfs: raddle 0.1.0 (commit 0123456789ab),
/// 2026-01-31T12:34:56Z on a-host", with a newline; "" if the document does not say.
std::string run_line(const std::string& document);

/// From a document's text: "cut off (SIGINT): these are the results until then", "a kernel faulted
/// ...", or both, one on each line; "" for a run that ended by itself.
std::string ending_line(const std::string& document);
/// The same for a run without a document yet.
std::string ending_line(const Run& run, bool interrupted);

/// From a statistics document's text, the origin that a result made of it gives: the member "run"
/// with "gpu", "functional", "mechanisms" and "interrupted". JSON.
std::string origin_json(const std::string& document);

}  // namespace raddle::report
