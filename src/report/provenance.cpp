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
  if (!run.fault.empty()) json["fault"] = run.fault;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

namespace {

std::string ending(bool interrupted, const std::string& how, const std::string& fault) {
  std::string text;
  if (interrupted) {
    text += fmt::format("cut off ({}): these are the results until then\n",
                        how.empty() ? "nobody knows how it ended" : how);
  }
  if (!fault.empty()) {
    text += fmt::format("a kernel faulted ({}), and nothing ran after it\n", fault);
  }
  return text;
}

}  // namespace

std::string ending_line(const Run& run, bool interrupted) {
  return ending(interrupted, run.ended, run.fault);
}

std::string ending_line(const std::string& document) {
  const Json json = Json::parse(document, nullptr, false);
  if (!json.is_object()) return "";
  const Json run = json.value("run", Json::object());
  return ending(json.value("interrupted", false), run.value("ended", ""), run.value("fault", ""));
}

std::string origin_json(const std::string& document) {
  const Json json = Json::parse(document);
  Json origin = json.value("run", Json::object());
  for (const char* member : {"gpu", "functional", "mechanisms", "interrupted"}) {
    if (json.contains(member)) origin[member] = json[member];
  }
  return origin.dump(-1, ' ', false, Json::error_handler_t::replace);
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
