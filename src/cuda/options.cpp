#include "cuda/options.h"

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "corun/connection.h"

namespace raddle::cuda {

Options options_from_environment() {
  Options options;
  // Outside of RADDLE_OPTIONS: `raddle corun` starts `raddle run`, which starts the program.
  if (const char* corun = std::getenv(corun::kVariable)) options.corun = corun;
  const char* text = std::getenv("RADDLE_OPTIONS");
  if (text == nullptr || *text == '\0') return options;
  try {
    const auto json = nlohmann::json::parse(text);
    options.gpu = json.value("gpu", options.gpu);
    options.gpu_named = json.value("gpu_named", options.gpu_named);
    options.lenient = json.value("lenient", options.lenient);
    options.functional = json.value("functional", options.functional);
    options.threads = json.value("threads", options.threads);
    options.keep_going = json.value("keep_going", options.keep_going);
    options.progress = json.value("progress", options.progress);
    options.each_launch = json.value("each_launch", options.each_launch);
    options.most_launches = json.value("launches", options.most_launches);
    options.launch_statistics = json.value("launch_statistics", options.launch_statistics);
    options.with = json.value("with", options.with);
    options.statistics = json.value("stats", options.statistics);
    options.trace_file = json.value("trace", options.trace_file);
    options.trace_limit = json.value("trace_limit", options.trace_limit);
    options.trace_interval = json.value("trace_interval", options.trace_interval);
    options.profile = json.value("profile", options.profile);
    if (json.contains("run")) options.started_by = json["run"].dump();
    if (json.contains("set")) {
      options.settings = json["set"].get<std::map<std::string, std::string>>();
    }
  } catch (const nlohmann::json::exception& error) {
    fail("RADDLE_OPTIONS: {}", error.what());
  }
  return options;
}

}  // namespace raddle::cuda
