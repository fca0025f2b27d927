// What the processes of one `raddle run` tell it: lines of a file that it names in RADDLE_REGISTER.
//
//   loaded        raddle's libraries are in a process
//   process PID   that process uses the GPU
//
// Without the variable nothing is written.
#pragma once

#include <string>

namespace raddle::cuda {

inline constexpr const char* kRegisterVariable = "RADDLE_REGISTER";

/// This process uses the GPU: its number among those of the run, from 1 in the order of their
/// calls.
unsigned register_process();

/// What has been told.
struct RunNotes {
  bool loaded = false;
  unsigned processes = 0;
};
RunNotes read_register(const std::string& file);

}  // namespace raddle::cuda
