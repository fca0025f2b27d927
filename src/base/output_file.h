// Writes results either whole or not at all, and reports every failure.
#pragma once

#include <csignal>
#include <string>
#include <string_view>

namespace raddle {

/// Writes `bytes` to `file`. A regular file is written beside its place and renamed, so that it has
/// either its old content or all of the new. If its folder allows no other file, it is written in
/// place. Pipes and devices are written directly; "/dev/stdout", "/dev/stderr" and "/dev/fd/N" are
/// open files of this process, to which the bytes are appended. Throws Error with the file and the
/// reason. A reader that has closed its end is such a reason and raises no SIGPIPE; so is a missing
/// reader, unless `reader` says that it may still come.
enum class Reader { may_come, is_there };
void write_file(const std::string& file, std::string_view bytes, Reader reader = Reader::may_come);

/// Whether the name means a file that this process has open.
bool names_open_file(const std::string& file);

/// Throws Error when write_file() could not even begin: call it before a long run. Opens nothing,
/// so that a pipe does not wait for its reader; "" means no file and is always good.
void check_writable(const std::string& file);

/// A descriptor for writing bytes as they come: for open files of this process those files,
/// otherwise `file` truncated. Throws Error.
int open_output(const std::string& file, Reader reader = Reader::may_come);

/// While an object lives, a pipe without a reader and a file that reaches its size limit are only
/// errors of write(). SIGPIPE and SIGXFSZ are blocked for this thread alone, because the process
/// may belong to a user's program.
class WithoutWriteSignals {
 public:
  WithoutWriteSignals();
  ~WithoutWriteSignals();
  WithoutWriteSignals(const WithoutWriteSignals&) = delete;
  WithoutWriteSignals& operator=(const WithoutWriteSignals&) = delete;

 private:
  sigset_t raised_, before_;
};

/// open() of an existing file, also in a program that has used up its descriptors, as far as the
/// process may have more of them.
int open_past_limit(const char* file, int flags);

/// Writes all bytes. Returns 0, or the error's number. Never raises SIGPIPE or SIGXFSZ.
int write_bytes(int descriptor, std::string_view bytes);

}  // namespace raddle
