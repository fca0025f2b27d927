// Names for printing a function: each register, variable and label by one that is its own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "ptx/module.h"

namespace raddle::ptx {

struct FunctionNames {
  std::vector<std::string> registers, variables, labels;  // by id
};

/// The declared names, as they are; scopes may have given one name to several things.
FunctionNames declared_names(const Function&);

/// Distinct names that are identifiers and hide nothing of the module's; the declared ones where
/// these qualify.
FunctionNames distinct_names(const Module&, const Function&);

}  // namespace raddle::ptx
