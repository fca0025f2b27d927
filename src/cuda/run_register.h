// Notes of the processes of one `raddle run`: lines of the file that RADDLE_REGISTER names.
//
//   loaded        raddle's libraries are in a process
//   process PID   that process uses the GPU
//
// Without the variable, the processes write no notes.
#pragma once

#include <string>

namespace raddle::cuda {

inline constexpr const char* kRegisterVariable = "RADDLE_REGISTER";

/// Notes that this process uses the GPU. Returns its number among the processes of the run, from 1
/// in the order of their calls.
unsigned register_process();

/// The notes in the file.
struct RunNotes {
  bool loaded = false;
  unsigned processes = 0;
};
RunNotes read_register(const std::string& file);

}  // namespace raddle::cuda
