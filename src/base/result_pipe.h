// The way of results from simulated programs to the `raddle run` that started them: a pipe.
//
// A process opens its end when the simulator is loaded, and keeps it. So its own limits (RLIMIT_FSIZE,
// RLIMIT_NOFILE) and another user that it becomes (setuid) do not keep results from being written:
// `raddle run` writes the files.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <thread>

#include "base/temporary_file.h"

namespace raddle {

enum class Result : unsigned char { statistics, profile, failure, error };

/// The end of who starts a program.
class ResultPipe {
 public:
  ResultPipe();
  ~ResultPipe();
  ResultPipe(const ResultPipe&) = delete;
  ResultPipe& operator=(const ResultPipe&) = delete;

  /// What the program finds in its environment as kResultVariable.
  std::string text() const;
  /// From now on a thread takes what comes. After the program was started by fork().
  void receive();
  /// Returns when all is there that was sent until now.
  void finish();

  /// As document_file.h has them. Until finish() they may change.
  const TemporaryFile& statistics() const { return statistics_; }
  const TemporaryFile& profiles() const { return profiles_; }
  /// A result was lost: it has been told on stderr why.
  bool lost_any() const { return lost_; }
  /// So many faults and wrong calls of the program were told (note_error).
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

/// Hands over statistics or a profile of process `number`, instead of what it has handed over before,
/// whole or not at all. Throws Error with the reason when it cannot.
void send_result(Result what, unsigned number, std::string_view text);

/// Says on stderr that a result could not be written. `raddle run` says it, if it can be told: what the
/// process prints may be cut off by the same limit.
void tell_failed_output(const std::string& message);

/// A fault or a wrong call of the program was told: for `--error-exit-code`.
void note_error();

}  // namespace raddle
