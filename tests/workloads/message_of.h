#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "common/text_scanner.h"

namespace raddle::workloads {

/// What the InputError that `read` throws says; an empty text, and a failed test, when it throws
/// none.
template <typename Read>
std::string message_of(Read read) {
  try {
    std::forward<Read>(read)();
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no InputError";
  return "";
}

}  // namespace raddle::workloads
