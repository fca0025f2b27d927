// The origin of a result, as every file and page that raddle writes states it.
#pragma once

#include <string>

namespace raddle::cli {

/// "0.1.0 (commit 0123456789ab)", with "changed" if files of the tree had changes; or why the
/// commit is unknown.
std::string version();
/// The full commit, with "-changed" for changed files; "" when it is unknown.
std::string commit();

/// The command line of this process, as a shell reads it, beginning with "raddle".
std::string own_command();
/// Now: "2026-01-31T12:34:56Z".
std::string date();
std::string host_name();
/// The computer without its name: "Intel Xeon, 2 processors, 8 GB, Linux x86_64".
std::string computer();

/// All of these as a JSON object: {"command", "raddle", "commit", "date", "host"}.
std::string provenance_json();

}  // namespace raddle::cli
