#include "report/provenance.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

namespace raddle::report {

using Json = nlohmann::ordered_json;

std::string run_json(const Run& run) {
  Json json = Json::parse(run.started_by.empty() ? "{}" : run.started_by);
  json["program"] = run.program;
  json["arguments"] = run.arguments;
  json["description"] = run.description;
  json["settings"] = run.settings;
  if (!run.ended.empty()) json["ended"] = run.ended;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string run_line(const std::string& document) {
  const Json json = Json::parse(document, nullptr, false);
  if (!json.is_object() || !json.contains("run") || !json["run"].contains("command")) return "";
  constexpr std::size_t kShortCommit = 12;
  const Json& run = json["run"];
  const std::string commit = run.value("commit", "");
  return fmt::format("{}: raddle {}{}{}, {} on {}\n", run.value("command", ""),
                     run.value("raddle", ""),
                     commit.empty() ? "" : " (commit " + commit.substr(0, kShortCommit),
                     commit.empty()                 ? ""
                     : commit.ends_with("-changed") ? ", changed)"
                                                    : ")",
                     run.value("date", ""), run.value("host", ""));
}

}  // namespace raddle::report
