#include "isa/kernel_name.h"

#include <cxxabi.h>

#include <cstdlib>

namespace raddle::isa {

std::string kernel_name(const std::string& name) {
  int status = 0;
  char* text = nullptr;
  if (name.starts_with("_Z")) {  // the demangler takes "f" for float
    text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  }
  std::string result = text != nullptr ? text : name;
  std::free(text);
  // Names of template instances begin with their return type.
  if (result.starts_with("void ")) result.erase(0, 5);
  // Keep the text up to the parameters. Parentheses inside template arguments, names of lambdas or
  // the unnamed namespace belong to the name.
  constexpr std::string_view kUnnamed = "(anonymous namespace)";
  int depth = 0;
  for (std::size_t at = 0; at < result.size(); ++at) {
    if (result[at] == '<' || result[at] == '{') ++depth;
    if (result[at] == '>' || result[at] == '}') --depth;
    if (result[at] != '(' || depth != 0) continue;
    if (result.compare(at, kUnnamed.size(), kUnnamed) != 0) return result.substr(0, at);
    at += kUnnamed.size() - 1;
  }
  return result;
}

}  // namespace raddle::isa
