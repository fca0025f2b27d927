#include <algorithm>
#include <filesystem>
#include <regex>

#include "drafts.h"
#include "tests/ptx_behaviour/behaviour_file.h"

namespace raddle::golden {
namespace {

namespace fs = std::filesystem;

/// What a GPU does not do, or not without what these cases do not set up.
bool runs_on_hardware(const tests::BehaviourFile& file) {
  if (!file.fault.empty() || !file.error.empty() || file.divergence == "stack") return false;
  static const std::regex textures(
      R"(\.(tex|surf|sampler)ref|\.tex |\b(tex|tld4|txq|suq|suld|sust|sured|istypep)\.)");
  return !std::regex_search(file.text, textures);
}

std::string bytes(const std::vector<std::byte>& from) {
  return {reinterpret_cast<const char*>(from.data()), from.size()};
}

void set_size(std::uint32_t (&to)[3], const Dim3& from) {
  to[0] = from.x, to[1] = from.y, to[2] = from.z;
}

Case behaviour_case(const tests::BehaviourFile& file) {
  Case c;
  c.name = "behaviour/" + file.name;
  c.ptx = for_hopper(file.text);
  std::smatch entry;
  static const std::regex names(R"(\.entry\s+([\w$]+))");
  if (std::regex_search(file.text, entry, names)) c.kernel = entry[1];
  set_size(c.grid, file.grid);
  set_size(c.block, file.block);
  c.shared = file.shared;
  c.cooperative = file.cooperative;
  for (const tests::Argument& argument : file.arguments) {
    using Kind = tests::Argument::Kind;
    Argument passed;
    passed.kind = argument.kind == Kind::in      ? Argument::in
                  : argument.kind == Kind::out   ? Argument::out
                  : argument.kind == Kind::inout ? Argument::inout
                                                 : Argument::value;
    passed.initial = bytes(argument.initial);
    const unsigned size = tests::bytes_of(argument.type);
    if (passed.recorded()) {
      c.fields.push_back({c.name, argument.type, static_cast<std::uint32_t>(c.arguments.size()), 0,
                          static_cast<std::uint32_t>(passed.initial.size() / size), size});
    }
    c.arguments.push_back(std::move(passed));
  }
  return c;
}

}  // namespace

Drafts behaviour_drafts(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".ptx") {
      names.push_back(fs::relative(entry.path(), folder).string());
    }
  }
  std::sort(names.begin(), names.end());
  Drafts drafts;
  for (const std::string& name : names) {
    const auto file = tests::read_behaviour(folder + "/" + name, name);
    if (!runs_on_hardware(file)) continue;
    drafts.push_back({[file](const Refused&) { return std::vector{behaviour_case(file)}; }});
  }
  return drafts;
}

}  // namespace raddle::golden
