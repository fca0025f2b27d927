// The device code inside a file: PTX text, or an executable or library with fat binaries in it.
#pragma once

#include <string>
#include <vector>

#include "isa/loader.h"
#include "ptx/module.h"

namespace raddle::cli {

/// Parses all PTX of `file` for `loader`: a module for each fat binary (of several versions, the
/// one that a GPU of version `sm` would run). Throws Error naming the file when it has no PTX.
std::vector<ptx::Module> read_device_code(const std::string& file, unsigned sm,
                                          const isa::Loader& loader);

}  // namespace raddle::cli
