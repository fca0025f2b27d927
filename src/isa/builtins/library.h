// The builtins that CUDA programs expect: printf, the heap, assert.
#pragma once

#include <vector>

#include "isa/builtins/builtins.h"

namespace raddle::isa {

std::vector<Builtin> library_builtins();

/// PTX text of functions that are best written in PTX, linked when a program calls them; empty for
/// unknown names.
std::string_view library_ptx(std::string_view function);

}  // namespace raddle::isa
