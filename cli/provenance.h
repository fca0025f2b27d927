// Where a result comes from: what every file and page that raddle writes says of itself.
#pragma once

#include <string>

namespace raddle::cli {

/// "0.1.0 (commit 0123456789ab)", with "changed" if files of the tree were; or why no commit is known.
std::string version();
/// All of the commit, with "-changed" behind it; "" when none is known.
std::string commit();

/// The command line of this process, as a shell reads it, beginning with "raddle".
std::string own_command();
/// Now: "2026-01-31T12:34:56Z".
std::string date();
std::string host_name();
/// Without its name: "Intel Xeon, 2 processors, 8 GB, Linux x86_64".
std::string computer();

/// All of it as a JSON object: {"command", "raddle", "commit", "date", "host"}.
std::string provenance_json();

}  // namespace raddle::cli
