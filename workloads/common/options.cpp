#include "common/options.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <utility>

#include "common/text_scanner.h"

namespace raddle::workloads {

Options::Options(std::string program, std::string summary)
    : program_(std::move(program)), summary_(std::move(summary)) {}

void Options::add(const std::string& name, std::string* value, const std::string& help) {
  const std::string shown = value->empty() ? help : help + " [" + *value + "]";
  options_.push_back({name, "TEXT", shown, [value](const std::string& text) { *value = text; }});
}

void Options::add(const std::string& name, std::int64_t* value, std::int64_t low, std::int64_t high,
                  const std::string& help) {
  const auto set = [=](const std::string& text) {
    std::int64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{} || rest != end || number < low || number > high) {
      throw UsageError(name + " takes a whole number from " + std::to_string(low) + " to " +
                       std::to_string(high) + ", not '" + text + "'");
    }
    *value = number;
  };
  options_.push_back({name, "N", help + " [" + std::to_string(*value) + "]", set});
}

void Options::add_choice(const std::string& name, std::string* value,
                         std::vector<std::string> choices, const std::string& help) {
  std::string list;
  for (const std::string& choice : choices) list += (list.empty() ? "" : "|") + choice;
  const auto set = [=](const std::string& text) {
    if (std::find(choices.begin(), choices.end(), text) == choices.end()) {
      throw UsageError(name + " takes one of " + list + ", not '" + text + "'");
    }
    *value = text;
  };
  options_.push_back({name, list, help + " [" + *value + "]", set});
}

void Options::add_flag(const std::string& name, bool* value, const std::string& help) {
  options_.push_back({name, "", help, [value](const std::string&) { *value = true; }});
}

const Options::Option& Options::find(const std::string& name) const {
  for (const Option& option : options_) {
    if (option.name == name) return option;
  }
  throw UsageError("unknown option '" + name + "'");
}

bool Options::parse(int argc, const char* const* argv) const {
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--help" || argument == "-h") return false;
    const std::size_t equals = argument.find('=');
    const Option& option = find(argument.substr(0, equals));
    if (option.value_name.empty()) {
      if (equals != std::string::npos) throw UsageError(option.name + " takes no value");
      option.set("");
    } else if (equals != std::string::npos) {
      option.set(argument.substr(equals + 1));
    } else if (++i < argc) {
      option.set(argv[i]);
    } else {
      throw UsageError(option.name + " needs a value");
    }
  }
  return true;
}

std::string Options::help() const {
  std::string text = program_ + ": " + summary_ + "\n\nusage: " + program_ + " [options]\n";
  for (const Option& option : options_) {
    std::string left = "  " + option.name + (option.value_name.empty() ? "" : " ");
    left += option.value_name;
    constexpr std::size_t column = 34;
    left.append(left.size() + 2 > column ? 2 : column - left.size(), ' ');
    text += left + option.help + "\n";
  }
  return text + "  --help                          show this text\n";
}

int run_workload(const Options& options, int argc, const char* const* argv,
                 const std::function<bool()>& body) {
  try {
    if (!options.parse(argc, argv)) {
      std::fputs(options.help().c_str(), stdout);
      return 0;
    }
    return body() ? 0 : 1;
  } catch (const UsageError& error) {
    std::fprintf(stderr, "error: %s (try --help)\n", error.what());
    return 2;
  } catch (const InputError& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}

}  // namespace raddle::workloads
