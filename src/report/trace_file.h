// A timeline on disk: trace events in Chrome's JSON format, which ui.perfetto.dev opens
// ("Trace Event Format", JSON object format).
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

namespace raddle::report {

/// Written as it goes, and complete JSON (a complete gzip file when the name ends in .gz) after
/// each write: the closing brackets are written behind the events and overwritten by the next
/// ones. So a program that is killed leaves a timeline that opens, and memory is bounded. What is
/// no regular file, such as a pipe, gets the closing brackets once, from finish().
class TraceFile {
 public:
  /// Of the process with that number among those of a run, from 1. `other`: a JSON object that says
  /// where it comes from, the member "otherData"; "" for none. Throws Error, naming the file, when it
  /// cannot be written.
  explicit TraceFile(const std::string& path, unsigned process = 1, const std::string& other = "");
  ~TraceFile();
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  /// Adds an event, one JSON object. Forgets it after an error, which finish() tells.
  void add(std::string_view event);
  /// So many were written, or will be next, as far as that is known before they are compressed.
  std::uint64_t bytes() const { return end_ + (compressor_ == nullptr ? events_.size() : 0); }
  /// A good moment to write what was added. A compressed file is written every so often only.
  void flush();
  /// Writes what was added. Throws Error when anything could not be written.
  void finish();

 private:
  struct Compressor;

  void write();
  void write_at_end(const std::string& events, const std::string& closing);
  void restore_end();
  void close_stream();
  void note(int error);

  std::string path_;
  int file_ = -1;
  bool stream_ = false;    // what is written stays as it is
  bool named_ = false;     // a file that has its name as long as nobody removes it
  std::uint64_t end_ = 0;  // of the events: where the closing brackets are, or the stream is
  std::string closing_;    // behind it
  std::string events_;     // not written yet
  bool first_ = true;
  std::string error_;
  std::unique_ptr<Compressor> compressor_;  // nullptr: plain text
  std::chrono::steady_clock::time_point written_;
};

/// Whether the file at `path` is a timeline that the process with this number, from 2, has written.
bool is_timeline_of(const std::string& path, unsigned process);

}  // namespace raddle::report
