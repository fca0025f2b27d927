#include "ptx/print_names.h"

#include <fmt/core.h>

#include <algorithm>

namespace raddle::ptx {
namespace {

class NamePool {
 public:
  void reserve(const std::string& name) { taken_.insert(name); }

  /// `wanted`, or, if that is in use or no identifier, `wanted` with a number that makes it unique.
  std::string claim(const std::string& wanted, std::size_t id) {
    std::string name = wanted;
    std::replace(name.begin(), name.end(), '.', '_');
    for (std::size_t number = id; !taken_.insert(name).second; ++number) {
      name = fmt::format("{}_{}", wanted, number);
      std::replace(name.begin(), name.end(), '.', '_');
    }
    return name;
  }

 private:
  std::unordered_set<std::string> taken_;
};

}  // namespace

FunctionNames declared_names(const Function& function) {
  FunctionNames names;
  for (const Register& reg : function.registers) names.registers.push_back(reg.name);
  for (const Variable& variable : function.variables) names.variables.push_back(variable.name);
  for (const Label& label : function.labels) names.labels.push_back(label.name);
  return names;
}

FunctionNames distinct_names(const Module& module, const Function& function) {
  FunctionNames names = declared_names(function);
  NamePool pool;
  for (const Variable& variable : module.variables) pool.reserve(variable.name);
  for (const Function& other : module.functions) pool.reserve(other.name);
  std::vector<bool> formal(function.registers.size(), false);
  for (const auto* formals : {&function.returns, &function.parameters}) {
    for (const Variable& variable : *formals) {
      pool.reserve(variable.name);
      // The elements of a vector formal can only be reached through its own name.
      if (variable.register_id == kNoId) continue;
      for (unsigned i = 0; i < variable.vector; ++i) formal[variable.register_id + i] = true;
    }
  }
  for (std::size_t i = 0; i < names.registers.size(); ++i) {
    if (!formal[i]) names.registers[i] = pool.claim(names.registers[i], i);
  }
  for (std::size_t i = 0; i < names.variables.size(); ++i) {
    names.variables[i] = pool.claim(names.variables[i], i);
  }
  for (std::size_t i = 0; i < names.labels.size(); ++i) {
    names.labels[i] = pool.claim(names.labels[i], i);
  }
  return names;
}

}  // namespace raddle::ptx
