// Writing results: whole or not at all, and never in silence.
#pragma once

#include <csignal>
#include <string>
#include <string_view>

namespace raddle {

/// Puts `bytes` into `file`. A regular file is written beside its place and renamed, so that it has
/// either its old content or all of the new; one whose folder takes no other file is written in its
/// place. Pipes and devices are written to directly; "/dev/stdout", "/dev/stderr" and "/dev/fd/N"
/// are this process's open files, which are appended to. Throws Error naming the file and the
/// reason. A reader that has gone is such a reason, not SIGPIPE; so is one that is not there, unless
/// it may still come.
enum class Reader { may_come, is_there };
void write_file(const std::string& file, std::string_view bytes, Reader reader = Reader::may_come);

/// Whether the name stands for a file that this process has open.
bool names_open_file(const std::string& file);

/// Throws Error when write_file() could not even begin: before a long run is made for nothing.
/// Opens nothing, so that a pipe does not wait for its reader; "" is no file and always good.
void check_writable(const std::string& file);

/// A descriptor for writing bytes as they come: those open files of this process themselves,
/// otherwise `file` truncated. Throws Error.
int open_output(const std::string& file, Reader reader = Reader::may_come);

/// While one lives, a pipe without a reader and a file of the greatest size are errors of write()
/// alone. SIGPIPE and SIGXFSZ are blocked for this thread only: the process may be somebody's
/// program.
class WithoutWriteSignals {
 public:
  WithoutWriteSignals();
  ~WithoutWriteSignals();
  WithoutWriteSignals(const WithoutWriteSignals&) = delete;
  WithoutWriteSignals& operator=(const WithoutWriteSignals&) = delete;

 private:
  sigset_t raised_, before_;
};

/// open() of a file that is there, also for a program that has used up its descriptors, as far as the
/// process may have more of them.
int open_past_limit(const char* file, int flags);

/// Writes all of it. 0, or the error's number. Never raises SIGPIPE nor SIGXFSZ.
int write_bytes(int descriptor, std::string_view bytes);

}  // namespace raddle
