#include "suggestions.h"

#include "base/config.h"

namespace raddle::cli {

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known) {
  const std::vector<std::string> near = near_names(word, known);
  return near.empty() ? "" : "; did you mean " + near.front();
}

std::string unknown_option(const CLI::App& command, const std::vector<std::string>& words) {
  std::vector<std::string> known;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  for (const std::string& word : words) {
    const std::string option = word.substr(0, word.find('='));
    const bool is_known = command.get_option_no_throw(option) != nullptr;
    if (!option.starts_with("--") || option == "--" || is_known) continue;
    return "there is no option " + option + did_you_mean(option, known);
  }
  return "";
}

}  // namespace raddle::cli
