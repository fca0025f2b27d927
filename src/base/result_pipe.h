// A pipe that carries results from simulated programs to the `raddle run` that started them.
//
// A process opens its end when the simulator is loaded, and keeps it. So neither its own limits
// (RLIMIT_FSIZE, RLIMIT_NOFILE) nor a change of its user (setuid) can keep results from being
// written: `raddle run` writes the files.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <thread>

#include "base/temporary_file.h"

namespace raddle {

enum class Result : unsigned char { statistics, profile, failure, error };

/// The end of the process that starts a program.
class ResultPipe {
 public:
  ResultPipe();
  ~ResultPipe();
  ResultPipe(const ResultPipe&) = delete;
  ResultPipe& operator=(const ResultPipe&) = delete;

  /// The value of kResultVariable in the environment of the program.
  std::string text() const;
  /// From now on a thread receives results. Call it after the program was started by fork().
  void receive();
  /// Returns when everything that was sent before has arrived.
  void finish();

  /// In the form of document_file.h. They may change until finish().
  const TemporaryFile& statistics() const { return statistics_; }
  const TemporaryFile& profiles() const { return profiles_; }
  /// Whether a result was lost; the reason was printed on stderr.
  bool lost_any() const { return lost_; }
  /// Number of reported faults and wrong calls of the program (note_error).
  unsigned errors() const { return errors_; }

 private:
  void take_all();
  void take(Result what, int pid, unsigned number, std::string_view text);
  unsigned own_number(int pid, unsigned number);

  int read_end_ = -1, write_end_ = -1;
  TemporaryFile statistics_, profiles_;
  std::map<unsigned, int> owners_;  // processes, by the numbers of their results
  bool lost_ = false;
  unsigned errors_ = 0;
  std::thread thread_;
};

constexpr const char* kResultVariable = "RADDLE_RESULTS";

/// Opens this process's end of the pipe that the environment names, if there is one.
void hold_result_pipe();

/// Sends statistics or a profile of process `number`, and replaces what it sent before, whole or
/// not at all. Throws Error with the reason on failure.
void send_result(Result what, unsigned number, std::string_view text);

/// Reports on stderr that a result could not be written. `raddle run` prints it if the pipe works,
/// because the same limit may cut off the output of the process.
void tell_failed_output(const std::string& message);

/// Notes that a fault or a wrong call of the program was reported: for `--error-exit-code`.
void note_error();

}  // namespace raddle
