// Checks approximations on all operands by the sums of `export_cases --binades`.
#pragma once

#include "archive.h"

namespace raddle::golden {

/// Prints a line for each form; whether all sums are the hardware's.
bool sums_agree(const Archive& archive, const Results& hardware);

}  // namespace raddle::golden
