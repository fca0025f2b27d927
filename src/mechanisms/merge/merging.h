// The pass that joins the sides of branches.
#pragma once

#include <memory>

#include "isa/passes/pass.h"
#include "mechanisms/merge/config.h"

namespace raddle::mechanisms::merge {

std::shared_ptr<const isa::Pass> merging(const MergeConfig& config);

}  // namespace raddle::mechanisms::merge
