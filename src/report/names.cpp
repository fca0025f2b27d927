#include "report/names.h"

#include <cctype>

#include "isa/kernel_name.h"

namespace raddle::report {
namespace {

bool is_of_a_name(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

/// "gather<Half, int>" of "app::gather<app::Half, int>".
std::string without_scopes(const std::string& name) {
  constexpr std::string_view kUnnamed = "(anonymous namespace)";
  std::string text;
  for (std::size_t at = 0; at < name.size(); ++at) {
    if (name.compare(at, 2, "::") != 0) {
      text += name[at];
      continue;
    }
    if (text.ends_with(kUnnamed)) text.resize(text.size() - kUnnamed.size());
    while (!text.empty() && is_of_a_name(text.back())) text.pop_back();
    ++at;
  }
  return text;
}

}  // namespace

std::string short_kernel_name(const std::string& name, std::size_t width) {
  std::string text = isa::kernel_name(name);
  if (text.size() > width) text = without_scopes(text);
  return text.size() <= width ? text : text.substr(0, width - 3) + "...";
}

}  // namespace raddle::report
